/** Topics, subscriptions, components, apps, and what explains a route or a verdict. */
import type { MethodsOf } from '../caller.ts';
import type { MethodParts } from './parts.ts';

type Areas = 'topics' | 'subscriptions' | 'components' | 'apps' | 'routes' | 'verdict';

export function topologyMethods({ runtime, components }: MethodParts): MethodsOf<Areas> {
  const loaded = () => ({ items: runtime.components(), problems: runtime.resourceProblems() });
  return {
    'topics.list': () => ({ items: runtime.topics() }),
    'subscriptions.list': () => ({ items: runtime.subscriptions(), discovery: runtime.discoveries() }),
    'subscriptions.discover': ({ appId }) => runtime.discover(appId),
    'components.list': () => {
      const { folder } = components;
      return { ...loaded(), ...(folder === undefined ? {} : { folder }) };
    },
    'components.validate': ({ file, text }) => ({ problems: components.validate(file, text) }),
    'components.save': async ({ file, text }) => ({ problems: await components.save(file, text) }),
    'components.read': async ({ file }) => ({ file, text: await components.read(file) }),
    'components.reload': async () => {
      await runtime.reload();
      return loaded();
    },
    'apps.list': () => ({ items: runtime.apps() }),
    'routes.explain': (params) => ({ subscriptions: runtime.explainRoutes(params) }),
    'verdict.explain': (params) => runtime.explainVerdict(params),
  };
}
