/** Tools that send: publish, bulk publish, replay. */
import { bulkEntry } from '../../contract/publish.ts';
import { extend, list, Optional } from '../../contract/schema.ts';
import { name } from '../../contract/bounds.ts';
import { PUBSUB } from '../../scenario/acts.ts';
import { counted } from '../../contract/count-text.ts';
import { paramsOf, tool } from '../tool.ts';

/** Name of the component; default `pubsub`, as in scenario files. */
const pubsubname = Optional(name);

export const publish = tool({
  name: 'publish',
  title: 'Publish a message',
  does: 'Publishes one message as an app does over HTTP; a text in `data` goes as it is, any other value as JSON. `pubsubname` is pubsub where it is absent. Gives the messageId for explain_message.',
  params: extend(paramsOf('messages.publish'), { pubsubname }),
  hints: {},
  run: async (params, context) => {
    const rpc = await context.rpc();
    const { messageId } = await rpc.call('messages.publish', {
      ...params,
      pubsubname: params.pubsubname ?? PUBSUB,
    });
    return { text: `Published as ${messageId}.` };
  },
});

const entry = extend(bulkEntry, { entryId: Optional(name), contentType: Optional(name) });

export const publishBulk = tool({
  name: 'publish_bulk',
  title: 'Publish several messages',
  does: 'One bulk publish. Entries are `{event: …}`; without `entryId` they are numbered from 1, without `contentType` they are application/json. Names the entries that failed.',
  params: extend(paramsOf('messages.publishBulk'), {
    pubsubname,
    entries: list(entry, { minItems: 1, maxItems: 1000 }),
  }),
  hints: {},
  run: async (params, context) => {
    const rpc = await context.rpc();
    const { messageIds, failedEntries } = await rpc.call('messages.publishBulk', {
      ...params,
      pubsubname: params.pubsubname ?? PUBSUB,
      entries: params.entries.map((each, index) => ({
        ...each,
        entryId: each.entryId ?? String(index + 1),
        contentType: each.contentType ?? 'application/json',
      })),
    });
    return {
      text: `${counted(messageIds.length, 'message')} published, ${failedEntries.length} failed.`,
      outside: { messageIds: messageIds.slice(0, 100), failedEntries: failedEntries.slice(0, 20) },
      more: messageIds.length > 100 ? 'list_messages with is:bulk lists all of them.' : undefined,
    };
  },
});

export const replay = tool({
  name: 'replay',
  title: 'Replay a message',
  does: 'Publishes an old message again as a new one, changed or not: to its topic, or with `to` to one delivery alone.',
  params: paramsOf('messages.replay'),
  hints: {},
  run: async (params, context) => {
    const { messageId } = await (await context.rpc()).call('messages.replay', params);
    return { text: `Published again as ${messageId}.` };
  },
});
