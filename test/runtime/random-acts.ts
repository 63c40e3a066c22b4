/** Random lives of a runtime: acts as data, so that a failing run can be shrunk, and what each does to a stand. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { Refusal } from '../../core/domain/refusal.ts';
import { JournalError } from '../../core/ports/journal.ts';
import { component } from '../support/listed-components.ts';
import type { Scripted } from '../support/scripted-app.ts';
import type { Stand } from '../support/runtime-stand.ts';

const TOPICS = ['orders', 'letters', 'batches', 'nobody'] as const;
const ANSWERS: readonly Scripted[] = [
  200,
  'SUCCESS',
  'RETRY',
  'DROP',
  404,
  500,
  'hang',
  'reset',
  { body: 'text' },
];
const BY_HAND = [
  'retry',
  'drop',
  'undoDrop',
  'reroute',
  'hold',
  'release',
  'deadLetter',
  'cancel',
  'replay',
  'replayTo',
] as const;

export type Act =
  | { readonly type: 'publish'; readonly topic: (typeof TOPICS)[number]; readonly ttl: number | undefined }
  | { readonly type: 'script'; readonly answers: readonly Scripted[] }
  | { readonly type: 'answer'; readonly call: number; readonly answer: Scripted }
  | { readonly type: 'pass'; readonly ms: number }
  | { readonly type: 'by hand'; readonly act: (typeof BY_HAND)[number]; readonly message: number }
  | {
      readonly type: 'hold';
      readonly at: 'publish' | 'delivery' | 'response';
      readonly forMs: number | undefined;
    }
  | { readonly type: 'unhold'; readonly release: boolean }
  /** Several publishes in one turn; nobody waits for one before the next. */
  | { readonly type: 'burst'; readonly topics: readonly (typeof TOPICS)[number][] }
  | { readonly type: 'bulk'; readonly topic: (typeof TOPICS)[number]; readonly entries: number }
  /** The app publishes while it is called, before it answers. */
  | { readonly type: 'echo'; readonly topic: (typeof TOPICS)[number]; readonly calls: number }
  /** The component refuses the next publish. */
  | { readonly type: 'refused'; readonly topic: (typeof TOPICS)[number] }
  | { readonly type: 'remove'; readonly message: number; readonly isUndone: boolean }
  | { readonly type: 'removeAtOnce'; readonly message: number }
  /** A removal that is undone after so much time, or too late. */
  | { readonly type: 'removeFor'; readonly message: number; readonly ms: number }
  /** Retention keeps so many messages, for as long as it takes to remove the others. */
  | { readonly type: 'retain'; readonly messages: number }
  | { readonly type: 'port'; readonly isOpen: boolean }
  | { readonly type: 'journal'; readonly works: boolean }
  | { readonly type: 'discover' | 'reload' | 'stop' | 'crash' };

const answer = fc.constantFrom(...ANSWERS);
const topic = fc.constantFrom(...TOPICS);

export const acts: fc.Arbitrary<readonly Act[]> = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        type: fc.constant('publish' as const),
        topic: fc.constantFrom(...TOPICS),
        ttl: fc.constantFrom(undefined, undefined, undefined, 0, 1, 30),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        type: fc.constant('script' as const),
        answers: fc.array(answer, { minLength: 1, maxLength: 4 }),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ type: fc.constant('answer' as const), call: fc.nat(5), answer }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        type: fc.constant('pass' as const),
        ms: fc.constantFrom(1, 100, 250, 1000, 5000, 30_000),
      }),
    },
    {
      weight: 8,
      arbitrary: fc.record({
        type: fc.constant('by hand' as const),
        act: fc.constantFrom(...BY_HAND),
        message: fc.nat(10),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        type: fc.constant('hold' as const),
        at: fc.constantFrom('publish' as const, 'delivery' as const, 'response' as const),
        forMs: fc.constantFrom(undefined, 500),
      }),
    },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('unhold' as const), release: fc.boolean() }) },
    {
      weight: 4,
      arbitrary: fc.record({
        type: fc.constant('burst' as const),
        topics: fc.array(topic, { minLength: 2, maxLength: 6 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        type: fc.constant('bulk' as const),
        topic,
        entries: fc.integer({ min: 1, max: 5 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        type: fc.constant('echo' as const),
        topic,
        calls: fc.integer({ min: 1, max: 3 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('refused' as const), topic }) },
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constant('remove' as const),
        message: fc.nat(10),
        isUndone: fc.boolean(),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ type: fc.constant('removeAtOnce' as const), message: fc.nat(10) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constant('removeFor' as const),
        message: fc.nat(10),
        ms: fc.constantFrom(100, 5000, 10_000),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constant('retain' as const),
        messages: fc.integer({ min: 1, max: 5 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('port' as const), isOpen: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('journal' as const), works: fc.boolean() }) },
    {
      weight: 3,
      arbitrary: fc.record({
        type: fc.constantFrom('discover' as const, 'reload' as const, 'stop' as const, 'crash' as const),
      }),
    },
  ),
  { minLength: 5, maxLength: 40 },
);

/** Text in the body of a message that the component refuses. */
export const REFUSED = 'refuse me';

/** Publishes that were answered, by message id, but for those that were removed. */
export type Accepted = Set<string>;

/** Does one act. What a person or a publisher may be refused is refused; anything else that is thrown is a bug. */
export async function doAct(stand: Stand, act: Act, accepted: Accepted): Promise<void> {
  switch (act.type) {
    case 'publish': {
      const metadata = act.ttl === undefined ? {} : { ttlInSeconds: String(act.ttl) };
      await mayRefuse(async () => accepted.add(await stand.publish(act.topic, accepted.size, { metadata })));
      return;
    }
    case 'burst':
      for (const to of act.topics) publishOnly(stand, to, accepted);
      return stand.settle();
    case 'bulk':
      return publishBulk(stand, act, accepted);
    case 'echo': {
      let left = act.calls;
      stand.app.answerWith = () => {
        left -= 1;
        if (left >= 0) publishOnly(stand, act.topic, accepted);
        return 200;
      };
      return;
    }
    case 'refused':
      void mayRefuse(() => stand.publish(act.topic, REFUSED));
      return stand.settle();
    case 'remove':
      return remove(stand, act, accepted);
    case 'removeAtOnce':
      return removeAtOnce(stand, act, accepted);
    case 'removeFor':
      return removeFor(stand, act, accepted);
    case 'retain':
      return retain(stand, act, accepted);
    case 'script':
      stand.app.next.push(...act.answers);
      return;
    case 'answer':
      return answerOne(stand, act.call, act.answer);
    case 'pass':
      return stand.pass(act.ms);
    case 'by hand':
      return byHand(stand, act, accepted);
    case 'hold':
      void stand.runtime.holds.add({
        at: act.at,
        filter: '',
        times: 2,
        ...(act.forMs === undefined ? {} : { releaseAfterMs: act.forMs }),
      });
      return stand.settle();
    case 'unhold': {
      const [hold] = stand.runtime.holds.list();
      if (hold !== undefined) void stand.runtime.deliveryActions.removeHold(hold.holdId, act.release);
      return stand.settle();
    }
    case 'port':
      stand.app.isOpen = act.isOpen;
      return stand.settle();
    case 'journal':
      stand.journal.failure = act.works ? undefined : new JournalError('full', 'no room');
      return;
    case 'discover':
      void stand.runtime.rediscovery.ask();
      return stand.settle();
    case 'reload':
      stand.components.components = [
        component('pubsub', 'pubsub.in-memory', {
          failPublish: REFUSED,
          version: String(stand.clock.now()),
        }),
      ];
      void stand.runtime.resources.reload();
      return stand.settle();
    case 'stop':
      await stand.stop();
      stand.journal.failure = undefined;
      await stand.start();
      return;
    case 'crash':
      stand.crash();
      await stand.start();
      return;
  }
}

/** Nothing stands in the way any more: the journal works, the app is there and says yes, holds are gone. */
export async function makeGood(stand: Stand): Promise<void> {
  stand.journal.failure = undefined;
  stand.app.isOpen = true;
  stand.app.next.length = 0;
  stand.app.answerWith = (call) =>
    call.path === '/batches' ? { body: { statuses: everyEntry(call.json()) } } : 200;
  await stand.pass(2000);
  for (const { holdId } of stand.runtime.holds.list())
    await stand.runtime.deliveryActions.removeHold(holdId, true);
  await stand.settle();
  for (const call of stand.app.open) call.answer(500);
  await stand.pass(35_000);
}

/** Answers one of the calls that the app has open, if there is one; `call` chooses it. */
export async function answerOne(stand: Stand, call: number, answer: Scripted): Promise<void> {
  const { open } = stand.app;
  open[call % Math.max(1, open.length)]?.answer(answer);
  await stand.settle();
}

/** Publishes without waiting; the journal may take its time, or refuse it. */
function publishOnly({ runtime }: Stand, to: string, accepted: Accepted): void {
  void mayRefuse(async () => {
    const { messageId } = await runtime.sidecar('app').publish({
      pubsubname: 'pubsub',
      topic: to,
      body: 'hello',
      contentType: 'text/plain',
      metadata: {},
      source: 'http',
    });
    accepted.add(messageId);
  });
}

/** Failed entries were not accepted. */
async function publishBulk(
  stand: Stand,
  { topic: to, entries }: Extract<Act, { type: 'bulk' }>,
  accepted: Accepted,
): Promise<void> {
  const body = Array.from({ length: entries }, (_, n) => ({
    entryId: `${n}`,
    event: `entry ${n}`,
    contentType: 'text/plain',
  }));
  void mayRefuse(async () => {
    const { messageIds } = await stand.runtime.sidecar('app').publishBulk({
      pubsubname: 'pubsub',
      topic: to,
      body: JSON.stringify(body),
      metadata: {},
      source: 'http',
    });
    for (const id of messageIds) accepted.add(id);
  });
  return stand.settle();
}

/** From then on it need not be there any more, unless the removal is undone. */
async function remove(
  stand: Stand,
  { message, isUndone }: Extract<Act, { type: 'remove' }>,
  accepted: Accepted,
): Promise<void> {
  const ids = [...accepted];
  const messageId = ids[message % Math.max(1, ids.length)];
  if (messageId === undefined) return;
  const { removals } = stand.runtime;
  const { undoToken } = await removals.remove({ messageIds: [messageId] });
  if (isUndone) await removals.undo(undoToken);
  else accepted.delete(messageId);
  return stand.settle();
}

/** Not awaited: with a journal that refuses, the answer comes only when it works again. */
async function removeAtOnce(
  stand: Stand,
  { message }: Extract<Act, { type: 'removeAtOnce' }>,
  accepted: Accepted,
): Promise<void> {
  const messageId = oneOf(accepted, message);
  if (messageId === undefined) return;
  void stand.runtime.removals.removeAtOnce([messageId]);
  accepted.delete(messageId);
  return stand.settle();
}

async function removeFor(
  stand: Stand,
  { message, ms }: Extract<Act, { type: 'removeFor' }>,
  accepted: Accepted,
): Promise<void> {
  const messageId = oneOf(accepted, message);
  if (messageId === undefined) return;
  const { removals } = stand.runtime;
  const { undoToken } = await removals.remove({ messageIds: [messageId] });
  await stand.pass(ms);
  const isBack = await removals.undo(undoToken).then(
    () => true,
    () => false,
  );
  expect(isBack).toBe(ms < 10_000);
  if (!isBack) accepted.delete(messageId);
  return stand.settle();
}

async function retain(
  stand: Stand,
  { messages }: Extract<Act, { type: 'retain' }>,
  accepted: Accepted,
): Promise<void> {
  stand.journal.maxMessages = messages;
  await stand.pass(2500);
  stand.journal.maxMessages = undefined;
  const { items } = await stand.journal.page({ order: 'oldest', limit: 500, nowMs: 0 });
  const kept = new Set(items.map(({ messageId }) => messageId));
  for (const id of recordedIn(stand)) if (!kept.has(id)) accepted.delete(id);
}

function recordedIn({ journal }: Stand): readonly string[] {
  return journal.records.flatMap((record) =>
    record.kind === 'message.accepted' ? [record.message.row.messageId] : [],
  );
}

function oneOf(accepted: Accepted, choice: number): string | undefined {
  return [...accepted][choice % Math.max(1, accepted.size)];
}

function everyEntry({ entries }: Record<string, unknown>): object[] {
  if (!Array.isArray(entries)) return [];
  return (entries as { entryId: string }[]).map(({ entryId }) => ({ entryId, status: 'SUCCESS' }));
}

async function byHand(
  stand: Stand,
  { act, message }: Extract<Act, { type: 'by hand' }>,
  accepted: Accepted,
): Promise<void> {
  const ids = [...accepted];
  const messageId = ids[message % Math.max(1, ids.length)];
  if (messageId === undefined) return;
  const { runtime } = stand;
  const detail = await runtime.messages.detail(messageId);
  const deliveryId = detail.deliveries[0]?.deliveryId;
  // Not awaited: with a journal that refuses, the answer comes only when it works again.
  const doing = mayRefuse(async () => {
    if (act === 'cancel')
      await (deliveryId === undefined ? undefined : runtime.runningCalls.cancel(deliveryId));
    else if (act === 'replay')
      accepted.add((await runtime.replay.replay(messageId, undefined, undefined)).messageId);
    else if (act === 'replayTo')
      accepted.add((await runtime.replay.replay(messageId, undefined, deliveryId)).messageId);
    else if (act === 'reroute')
      await (deliveryId === undefined ? undefined : runtime.deliveryActions.reroute({ deliveryId }));
    else if (act === 'deadLetter') await runtime.deliveryActions.deadLetter({ messageId }, 'letters');
    else await runtime.deliveryActions[act]({ messageId });
  });
  void doing;
  await stand.settle();
}

async function mayRefuse(act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}
