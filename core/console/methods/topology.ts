/** Topics, subscriptions, components, apps, and what explains a route or a verdict. */
import type { MethodsOf } from '../caller.ts';
import { whole } from './parts.ts';
import type { MethodParts } from './parts.ts';

type Areas = 'topics' | 'subscriptions' | 'components' | 'apps' | 'routes' | 'verdict';

export function topologyMethods({ runtime, components }: MethodParts): MethodsOf<Areas> {
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
    'components.reload': async () => {
      await runtime.reload();
      return loaded();
    },
    'apps.list': () => whole(runtime.apps()),
    'routes.explain': (params) => ({ subscriptions: runtime.explainRoutes(params) }),
    'verdict.explain': (params) => runtime.explainVerdict(params),
  };
}
