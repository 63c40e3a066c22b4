/**
 * Runs the delivery engine in the router: follows subscriptions, prunes, and serves the methods for
 * deliveries of ports/local-router.ts.
 */
import { isEndedState } from '../contract/delivery.ts';
import type { RouterDelivery } from '../contract/event-router/local-router.ts';
import { plannedAttempts } from './rules/schedule.ts';
import { isObject, tryParse } from '../domain/json.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Cancel } from '../ports/clock.ts';
import type { RouterDeliveries } from '../ports/local-router.ts';
import { createDeliveryEngine, eventsOf } from './delivery-engine.ts';
import type { DeliveryEngine } from './delivery-engine.ts';
import type { RouterDependencies } from './dependencies.ts';
import { isOver } from './subscriptions/stored-subscription.ts';
import type { StoredSubscription } from './subscriptions/stored-subscription.ts';
import type { Engine } from './engine/engine.ts';
import { iso, rowOf } from './engine/entry.ts';
import type { Entry } from './engine/entry.ts';
import type { Ledger } from './engine/ledger.ts';
import { sendDeletionNotice } from './deletion-notice.ts';

/** The engine, and its functions for the rest of the router. */
export interface DeliveryService {
  readonly service: RouterDeliveries;
  readonly ledger: Ledger;
  readonly engine: Engine;
  readonly timeScale: () => number;
  /** Why events are refused at present because the backlog is full. */
  readonly refuses: () => string | undefined;
  /** Accepts events of a topic; resolves when they are stored. */
  readonly publish: DeliveryEngine['publish'];
  start(): void;
  stop(): Promise<void>;
}

const DAY_MS = 86_400_000;
const TICK_MS = 3_600_000;
const MAX_LISTED = 1000;

export function createDeliveryService(deps: RouterDependencies): DeliveryService {
  const delivery = createDeliveryEngine(deps);
  const { engine, ledger, endings, records, intake } = delivery;
  followSubscriptions(deps, delivery);
  let endTidying: Cancel = () => undefined;
  return {
    service: deliveryMethods(deps, delivery),
    ledger,
    engine,
    timeScale: () => delivery.scale.value,
    refuses: () => intake.refuses,
    publish: delivery.publish,
    start() {
      engine.start();
      for (const { key } of deps.subscriptions.list()) endings.resume(records.waitingFor(key));
      endTidying = tidyEachHour(deps, delivery);
    },
    async stop() {
      endTidying();
      await engine.stop();
      endings.stop();
      deps.store.flush();
      delivery.deadLetters.close();
    },
  };
}

function followSubscriptions(deps: RouterDependencies, delivery: DeliveryEngine): void {
  const { engine } = delivery;
  deps.hooks.changed = (kept) => engine.pump(kept.key);
  deps.hooks.removed = (kept) => {
    emptyLane(delivery, deps.options.settings.keepOnDelete, kept);
    engine.forget(kept.key);
    void sendDeletionNotice(deps, kept);
  };
  deps.hooks.repaired = () => {
    // The ingress has just closed its idle connections; an attempt on one of them would fail at once.
    deps.outbound.renew();
    engine.hurry();
  };
}

/**
 * Removes records that are too old or too many now and once an hour, and renews certificates.
 * @returns ends it
 */
function tidyEachHour(deps: RouterDependencies, { records, ledger, deadLetters }: DeliveryEngine): Cancel {
  const { clock, settings } = deps.options;
  const { keepDays, keepBytes } = settings.delivery;
  let cancelNext: Cancel = () => undefined;
  const tidy = (): void => {
    const oldest = clock.now() - keepDays * DAY_MS;
    if (records.prune(oldest, keepBytes) > 0) ledger.recount();
    if (deadLetters.prune(oldest, keepBytes) > 0) deps.changes.notify('dead-letter');
    for (const kept of deps.subscriptions.list()) retire(deps, kept);
    void deps.certificates.renewIfNeeded();
    cancelNext = clock.at(clock.now() + TICK_MS, tidy);
  };
  tidy();
  return () => cancelNext();
}

function deliveryMethods(deps: RouterDependencies, delivery: DeliveryEngine): RouterDeliveries {
  const { records, ledger, breakpoints, deadLetters, engine, commands } = delivery;
  return {
    list: (query) => records.list(query),
    get: (id) => {
      const entry = ledger.find(id);
      return entry === undefined ? undefined : detailOf(delivery, entry);
    },
    act: async (id, act) => rowOf(commands.act(id, act)),
    breakpoints: {
      list: () => breakpoints.list(),
      add: (filter) => breakpoints.add(filter),
      remove: (breakpointId) => breakpoints.remove(breakpointId),
    },
    resend: async (id, how = {}) => rowOf(await resend(deps, delivery, id, how)),
    hurry: (id) => engine.hurry(id?.toLowerCase()),
    deadLetters: () => deadLetters.list(MAX_LISTED),
    deadLetter: (file) => deadLetters.read(file),
    async removeDeadLetters(files) {
      const removed = deadLetters.remove(files);
      deps.changes.notify('dead-letter');
      return removed;
    },
    setTimeScale(value) {
      if (!(value > 0 && value <= 1)) {
        const expected = 'a number above 0 and at most 1';
        throw new Refusal(
          'INVALID_PARAMS',
          { reason: `timeScale must be ${expected}, got ${value}` },
          { field: 'timeScale', expected },
        );
      }
      delivery.scale.value = value;
      deps.note(`The router waits ${value} of the documented times between attempts.`);
    },
  };
}

/**
 * Sends the event of a delivery again as a new delivery. Throws Refusal NOT_FOUND, or INVALID_PARAMS for a
 * text that is no event of the topic.
 */
async function resend(
  { topics, subscriptions, options }: RouterDependencies,
  { ledger, records, intake }: DeliveryEngine,
  id: string,
  { text, subscriptionId }: NonNullable<Parameters<RouterDeliveries['resend']>[1]>,
): Promise<Entry> {
  const entry = ledger.find(id);
  const event = entry === undefined ? undefined : records.event(entry.event);
  const lane = subscriptionId?.toLowerCase() ?? entry?.lane;
  const target = lane === undefined ? undefined : subscriptions.get(lane);
  if (entry === undefined || event === undefined || target?.active === undefined) {
    throw new Refusal('NOT_FOUND', { reason: `There is no delivery ${id} that can be sent again.` });
  }
  const topic = topics.get(entry.topic);
  if (topic === undefined) throw new Refusal('NOT_FOUND', { reason: `There is no topic ${entry.topic}.` });
  if (event.schema === 'CloudEventSchemaV1_0' && target.active.eventDeliverySchema === 'EventGridSchema')
    throw new Refusal('INVALID_PARAMS', { reason: `${target.name} does not accept CloudEvents.` });
  const events = eventsOf(topic, withId(text ?? event.text, options.ids.uuid()));
  // A person asked for it, so filter and breakpoints do not apply.
  const unfiltered = { ...target, active: { ...target.active, filter: {} } };
  const [made] = await intake.take(topic, events, [unfiltered], () => false);
  if (made === undefined) throw new Error('the event became no delivery');
  return made;
}

function detailOf({ records, scale, textOf }: DeliveryEngine, entry: Entry): RouterDelivery {
  const { transitions, attempts: history } = records.history(entry);
  const event = records.event(entry.event);
  const accepted = {
    from: null,
    to: 'queued',
    at: iso(entry.publishedMs),
    cause: 'policy',
    rule: 'policy.accepted',
  } as const;
  const waits = entry.state === 'queued' || entry.state === 'retrying';
  const next = { number: entry.attempts - entry.roundStart + 1, atMs: entry.dueMs };
  const { maxAttempts, expiresMs } = entry;
  const planned = waits ? plannedAttempts(next, { maxAttempts, expiresMs, timeScale: scale.value }) : [];
  return {
    ...rowOf(entry),
    transitions: [accepted, ...transitions],
    history,
    planned: planned.map(({ number, atMs }) => ({ number: number + entry.roundStart, at: iso(atMs) })),
    event: event?.text ?? '',
    sent: event === undefined ? '' : textOf(entry),
  };
}

/**
 * Ends the deliveries of a subscription that was removed: they are dropped, or parked if the setting says so.
 */
function emptyLane(
  { records, ledger }: DeliveryEngine,
  keepOnDelete: boolean,
  kept: StoredSubscription,
): void {
  const to = keepOnDelete ? 'parked' : 'dropped';
  const live = [...ledger.live()].filter(({ lane }) => lane === kept.key);
  for (const entry of [...live, ...(keepOnDelete ? [] : records.waitingFor(kept.key))]) {
    if (isEndedState(entry.state)) continue;
    const note = 'The event subscription was deleted.';
    ledger.move(entry, to, { cause: 'user', rule: 'router.subscription-deleted', note });
  }
}

/** Removes an event subscription that has expired. */
function retire(deps: RouterDependencies, kept: StoredSubscription): void {
  if (!isOver(kept, deps.options.clock.now())) return;
  deps.note(`The event subscription ${kept.name} expired and was removed.`);
  deps.subscriptions.remove(kept.id);
}

function withId(text: string, id: string): string {
  const event = tryParse(text)?.value;
  if (!isObject(event))
    throw new Refusal('INVALID_PARAMS', { reason: 'The event must be a JSON object.' }, { field: 'event' });
  return JSON.stringify({ ...event, id });
}
