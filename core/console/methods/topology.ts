/** Topics, subscriptions, components, apps, and the explanations of routes and verdicts. */
import { PROFILES } from '../../contract/profile.ts';
import { explainVerdict } from '../../domain/explain-verdict.ts';
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
    ...whole(runtime.topology.components()),
    problems: runtime.resources.problems,
    files: runtime.resources.files(),
  });
  return {
    'topics.list': () => whole(runtime.topology.topics()),
    'subscriptions.list': () => ({
      ...whole(runtime.topology.subscriptions()),
      discovery: runtime.topology.discoveries(),
      problems: runtime.resources.subscriptionProblems,
    }),
    'subscriptions.discover': ({ appId }) => runtime.rediscovery.ask(appId),
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
      await runtime.resources.reload();
      return loaded();
    },
    'apps.list': () => whole(runtime.topology.apps()),
    'apps.add': (wish) => apps.add(wish),
    'apps.remove': ({ appId }) => apps.remove(appId),
    'routes.explain': async (params) => ({ subscriptions: await runtime.topology.explain(params) }),
    'verdict.explain': (params) => explainVerdict(params, PROFILES[facts.profile].differences),
  };
}
