/** Topics, subscriptions, components, apps, and the explanations of routes and verdicts. */
import { PROFILES } from '../../contract/profile.ts';
import type { Codec } from '../../domain/codec.ts';
import { explainVerdict } from '../../domain/explain-verdict.ts';
import { describe } from '../../domain/inbound.ts';
import { isObject } from '../../domain/json.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { Journal } from '../../ports/journal.ts';
import type { TOPOLOGY } from '../../contract/methods/topology.ts';
import type { MethodsOf } from '../caller.ts';
import { storedMessage } from '../payload-parts.ts';
import { whole } from './dependencies.ts';
import type { MethodDependencies } from './dependencies.ts';

export function topologyMethods({
  runtime,
  components,
  facts,
  apps,
  codec,
  openRecordings,
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
    'components.validate': async ({ file, text }) => ({ problems: await components.validate(file, text) }),
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
    'apps.add': (request) => apps.add(request),
    'apps.remove': ({ appId }) => apps.remove(appId),
    'routes.explain': async ({ messageId, recordingId, event, ...params }) => {
      const journal = recordingId === undefined ? runtime.journal : openRecordings.journal(recordingId);
      const asked = messageId === undefined ? event : await eventOf(journal, messageId, event, codec);
      return { subscriptions: await runtime.topology.explain({ ...params, event: asked }) };
    },
    'verdict.explain': (params) => explainVerdict(params, PROFILES[facts.profile].differences),
  };
}

/** The event of a message, with the members of `change` in place of its own; of a message without an envelope its payload. */
async function eventOf(
  journal: Pick<Journal, 'get'>,
  messageId: string,
  change: unknown,
  codec: Codec,
): Promise<unknown> {
  const { message, row } = await storedMessage(journal, messageId);
  const { envelope, data, dataBase64 } = describe(message.wire, row.raw, codec);
  const isChanged = isObject(change) && Object.keys(change).length > 0;
  return isChanged ? { ...envelope, ...change } : (envelope ?? data ?? dataBase64);
}
