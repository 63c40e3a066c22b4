/** Puts the delivery engine together, and answers the deliveries methods of ports/local-router.ts. */
import type { RouterDelivery } from '../contract/event-router/local-router.ts';
import { deadLetterEvent } from './rules/dead-letter.ts';
import { deliveredText } from './rules/event-mapping.ts';
import { readPublish } from './rules/published.ts';
import type { PublishedEvent } from './rules/published.ts';
import { plannedAttempts } from './rules/schedule.ts';
import { isObject, tryParse } from '../domain/json.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Cancel } from '../ports/clock.ts';
import type { RouterDeliveries } from '../ports/local-router.ts';
import type { RouterDependencies } from './dependencies.ts';
import { isOver } from './subscriptions/stored-subscription.ts';
import type { StoredSubscription } from './subscriptions/stored-subscription.ts';
import type { StoredTopic } from './topics/topics.ts';
import { Commands } from './engine/commands.ts';
import { Attempts } from './engine/attempts.ts';
import { Breakpoints } from './engine/breakpoints.ts';
import { DeadLetters, lastOf } from './engine/dead-letters.ts';
import { Endings } from './engine/endings.ts';
import { Engine } from './engine/engine.ts';
import { ENDED, iso, rowOf } from './engine/entry.ts';
import type { Entry } from './engine/entry.ts';
import { Intake } from './engine/intake.ts';
import { Ledger } from './engine/ledger.ts';
import { Records } from './engine/records.ts';
import { sendDeletionNotice } from './deletion-notice.ts';

/** The engine with what the rest of the router needs of it. */
export interface DeliveryService {
  readonly service: RouterDeliveries;
  readonly ledger: Ledger;
  readonly engine: Engine;
  readonly timeScale: () => number;
  /** Why events are refused at present for want of room. */
  readonly refuses: () => string | undefined;
  /** Takes events of a topic; resolves when they are stored. */
  readonly publish: (topic: StoredTopic, events: readonly PublishedEvent[]) => Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

const DAY_MS = 86_400_000;
const TICK_MS = 3_600_000;
const DEFAULT_TTL_MINUTES = 1440;
const MOST_LISTED = 1000;

export function createDeliveryService(deps: RouterDependencies): DeliveryService {
  const { options, store, changes, subscriptions, topics } = deps;
  const { clock, ids, random } = options;
  const settings = options.settings.delivery;
  const scale = { value: settings.timeScale };
  const timeScale = (): number => scale.value;
  const records = new Records(store);
  const ledger = new Ledger(records, clock, changes);
  const deadLetters = new DeadLetters(store, options.folder, () => ids.uuid());
  const active = (lane: string) => subscriptions.get(lane)?.active;
  const note = (text: string): void => deps.note(text);
  const textOf = (entry: Entry): string => {
    const event = records.event(entry.event);
    if (event === undefined) throw new Error(`event ${entry.eventId} is no longer in the store`);
    const schema = active(entry.lane)?.eventDeliverySchema ?? 'CustomInputSchema';
    const inputSchemaMapping = topics.get(entry.topic)?.inputSchemaMapping ?? null;
    return deliveredText(event, schema, { ...event, inputSchemaMapping });
  };
  const breakpoints = new Breakpoints(store, ids);
  const intake = new Intake({
    records,
    ledger,
    clock,
    ids,
    backlog: settings.backlog,
    scale: timeScale,
    holds: (envelope) => breakpoints.holds(envelope),
    entered: (entries) => engine.queue(entries),
  });
  const publish: DeliveryService['publish'] = async (topic, events) => {
    await intake.take(topic, events, subscriptions.targets(topic.resourceId));
  };
  const endings = new Endings({
    ledger,
    deadLetters,
    clock,
    random,
    settings,
    scale: timeScale,
    active,
    textOf,
    note,
    changedDeadLetters: () => changes.tell('dead-letter'),
    async republish(name, entry, reason) {
      const topic = topics.get(name);
      if (topic === undefined) throw new Error(`there is no topic ${name}`);
      const text = JSON.stringify(deadLetterEvent(textOf(entry), lastOf(entry, reason)));
      await publish(topic, eventsOf(topic, text));
    },
  });
  const attempts = new Attempts({
    records,
    ledger,
    endings,
    settings,
    scale: timeScale,
    textOf,
    outbound: deps.outbound,
    clock,
    ids,
    origin: deps.words.origin,
    token: (tenant, application) => deps.tokens.forWebhook(tenant, application),
    forgetToken: (tenant, application) => deps.tokens.forget(tenant, application),
    queue: (entry) => engine.queue([entry]),
    note,
  });
  const engine: Engine = new Engine({
    records,
    ledger,
    endings,
    clock,
    maxConcurrent: settings.maxConcurrentDeliveries,
    ttlCheck: settings.ttlCheck,
    subscription: (lane) => subscriptions.get(lane),
    trouble: () => store.trouble,
    attempt: (entries, lane, kept) => attempts.run(entries, lane, kept),
  });
  const ttlMinutes = (lane: string): number =>
    active(lane)?.retryPolicy.eventTimeToLiveInMinutes ?? DEFAULT_TTL_MINUTES;
  const queue = (entry: Entry): void => engine.queue([entry]);
  const acts = new Commands({ ledger, endings, clock, scale: timeScale, ttlMinutes, queue });
  const lanes = { records, ledger, engine, keepOnDelete: options.settings.keepOnDelete };
  deps.hooks.changed = (kept) => engine.pump(kept.key);
  deps.hooks.removed = (kept) => {
    emptyLane(lanes, kept);
    engine.forget(kept.key);
    void sendDeletionNotice(deps, kept);
  };
  deps.hooks.repaired = () => {
    // The ingress has just closed the idle connections; an attempt on one of them would fail at once.
    deps.outbound.renew();
    engine.hurry();
  };
  let tick: Cancel = () => undefined;
  const tidy = (): void => {
    const oldest = clock.now() - settings.keepDays * DAY_MS;
    if (records.prune(oldest, settings.keepBytes) > 0) ledger.recount();
    if (deadLetters.prune(oldest, settings.keepBytes) > 0) changes.tell('dead-letter');
    for (const kept of subscriptions.list()) retire(deps, kept);
    void deps.certificates.renewIfNeeded();
    tick = clock.at(clock.now() + TICK_MS, tidy);
  };
  const service: RouterDeliveries = {
    list: (query) => records.list(query),
    get: (id) => {
      const entry = ledger.find(id);
      return entry === undefined ? undefined : detailOf(entry);
    },
    act: async (id, act) => rowOf(acts.act(id, act)),
    breakpoints: {
      list: () => breakpoints.list(),
      add: (filter) => breakpoints.add(filter),
      remove: (breakpointId) => breakpoints.remove(breakpointId),
    },
    async resend(id, { text, subscriptionId } = {}) {
      const entry = ledger.find(id);
      const event = entry === undefined ? undefined : records.event(entry.event);
      const lane = subscriptionId?.toLowerCase() ?? entry?.lane;
      const target = lane === undefined ? undefined : subscriptions.get(lane);
      if (entry === undefined || event === undefined || target?.active === undefined) {
        throw new Refusal('NOT_FOUND', { reason: `There is no delivery ${id} that can be sent again.` });
      }
      const topic = topics.get(entry.topic);
      if (topic === undefined)
        throw new Refusal('NOT_FOUND', { reason: `There is no topic ${entry.topic}.` });
      if (event.schema === 'CloudEventSchemaV1_0' && target.active.eventDeliverySchema === 'EventGridSchema')
        throw new Refusal('INVALID_PARAMS', { reason: `${target.name} does not take CloudEvents.` });
      const events = eventsOf(topic, withId(text ?? event.text, ids.uuid()));
      // A person asks for it, so neither filter nor breakpoint does.
      const unfiltered = { ...target, active: { ...target.active, filter: {} } };
      const [made] = await intake.take(topic, events, [unfiltered], () => false);
      if (made === undefined) throw new Error('the event became no delivery');
      return rowOf(made);
    },
    hurry: (id) => engine.hurry(id?.toLowerCase()),
    deadLetters: () => deadLetters.list(MOST_LISTED),
    deadLetter: (file) => deadLetters.read(file),
    async removeDeadLetters(files) {
      const removed = deadLetters.remove(files);
      changes.tell('dead-letter');
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
      scale.value = value;
      deps.note(`The schedule runs at ${value} of the documented times.`);
    },
  };
  return {
    service,
    ledger,
    engine,
    timeScale,
    refuses: () => intake.refuses,
    publish,
    start() {
      engine.start();
      for (const { key } of subscriptions.list()) endings.resume(records.waitingFor(key));
      tidy();
    },
    async stop() {
      tick();
      await engine.stop();
      endings.stop();
      store.flush();
      deadLetters.close();
    },
  };

  function detailOf(entry: Entry): RouterDelivery {
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
    const planned = waits ? plannedAttempts(next, { maxAttempts, expiresMs, timeScale: timeScale() }) : [];
    return {
      ...rowOf(entry),
      transitions: [accepted, ...transitions],
      history,
      planned: planned.map(({ number, atMs }) => ({ number: number + entry.roundStart, at: iso(atMs) })),
      event: event?.text ?? '',
      sent: event === undefined ? '' : textOf(entry),
    };
  }
}

/** Deliveries of a subscription that is gone: dropped, or parked where the setting says so. */
function emptyLane(
  deps: { readonly records: Records; readonly ledger: Ledger; readonly keepOnDelete: boolean },
  kept: StoredSubscription,
): void {
  const to = deps.keepOnDelete ? 'parked' : 'dropped';
  const live = [...deps.ledger.live()].filter(({ lane }) => lane === kept.key);
  for (const entry of [...live, ...(deps.keepOnDelete ? [] : deps.records.waitingFor(kept.key))]) {
    if (ENDED.includes(entry.state)) continue;
    const note = 'The event subscription was deleted.';
    deps.ledger.move(entry, to, { cause: 'user', rule: 'router.subscription-deleted', note });
  }
}

/** An event subscription whose time is over goes. */
function retire(deps: RouterDependencies, kept: StoredSubscription): void {
  if (!isOver(kept, deps.options.clock.now())) return;
  deps.note(`The event subscription ${kept.name} expired and was removed.`);
  deps.subscriptions.remove(kept.id);
}

/** Throws Refusal INVALID_PARAMS where the text is no event of the topic. */
function eventsOf(topic: StoredTopic, text: string): readonly PublishedEvent[] {
  const cloud = topic.inputSchema === 'CloudEventSchemaV1_0';
  const read = readPublish(topic, {
    contentType: cloud ? 'application/cloudevents+json' : 'application/json',
    text: cloud ? text : `[${text}]`,
    maxEventBytes: Number.MAX_SAFE_INTEGER,
    sizeOf: () => 0,
  });
  if (read.ok) return read.value.events;
  throw new Refusal('INVALID_PARAMS', { reason: read.complaint.reason }, { field: 'event' });
}

function withId(text: string, id: string): string {
  const event = tryParse(text)?.value;
  if (!isObject(event))
    throw new Refusal('INVALID_PARAMS', { reason: 'The event must be a JSON object.' }, { field: 'event' });
  return JSON.stringify({ ...event, id });
}
