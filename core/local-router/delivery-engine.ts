/** Assembles the delivery engine from the parts that accept, send and end events. */
import type { FullProperties } from './rules/record-body.ts';
import { deadLetterEvent } from './rules/dead-letter.ts';
import { deliveredText } from './rules/event-mapping.ts';
import { readPublish } from './rules/published.ts';
import type { PublishedEvent } from './rules/published.ts';
import { Refusal } from '../domain/refusal.ts';
import type { RouterDependencies } from './dependencies.ts';
import type { StoredTopic } from './topics/topics.ts';
import { Attempts } from './engine/attempts.ts';
import { Breakpoints } from './engine/breakpoints.ts';
import { Commands } from './engine/commands.ts';
import { DeadLetters, lastOf } from './engine/dead-letters.ts';
import { Endings } from './engine/endings.ts';
import { Engine } from './engine/engine.ts';
import type { Entry } from './engine/entry.ts';
import { Intake } from './engine/intake.ts';
import { Ledger } from './engine/ledger.ts';
import { Records } from './engine/records.ts';

/** Dependencies of all parts of the engine. */
interface EngineBase {
  readonly records: Records;
  readonly ledger: Ledger;
  readonly deadLetters: DeadLetters;
  readonly breakpoints: Breakpoints;
  /** Factor for the documented times: above 0, at most 1. */
  readonly scale: { value: number };
  /** Properties of a subscription for deliveries; undefined: none were validated. */
  readonly active: (lane: string) => FullProperties | undefined;
  /** Text of the event in the subscription's schema. */
  readonly textOf: (entry: Entry) => string;
}

export interface DeliveryEngine extends EngineBase {
  readonly intake: Intake;
  readonly endings: Endings;
  readonly engine: Engine;
  readonly commands: Commands;
  /** Accepts events of a topic; resolves when they are stored. */
  readonly publish: (topic: StoredTopic, events: readonly PublishedEvent[]) => Promise<void>;
}

const DEFAULT_TTL_MINUTES = 1440;

export function createDeliveryEngine(deps: RouterDependencies): DeliveryEngine {
  const { clock } = deps.options;
  const base = createBase(deps);
  const { ledger, active } = base;
  const scale = (): number => base.scale.value;
  const intake = createIntake(deps, base, (entries) => engine.queue(entries));
  const publish: DeliveryEngine['publish'] = async (topic, events) => {
    await intake.take(topic, events, deps.subscriptions.targets(topic.resourceId));
  };
  const endings = createEndings(deps, base, publish);
  const engine: Engine = createEngine(deps, base, endings);
  const commands = new Commands({
    ledger,
    endings,
    clock,
    scale,
    ttlMinutes: (lane) => active(lane)?.retryPolicy.eventTimeToLiveInMinutes ?? DEFAULT_TTL_MINUTES,
    queue: (entry) => engine.queue([entry]),
  });
  return { ...base, intake, endings, engine, commands, publish };
}

function createBase({ options, store, changes, subscriptions, topics }: RouterDependencies): EngineBase {
  const records = new Records(store);
  const active: EngineBase['active'] = (lane) => subscriptions.get(lane)?.active;
  return {
    records,
    ledger: new Ledger(records, options.clock, changes),
    deadLetters: new DeadLetters(store, options.folder, () => options.ids.uuid()),
    breakpoints: new Breakpoints(store, options.ids),
    scale: { value: options.settings.delivery.timeScale },
    active,
    textOf: (entry) => {
      const event = records.event(entry.event);
      if (event === undefined) throw new Error(`event ${entry.eventId} is no longer in the store`);
      const schema = active(entry.lane)?.eventDeliverySchema ?? 'CustomInputSchema';
      const inputSchemaMapping = topics.get(entry.topic)?.inputSchemaMapping ?? null;
      return deliveredText(event, schema, { ...event, inputSchemaMapping });
    },
  };
}

function createIntake(
  { options }: RouterDependencies,
  { records, ledger, breakpoints, scale }: EngineBase,
  entered: (entries: readonly Entry[]) => void,
): Intake {
  return new Intake({
    records,
    ledger,
    clock: options.clock,
    ids: options.ids,
    backlog: options.settings.delivery.backlog,
    scale: () => scale.value,
    holds: (envelope) => breakpoints.holds(envelope),
    entered,
  });
}

function createEndings(
  deps: RouterDependencies,
  { ledger, deadLetters, scale, active, textOf }: EngineBase,
  publish: DeliveryEngine['publish'],
): Endings {
  const { clock, random, settings } = deps.options;
  return new Endings({
    ledger,
    deadLetters,
    clock,
    random,
    settings: settings.delivery,
    scale: () => scale.value,
    active,
    textOf,
    note: (text) => deps.note(text),
    changedDeadLetters: () => deps.changes.notify('dead-letter'),
    async republish(name, entry, reason) {
      const topic = deps.topics.get(name);
      if (topic === undefined) throw new Error(`there is no topic ${name}`);
      const text = JSON.stringify(deadLetterEvent(textOf(entry), lastOf(entry, reason)));
      await publish(topic, eventsOf(topic, text));
    },
  });
}

/** The engine with its attempts, which queue their entry again. */
function createEngine(
  deps: RouterDependencies,
  { records, ledger, scale, textOf }: EngineBase,
  endings: Endings,
): Engine {
  const { clock, ids, settings } = deps.options;
  const attempts = new Attempts({
    records,
    ledger,
    endings,
    settings: settings.delivery,
    scale: () => scale.value,
    textOf,
    outbound: deps.outbound,
    clock,
    ids,
    origin: deps.words.origin,
    token: (tenant, application) => deps.tokens.forWebhook(tenant, application),
    forgetToken: (tenant, application) => deps.tokens.forget(tenant, application),
    queue: (entry) => engine.queue([entry]),
    note: (text) => deps.note(text),
  });
  const engine: Engine = new Engine({
    records,
    ledger,
    endings,
    clock,
    maxConcurrent: settings.delivery.maxConcurrentDeliveries,
    ttlCheck: settings.delivery.ttlCheck,
    subscription: (lane) => deps.subscriptions.get(lane),
    trouble: () => deps.store.trouble,
    attempt: (entries, lane, kept) => attempts.run(entries, lane, kept),
  });
  return engine;
}

/**
 * The events of a text in the form of the topic. Throws Refusal INVALID_PARAMS if the text is no event of the
 * topic.
 */
export function eventsOf(topic: StoredTopic, text: string): readonly PublishedEvent[] {
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
