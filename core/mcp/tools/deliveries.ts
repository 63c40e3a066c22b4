/** Tools for acts on deliveries by hand: retry, drop, hold, release, answer. */
import type { Changed } from '../../contract/targets.ts';

import { id } from '../../contract/bounds.ts';
import { holdParams } from '../../contract/hold.ts';
import { Bool, extend, oneOf, omit, Optional } from '../../contract/schema.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { HOLD_POINTS } from '../../contract/words.ts';
import type { QuotedAnswer } from '../foreign-text.ts';
import { BadArgument, paramsOf, tool } from '../tool.ts';
import { USUAL_ROWS } from '../rows.ts';
import { filterText } from './messages.ts';

const ONE_OF = 'Exactly one of deliveryId, deliveryIds, messageId and filter says which.';

function changedAnswer(what: string, { changed, refused = [] }: Changed): QuotedAnswer {
  const text = `${what}: ${changed}.${refused.length === 0 ? '' : ` Refused: ${refused.length}.`}`;
  const isError = changed === 0 && refused.length > 0;
  if (refused.length === 0)
    return { text: changed === 0 ? `${text} No delivery matched and allowed it.` : text };
  return { text: text, outside: { refused: refused.slice(0, USUAL_ROWS) }, isError };
}

export const retry = tool({
  name: 'retry',
  title: 'Retry deliveries',
  does: `Attempts deliveries again at once: retrying, parked or ended ones. ${ONE_OF}`,
  params: paramsOf('deliveries.retry'),
  hints: {},
  run: async (params, context) =>
    changedAnswer('Retried', await (await context.rpc()).call('deliveries.retry', params)),
});

export const drop = tool({
  name: 'drop',
  title: 'Drop deliveries',
  does: `Ends deliveries: the app does not get them. A dropped one can be retried. ${ONE_OF}`,
  params: paramsOf('deliveries.drop'),
  hints: { destroys: true, idempotent: true },
  run: async (params, context) =>
    changedAnswer('Dropped', await (await context.rpc()).call('deliveries.drop', params)),
});

const holdTool = extend(omit(holdParams, ['filter', 'at']), {
  filter: Optional(filterText),
  at: Optional(oneOf(HOLD_POINTS)),
  deliveryId: Optional(id),
  messageId: Optional(id),
});

export const hold = tool({
  name: 'hold',
  title: 'Hold messages',
  does: "With `filter`: from now on messages that match are stopped at `publish`, before `delivery` (the default) or before the app's `response` counts; `times` limits how many. With deliveryId or messageId: stops these deliveries before their next attempt. `release` ends that.",
  params: holdTool,
  hints: {},
  run: async ({ deliveryId, messageId, filter, at, ...more }, context) => {
    const rpc = await context.rpc();
    if (filter === undefined) {
      if (Object.keys(more).length > 0 || at !== undefined)
        throw new BadArgument(
          'filter is missing: at, times, name, enabled and releaseAfterMs belong to a hold with a filter',
        );
      const given = {
        ...withoutUndefined({ deliveryId, messageId }),
      };
      return changedAnswer('Held', await rpc.call('deliveries.hold', given));
    }
    if (deliveryId !== undefined || messageId !== undefined)
      throw new BadArgument('filter stands alone: give it, or deliveryId, or messageId');
    const { holdId } = await rpc.call('holds.add', { ...more, filter, at: at ?? 'delivery' });
    return { text: `Hold ${holdId} is on; release with holdId ${holdId} ends it.` };
  },
});

const releaseParams = extend(paramsOf('deliveries.release'), {
  filter: Optional(filterText),
  holdId: Optional(id),
  release: Optional(Bool({ description: 'With holdId: what the hold caught is released too (true).' })),
});

export const release = tool({
  name: 'release',
  title: 'Release what is held',
  does: `Lets held deliveries go on, with \`changes\` or another \`answer\` if given. ${ONE_OF} Or holdId: ends that hold.`,
  params: releaseParams,
  hints: {},
  run: async ({ holdId, release: letsGo, ...params }, context) => {
    if (holdId === undefined && letsGo !== undefined)
      throw new BadArgument(
        'give release only with holdId: it says whether what the hold caught is released',
      );
    const rpc = await context.rpc();
    if (holdId === undefined) return changedAnswer('Released', await rpc.call('deliveries.release', params));
    if (Object.keys(params).length > 0)
      throw new BadArgument('holdId stands alone: it ends a hold and releases what it caught');
    const { hits } = await rpc.call('holds.remove', { holdId, release: letsGo ?? true });
    return { text: `Hold ${holdId} is removed; it had caught ${hits}.` };
  },
});

export const answer = tool({
  name: 'answer',
  title: 'Answer for the app',
  does: 'Answers a call that waits for a person because a mock answer is {kind: "ask"}: for example {kind: "respond", status: 200, body: {status: "RETRY"}}. topology lists what waits, list_messages has the deliveryId.',
  params: paramsOf('deliveries.answer'),
  hints: {},
  run: async (params, context) => {
    const { changed } = await (await context.rpc()).call('deliveries.answer', params);
    return { text: `Answered: ${changed}.` };
  },
});
