/**
 * Makes a scenario file from recorded messages: each is published again, gets the recorded answers, and has
 * to end as it did.
 */
import { cutPlace } from '../../contract/cut-place.ts';
import type { DeliveryState } from '../../contract/delivery.ts';
import { filterValue } from '../../contract/filter-value.ts';
import type { RecordedSubscription, TestTarget } from '../../contract/recording.ts';
import { MAX_SCENARIO_BYTES, MAX_STEPS } from '../../contract/scenario.ts';
import { sizeLimit } from '../../contract/size-text.ts';
import type { WireSubscription } from '../../contract/subscription.ts';
import { bytesIn } from '../codec.ts';
import type { Codec } from '../codec.ts';
import { fileBase } from '../names.ts';
import type { RecordedMessage } from './recorded.ts';
import { complaintAbout, testCaseOf, titleOf } from './test-cases.ts';
import type { CaseResult, TestCase } from './test-cases.ts';
import { topicOf, triesByTopic, whyOtherTries } from './attempts-by-topic.ts';
import { subscriptionKey, subscriptionsOfTest, whyOtherWay } from './taken-by.ts';
import { hasNoRoute, undeliveredTo } from './undelivered.ts';

export interface TestFacts {
  readonly target: TestTarget;
  readonly name: string;
  readonly profile: string;
  readonly product: string;
  readonly subscriptions: readonly RecordedSubscription[];
  readonly states: Readonly<Record<string, DeliveryState>>;
}

export interface MadeTest {
  readonly files: readonly { readonly name: string; readonly text: string }[];
  readonly skipped: readonly { readonly messageId: string; readonly reason: string }[];
}

/**
 * Retry settings with short waits, so that a test does not wait as long; the number of attempts stays the
 * same.
 */
const QUICK_RETRY = { firstDelayMs: 1, factor: 1, maxDelayMs: 1, jitter: 0 };

/** Metadata key that identifies a message that a test published. */
const CASE = 'testcase';

/** Maximum number of bytes for all cases of a file; the rest of a file's limit is for subscriptions and settings. */
const MAX_CASE_BYTES = MAX_SCENARIO_BYTES * 0.75;

/** Longest time for one message. */
const WITHIN = '30s';

/** Makes the files of a test. With the target `vitest` it also makes a short test that runs the scenario. */
export function makeTest(messages: readonly RecordedMessage[], facts: TestFacts, codec: Codec): MadeTest {
  const { results, tries, subscriptions } = casesOf(messages, facts, codec);
  const steps = new CaseSteps(appsOf(messages).length, codec);
  const used: RecordedMessage[] = [];
  const skipped: MadeTest['skipped'][number][] = [];
  for (const { recorded, result } of results) {
    const reason = result.ok ? steps.add(result.testCase) : result.reason;
    if (reason === undefined) used.push(recorded);
    else skipped.push({ messageId: recorded.message.row.messageId, reason });
  }
  if (used.length === 0) return { files: [], skipped };
  const base = fileBase(
    facts.name
      .trim()
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-'),
    'recorded',
  );
  const text = scenarioText(used, steps.lines, { ...facts, tries, subscriptions });
  const scenario = { name: `${base}.scenario.yaml`, text };
  if (facts.target === 'scenario') return { files: [scenario], skipped };
  return { files: [scenario, { name: `${base}.test.ts`, text: vitest(facts.name, scenario.name) }], skipped };
}

interface Cases {
  readonly results: readonly { readonly recorded: RecordedMessage; readonly result: CaseResult }[];
  /** Number of attempts for deliveries of each topic. */
  readonly tries: ReadonlyMap<string, number>;
  /** Subscriptions by which the messages of the cases reach their apps. */
  readonly subscriptions: readonly RecordedSubscription[];
}

function casesOf(
  messages: readonly RecordedMessage[],
  { states, subscriptions: now }: TestFacts,
  codec: Codec,
): Cases {
  const apps = appsOf(messages);
  const made = messages.map((recorded) => ({ recorded, result: testCaseOf(recorded, states, codec) }));
  const repeated = made.flatMap(({ recorded, result }) => (result.ok ? [recorded] : []));
  const subscriptions = subscriptionsOfTest(repeated, now, codec);
  const served = subscriptions.filter(({ appId }) => apps.includes(appId));
  const all = made.map(({ recorded, result }) => ({
    recorded,
    result: result.ok ? withUndelivered(recorded, result.testCase, served, codec) : result,
  }));
  const tries = triesByTopic(all.flatMap(({ recorded, result }) => (result.ok ? [recorded] : [])));
  const results = all.map(({ recorded, result }) => {
    const reason = result.ok
      ? (whyOtherTries(recorded, tries) ??
        whyNotSubscribed(recorded, subscriptions) ??
        whyOtherWay(recorded, subscriptions, codec))
      : undefined;
    return { recorded, result: reason === undefined ? result : ({ ok: false, reason } as const) };
  });
  return { results, tries, subscriptions };
}

/** The case with the expected end for subscriptions that the message never reached. */
function withUndelivered(
  recorded: RecordedMessage,
  testCase: TestCase,
  subscriptions: readonly RecordedSubscription[],
  codec: Codec,
): CaseResult {
  const left = undeliveredTo(recorded, subscriptions);
  const odd = left.find((one) => !hasNoRoute(recorded, one, codec));
  if (odd !== undefined) {
    const reason = `no delivery of it to ${odd.appId} is recorded, which subscribes to ${odd.pubsubname}/${odd.topic}`;
    return { ok: false, reason };
  }
  const dropped = left.map(({ appId }) => ({ appId, route: '', state: 'dropped' as const, attempts: 0 }));
  const expected = [...testCase.expected, ...dropped];
  return { ok: true, testCase: { ...testCase, title: titleOf(recorded, expected), expected } };
}

function vitest(name: string, file: string): string {
  return `import { test } from 'vitest';
import { runScenario } from 'sidelight/testing';

test(${JSON.stringify(line(name))}, () => runScenario(new URL(${JSON.stringify(`./${file}`)}, import.meta.url)), 60_000);
`;
}

function scenarioText(
  messages: readonly RecordedMessage[],
  steps: readonly string[],
  facts: TestFacts & { readonly tries: ReadonlyMap<string, number> },
): string {
  const { name, product, profile } = facts;
  const [first = 'app', ...others] = appsOf(messages);
  const pubsubs = [...new Set(messages.map(({ message }) => message.row.pubsubname))];
  const subscriptions = subscriptionsOf(facts, pubsubs);
  const isGrpc = messages.some(({ deliveries }) =>
    deliveries.some(({ attempts }) => attempts.some(({ protocol }) => protocol === 'grpc')),
  );
  return [
    `# ${messages.length} ${messages.length === 1 ? 'message' : 'messages'} recorded by Sidelight ${product}, published again and checked: sidelight test FILE`,
    '# The mock app answers as the app did. To test your own app: add a line like app: { run: [node, app.mjs] }, remove "subscriptions" and each step "mock". It has to listen on the port in APP_PORT.',
    `name: ${json(line(name))}`,
    `appId: ${json(first)}`,
    ...(others.length === 0 ? [] : [`apps: ${json(members(others.map((appId) => [appId, 'mock'])))}`]),
    ...(isGrpc ? ['appProtocol: grpc'] : []),
    `profile: ${profile}`,
    `pubsubs: ${json(pubsubs)}`,
    'settings:',
    ...Object.entries(settingsOf(messages, facts.tries)).map(([key, value]) => `  ${key}: ${json(value)}`),
    `subscriptions: ${json(subscriptions(first))}`,
    'steps:',
    ...others.map((appId) => `  - mock: ${json({ appId, subscriptions: subscriptions(appId) })}`),
    ...steps,
    '',
  ].join('\n');
}

function appsOf(messages: readonly RecordedMessage[]): readonly string[] {
  const all = messages.flatMap(({ message, deliveries }) => [
    message.row.appId,
    ...deliveries.map(({ delivery }) => delivery.appId),
  ]);
  return [...new Set(all)];
}

function subscriptionsOf(
  { subscriptions }: TestFacts,
  pubsubs: readonly string[],
): (appId: string) => readonly object[] {
  return (wanted) =>
    subscriptions
      .filter(({ appId, pubsubname }) => appId === wanted && pubsubs.includes(pubsubname))
      .map(wireOf)
      .filter((wire) => whyUnwritten(wire) === undefined);
}

function wireOf({ appId: _appId, ...wire }: RecordedSubscription): WireSubscription {
  return wire;
}

/**
 * Why a scenario file cannot hold a subscription, since its texts and rules have bounds there; undefined: it
 * can.
 */
function whyUnwritten(subscription: WireSubscription): string | undefined {
  return complaintAbout('mock', { mock: { subscriptions: [subscription] } })?.reason;
}

/** Why one of the message's subscriptions cannot be created in a test; undefined: all can. */
function whyNotSubscribed(
  { deliveries }: RecordedMessage,
  subscriptions: readonly RecordedSubscription[],
): string | undefined {
  const keys = new Set(
    deliveries.map(({ delivery: { appId, subscription } }) => subscriptionKey({ appId, ...subscription })),
  );
  return subscriptions
    .filter((one) => keys.has(subscriptionKey(one)))
    .map((one) => whyUnwritten(wireOf(one)))
    .find((reason) => reason !== undefined);
}

function settingsOf(
  messages: readonly RecordedMessage[],
  tries: ReadonlyMap<string, number>,
): Readonly<Record<string, object>> {
  const topics = new Set(messages.filter(({ deliveries }) => deliveries.length > 0).map(topicOf));
  const byTopic = [...topics].map((topic): readonly [string, object] => [
    topic,
    { ...QUICK_RETRY, maxAttempts: tries.get(topic) ?? 0 },
  ]);
  return {
    'delivery.retry': { ...QUICK_RETRY, maxAttempts: 10 },
    'delivery.retryByTopic': members(byTopic),
  };
}

/** The steps of the cases, as long as the file has room for the next one. */
class CaseSteps {
  readonly lines: string[] = [];
  readonly #codec: Codec;
  /** Answers of each mock app after the last step. */
  #present: ReadonlyMap<string, string> = new Map();
  #cases = 0;
  #steps: number;
  #bytes = 0;

  /**
   * Makes an empty list of steps.
   * @param apps number of apps; each but the first takes one step, which has its subscriptions
   */
  constructor(apps: number, codec: Codec) {
    this.#steps = Math.max(0, apps - 1);
    this.#codec = codec;
  }

  /**
   * Adds the answers if they differ from those before, then the message, then its expected end. The result is
   * the reason if there is no room.
   */
  add({ title, publish, answers, expected }: TestCase): string | undefined {
    const { mocks, present } = this.#answersOf(answers);
    const number = this.#cases + 1;
    const metadata = { ...publish.metadata, [CASE]: String(number) };
    const lines = [
      `  # ${line(title)}`,
      ...mocks,
      `  - publish: ${json({ ...publish, ...dataOf(publish), metadata })}`,
      // A copy on a dead-letter topic keeps the metadata, and waits there for nobody.
      `  - expect: ${json(`meta.${CASE}:${number} topic:${filterValue(publish.topic)}`)}`,
      ...(expected.length === 0 ? ['    deliveries: []'] : ['    deliveries:']),
      ...expected.map(
        ({ appId, route, state, attempts }) => `      - ${json({ app: appId, route, state, attempts })}`,
      ),
      `    within: ${WITHIN}`,
    ];
    const steps = this.#steps + mocks.length + 2;
    const bytes = this.#bytes + lines.reduce((sum, each) => sum + bytesIn(each, this.#codec) + 1, 0);
    if (steps > MAX_STEPS)
      return `with it the test would have ${steps} steps; a file has at most ${MAX_STEPS}`;
    if (bytes > MAX_CASE_BYTES)
      return `with it the test would be a file larger than ${sizeLimit(MAX_CASE_BYTES)}`;
    this.lines.push(...lines);
    this.#present = present;
    this.#cases = number;
    this.#steps = steps;
    this.#bytes = bytes;
    return undefined;
  }

  #answersOf(answers: TestCase['answers']): {
    readonly mocks: readonly string[];
    readonly present: ReadonlyMap<string, string>;
  } {
    const present = new Map(this.#present);
    const mocks = [...new Set([...present.keys(), ...answers.keys()])].flatMap((appId) => {
      const rules = answers.get(appId) ?? [];
      const text = json({ appId, rules });
      if ((present.get(appId) ?? json({ appId, rules: [] })) === text) return [];
      present.set(appId, text);
      return [`  - mock: ${text}`];
    });
    return { mocks, present };
  }
}

/** Longest name of a member that YAML accepts in one line. */
const MAX_NAME_LENGTH = 1000;

/** Data of a publish; data with a longer name are given as text. */
function dataOf({ data }: TestCase['publish']): { readonly data?: unknown } {
  if (data === undefined) return {};
  const text = json(data);
  return {
    data: typeof data !== 'string' && new RegExp(`"[^"]{${MAX_NAME_LENGTH},}":`).test(text) ? text : data,
  };
}

/** Makes an object whose members are its own, whatever their names are. */
function members(entries: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries(entries);
}

/** Writes JSON, which is YAML except for two line ends that have to be escaped. */
function json(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('\u0085', '\\u0085')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}

/** Longest title of a test, and of a message in it. */
const MAX_TITLE_LENGTH = 200;

/** Writes a text for a comment of one line. */
function line(text: string): string {
  const whole = text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ');
  return whole.slice(0, cutPlace(whole, MAX_TITLE_LENGTH));
}
