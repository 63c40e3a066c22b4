/** "Send sample traffic": adds rules, publishes, and removes both again. */
import type { Samples } from '../console/methods/dependencies.ts';
import { counted } from '../contract/count-text.ts';
import type { Profile } from '../contract/profile.ts';
import type { WireSubscription } from '../contract/subscription.ts';
import { Refusal } from '../domain/refusal.ts';
import { SAMPLE_PREFIX, samplePlan } from '../mock-app/samples.ts';
import type { SamplePlan } from '../mock-app/samples.ts';
import type { MockApp } from '../ports/mock-app.ts';
import type { TopicName } from '../runtime/commands/undoable-removal.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { OpenApp } from './apps.ts';
import { readyPubSub } from './kept-state.ts';
import type { Keeper } from './kept-state.ts';
import type { Settings } from './settings.ts';

export interface SampleDependencies {
  readonly runtime: Runtime;
  readonly settings: Settings;
  readonly profile: Profile;
  readonly apps: readonly OpenApp[];
  readonly keeper: Keeper;
}

/** What an earlier run published is in the history still, so the ids of it are kept there too. */
const SENT_KEY = 'samples';
/** Maximum number of kept ids, the newest: the samples of eight hundred clicks. */
const MAX_SENT = 10_000;

/**
 * Makes both acts. They use the first mock app and the first pub/sub component that is ready, and report by name what they
 * added and removed.
 */
export function createSamples(deps: SampleDependencies): Samples {
  const { runtime } = deps;
  const sent = new SentMessages(deps.keeper);
  const added = new AddedSubscriptions();
  return {
    async add() {
      const mock = mockApp(deps);
      const plan = samplePlan(deps.profile, pubsubOf(runtime, mock.appId));
      const names = [
        ...added.add(mock, plan),
        ...addRules(mock, plan),
        ...addPolicies(deps.settings, plan),
        ...(await addHolds(runtime, plan)),
      ];
      await runtime.rediscovery.ask(mock.appId);
      const messageIds = await publishAll(runtime, mock.appId, plan);
      await sent.add(messageIds);
      return { added: names, messageIds };
    },
    async remove() {
      const mock = mockApp(deps);
      const plan = samplePlan(deps.profile, pubsubOf(runtime, mock.appId));
      const removed = await removeHolds(runtime);
      const messageIds = await sent.all();
      const copies = await copiesOf(runtime, messageIds);
      const count = await runtime.removals.removeAtOnce([...messageIds, ...copies], topicsOf(plan));
      // Their errors would go on to be counted beside Logs.
      runtime.log.forget(new Set([...messageIds, ...copies]));
      await sent.forget();
      if (count > 0) removed.push(counted(count, 'message'));
      removed.push(...removeRules(mock), ...removePolicies(deps.settings, plan));
      const ended = added.remove(mock);
      removed.push(...ended);
      if (ended.length > 0) await runtime.rediscovery.ask(mock.appId);
      // Consoles read the list of topics again, also where no subscription has ended.
      else runtime.touchApp(mock.appId);
      return { removed };
    },
  };
}

/** Ids of the messages that the samples published, in this run and in earlier ones. */
class SentMessages {
  readonly #keeper: Keeper;
  #ids: readonly string[] | undefined;

  constructor(keeper: Keeper) {
    this.#keeper = keeper;
  }

  async all(): Promise<readonly string[]> {
    if (this.#ids === undefined) {
      const kept = await this.#keeper.journal.kept(SENT_KEY);
      this.#ids ??= Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : [];
    }
    return this.#ids;
  }

  async add(messageIds: readonly string[]): Promise<void> {
    await this.#set([...(await this.all()), ...messageIds].slice(-MAX_SENT));
  }

  async forget(): Promise<void> {
    await this.#set([]);
  }

  #set(ids: readonly string[]): Promise<void> {
    this.#ids = ids;
    return this.#keeper.keep(SENT_KEY, ids);
  }
}

/** The topics of the samples, with those of their dead-letter copies. */
function topicsOf({ subscriptions }: SamplePlan): readonly TopicName[] {
  return subscriptions.flatMap(({ pubsubname, topic, deadLetterTopic }) =>
    [topic, ...(typeof deadLetterTopic === 'string' ? [deadLetterTopic] : [])].map((name) => ({
      pubsubname,
      topic: name,
    })),
  );
}

function mockApp({ apps }: SampleDependencies): MockApp {
  const mock = apps.find((app) => app.mock !== undefined)?.mock;
  if (mock !== undefined) return mock;
  throw new Refusal('INVALID_PARAMS', {
    reason: 'samples need a mock app, and every app of this run is a real one',
  });
}

function pubsubOf(runtime: Runtime, appId: string): string {
  const first = readyPubSub(runtime, appId);
  if (first !== undefined) return first;
  throw new Refusal('INVALID_PARAMS', { reason: 'samples need a pub/sub component, and none is ready' });
}

/** Subscriptions that the samples added. One to the same topic of another component is not the same. */
class AddedSubscriptions {
  readonly #all: WireSubscription[] = [];

  /** @returns their names */
  add(mock: MockApp, plan: SamplePlan): string[] {
    const present = mock.state().subscriptions;
    const missing = plan.subscriptions.filter((one) => !present.some((other) => isSame(one, other)));
    if (missing.length > 0) mock.setSubscriptions([...present, ...missing]);
    this.#all.push(...missing);
    return missing.map(nameOf);
  }

  /** @returns their names; none: no such subscription is left */
  remove(mock: MockApp): string[] {
    const before = mock.state().subscriptions;
    const after = before.filter((one) => !this.#all.some((added) => isSame(one, added)));
    if (after.length === before.length) return [];
    mock.setSubscriptions(after);
    return this.#all.splice(0).map(nameOf);
  }
}

function isSame(one: WireSubscription, other: WireSubscription): boolean {
  return one.topic === other.topic && one.pubsubname === other.pubsubname;
}

function nameOf({ topic }: WireSubscription): string {
  return `subscription ${topic}`;
}

function addRules(mock: MockApp, plan: SamplePlan): string[] {
  const own = mock.state().rules.filter(({ ruleId }) => ruleId?.startsWith(SAMPLE_PREFIX) !== true);
  mock.setRules([...plan.rules, ...own]);
  return plan.rules.map(({ name, ruleId }) => `answer ${name ?? ruleId ?? ''}`);
}

function addPolicies(settings: Settings, plan: SamplePlan): string[] {
  settings.set('delivery.retryByTopic', {
    ...settings.current['delivery.retryByTopic'],
    ...plan.retryByTopic,
  });
  return Object.keys(plan.retryByTopic).map((topic) => `retry policy ${topic}`);
}

async function addHolds(runtime: Runtime, plan: SamplePlan): Promise<string[]> {
  const added: string[] = [];
  for (const hold of plan.holds) {
    if (runtime.holds.list().some(({ name }) => name === hold.name)) continue;
    await runtime.holds.add(hold);
    added.push(`hold ${hold.name ?? hold.filter}`);
  }
  return added;
}

/**
 * Publishes the plan.
 * @returns ids of the messages, in the order of the plan
 */
async function publishAll(runtime: Runtime, appId: string, plan: SamplePlan): Promise<string[]> {
  const messageIds: string[] = [];
  for (const { leadsTo: _leadsTo, entries, ...bulk } of plan.bulkPublishes) {
    const result = await runtime.publishByHand.bulk({
      ...bulk,
      metadata: bulk.metadata ?? {},
      body: JSON.stringify(entries),
      appId,
    });
    messageIds.push(...result.messageIds);
  }
  for (const { leadsTo: _leadsTo, data, ...one } of plan.publishes) {
    const { messageId } = await runtime.publishByHand.one({
      pubsubname: one.pubsubname,
      topic: one.topic,
      metadata: one.metadata ?? {},
      appId,
      body: typeof data === 'string' ? data : JSON.stringify(data),
      contentType: one.contentType ?? (typeof data === 'string' ? 'text/plain' : 'application/json'),
    });
    messageIds.push(messageId);
  }
  return messageIds;
}

async function removeHolds(runtime: Runtime): Promise<string[]> {
  const removed: string[] = [];
  for (const { holdId, name } of runtime.holds.list()) {
    if (name?.startsWith(SAMPLE_PREFIX) !== true) continue;
    await runtime.deliveryActions.removeHold(holdId, false);
    removed.push(`hold ${name}`);
  }
  return removed;
}

function removeRules(mock: MockApp): string[] {
  const { rules } = mock.state();
  const own = rules.filter(({ ruleId }) => ruleId?.startsWith(SAMPLE_PREFIX) !== true);
  if (own.length === rules.length) return [];
  mock.setRules(own);
  return [`${rules.length - own.length} answers`];
}

function removePolicies(settings: Settings, plan: SamplePlan): string[] {
  const all = settings.current['delivery.retryByTopic'];
  const rest = Object.fromEntries(Object.entries(all).filter(([topic]) => !(topic in plan.retryByTopic)));
  const gone = Object.keys(all).length - Object.keys(rest).length;
  if (gone === 0) return [];
  settings.set('delivery.retryByTopic', Object.keys(rest).length === 0 ? null : rest);
  return [`${gone} retry policies`];
}

/** Messages that the samples caused: dead-letter copies and replays. */
async function copiesOf(runtime: Runtime, sent: readonly string[]): Promise<readonly string[]> {
  const copies: string[] = [];
  for (const messageId of sent) {
    const source = await runtime.journal.get(messageId);
    for (const { delivery } of source?.deliveries ?? []) {
      if (delivery.deadLetter !== undefined) copies.push(delivery.deadLetter.messageId);
    }
  }
  return copies;
}
