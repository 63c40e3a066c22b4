/** Topics, subscriptions, components, apps, and what explains a route or a verdict. */
import { Refusal } from '../../domain/refusal.ts';
import type { TOPOLOGY } from '../../contract/methods/topology.ts';
import type { MethodsOf } from '../caller.ts';
import { whole } from './dependencies.ts';
import type { MethodDependencies } from './dependencies.ts';

export function topologyMethods({
  runtime,
  components,
  facts,
  apps,
}: MethodDependencies): MethodsOf<typeof TOPOLOGY> {
  const loaded = () => ({
    ...whole(runtime.components()),
    problems: runtime.resourceProblems(),
    files: runtime.resourceFiles(),
  });
  return {
    'topics.list': () => whole(runtime.topics()),
    'subscriptions.list': () => ({
      ...whole(runtime.subscriptions()),
      discovery: runtime.discoveries(),
      problems: runtime.resourceProblems('subscriptions'),
    }),
    'subscriptions.discover': ({ appId }) => runtime.discover(appId),
    'components.list': () => {
      const { folder, changedOnDisk: changed } = components;
      return { ...loaded(), ...(folder && { folder }), ...(changed && { changed }) };
    },
    'components.validate': ({ file, text }) => ({ problems: components.validate(file, text) }),
    'components.save': async ({ file, text }) => ({ problems: await components.save(file, text) }),
    'components.read': async ({ file }) => ({ file, text: await components.read(file) }),
    'components.reveal': async ({ file }) => {
      const { folder } = components;
      if (facts.reveal === undefined || folder === undefined) {
        const reason = 'Only a desktop window can show a file in its folder.';
        throw new Refusal(
          'INVALID_PARAMS',
          { reason },
          { expected: 'a desktop window, and --resources DIR' },
        );
      }
      // Refuses names outside the folder and files that are not there.
      await components.read(file);
      facts.reveal(`${folder}/${file}`);
      return null;
    },
    'components.reload': async () => {
      await runtime.reload();
      return loaded();
    },
    'apps.list': () => whole(runtime.apps()),
    'apps.add': (wish) => apps.add(wish),
    'apps.remove': ({ appId }) => apps.remove(appId),
    'routes.explain': (params) => ({ subscriptions: runtime.explainRoutes(params) }),
    'verdict.explain': (params) => runtime.explainVerdict(params),
  };
}
