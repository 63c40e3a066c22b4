/**
 * Sidelight in a test: an instance of its own, published to, answered for and looked at. No test framework is needed.
 *
 * ```ts
 * await using sidelight = await startSidelight();
 * await sidelight.mock.sequence('orders', [503, 503, 200]);
 * await sidelight.publish('orders', { orderId: 1 });
 * await sidelight.expect('topic:orders').toReach('processed', { attempts: 3 });
 * ```
 */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../adapters/system-clock.ts';
import type { Method, Params, Result } from '../contract/console.ts';
import type { MessageRow } from '../contract/message.ts';
import type { Answer, GivenRule } from '../contract/mock-app.ts';
import type { ProfileName } from '../contract/profile.ts';
import type { Scenario } from '../contract/scenario.ts';
import type { RowState } from '../contract/words.ts';
import { parseDuration } from '../domain/duration.ts';
import { publish, publishBulk, PUBSUB } from '../scenario/acts.ts';
import { expectMessages, neverMessage, settled } from '../scenario/expect.ts';
import { ExpectationFailed } from '../scenario/expectation-failed.ts';
import { toldMessage } from '../scenario/nearest.ts';
import { subscribeTo } from '../scenario/prepare.ts';
import type { Watching } from '../scenario/until.ts';
import { storyOfNow } from '../scenario/story.ts';
import { Instance, PROGRAM } from './instance.ts';

export { ExpectationFailed };
export type { Answer, GivenRule, MessageRow, RowState };

/** Milliseconds, or a text such as `500ms` or `5s`. */
export type Duration = number | string;

export interface SidelightOptions {
  /** Id of the app; default `app`. */
  readonly appId?: string;
  /** Address of a real app; default: a mock app. `none`: the app only publishes. */
  readonly appUrl?: string;
  readonly appProtocol?: 'http' | 'grpc';
  readonly profile?: ProfileName;
  /** Folder of component, subscription and resiliency files. */
  readonly resources?: string;
  /** Settings by their keys, as with --set. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Subscriptions of the mock app; default: each topic that is published to or has an answer. */
  readonly subscriptions?: Scenario['subscriptions'];
  /** Folder of the history; default: nothing is kept. */
  readonly dataDir?: string;
}

export interface PublishOptions {
  /** Component of the publish; default `pubsub`. */
  readonly pubsubname?: string;
  readonly contentType?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface Expectation {
  /**
   * Resolves with the rows as soon as at least `count` messages (1) are in the state, after exactly this many
   * attempts, `within` 5 s. Rejects with ExpectationFailed, whose message says what was found instead; at once if the
   * state can no longer be reached.
   */
  toReach(
    state: RowState,
    how?: { readonly within?: Duration; readonly attempts?: number; readonly count?: number },
  ): Promise<readonly MessageRow[]>;
  /** Rejects with ExpectationFailed as soon as a message matches, even one from before; resolves `for` 500 ms later. */
  never(how?: { readonly for?: Duration }): Promise<void>;
}

/** A topic, or the conditions of a rule. */
export type Matched = string | GivenRule['match'];
/** A status, or a whole answer. */
export type Answered = number | Answer;

const WITHIN_MS = 5_000;
const NEVER_MS = 500;
const SETTLE_MS = 10_000;

/** Starts an instance on free ports. Rejects with the last lines of its log if it does not get ready. */
export async function startSidelight(options: SidelightOptions = {}): Promise<Sidelight> {
  const { appId = 'app', appUrl = 'mock', appProtocol, profile, resources, settings = {}, dataDir } = options;
  const instance = await Instance.start({
    apps: [{ appId, to: appUrl }],
    flags: [
      ...(appProtocol === undefined ? [] : ['--app-protocol', appProtocol]),
      ...(profile === undefined ? [] : ['--profile', profile]),
      ...(resources === undefined ? [] : ['--resources', resolve(resources)]),
      ...Object.entries(settings).flatMap(([key, value]) => [
        '--set',
        `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      ]),
    ],
    ...(dataDir === undefined ? {} : { dataDir: resolve(dataDir) }),
  });
  const { subscriptions } = options;
  if (subscriptions !== undefined) await instance.rpc.call('mockApp.setSubscriptions', { subscriptions });
  return new Sidelight(instance, appUrl === 'mock' && subscriptions === undefined);
}

/**
 * Runs a scenario file as `sidelight test` does, on an instance of its own. Rejects with ExpectationFailed, whose message
 * is the report of the failed step, or each mistake of the file with its line and column.
 */
export async function runScenario(file: string | URL): Promise<void> {
  const path = typeof file === 'string' ? file : fileURLToPath(file);
  await new Promise<void>((resolve, reject) => {
    execFile(process.execPath, [PROGRAM, 'test', path], (error, stdout, stderr) => {
      if (error === null) resolve();
      else {
        // Without an exit code the program may have printed nothing, so the error's message is added.
        const why = typeof error.code === 'number' ? '' : `${error.message}\n`;
        reject(new ExpectationFailed(`${why}${stdout}${stderr}`.trimEnd().split('\n')));
      }
    });
  });
}

/** A running instance. `stop`, or `await using`, ends it. */
export class Sidelight implements AsyncDisposable {
  readonly mock: MockAnswers;
  readonly #instance: Instance;
  readonly #topics: Topics;

  /**
   * Wraps an instance.
   * @param subscribes true: the mock app subscribes to topics that are used
   */
  constructor(instance: Instance, subscribes: boolean) {
    this.#instance = instance;
    this.#topics = new Topics(instance, subscribes);
    this.mock = new MockAnswers(instance, this.#topics);
  }

  /** Base address of the sidecar, for the app or SDK under test. */
  get sidecarUrl(): string {
    return this.#first.sidecar;
  }

  /** gRPC address of the sidecar, HOST:PORT. */
  get grpcAddress(): string {
    const { grpc } = this.#first;
    if (grpc === undefined) throw new Error('this instance has no gRPC port');
    return grpc;
  }

  /** Calls a method of the console; docs/automation.md lists them. Rejects with the instance's refusal. */
  rpc<M extends Method>(method: M, params: Params<M>): Promise<Result<M>> {
    return this.#instance.rpc.call(method, params);
  }

  /**
   * Publishes a message. A string is sent unchanged, any other value as JSON. Resolves with the message's id;
   * rejects with ExpectationFailed if it is refused.
   */
  async publish(topic: string, data: unknown, options: PublishOptions = {}): Promise<string> {
    await this.#topics.use(topic, options.pubsubname);
    return publish(this.#instance.rpc, { ...options, topic, data });
  }

  /**
   * Publishes each event as an entry of one bulk publish. Resolves with the messages' ids; rejects with ExpectationFailed
   * if an entry fails.
   */
  async publishBulk(
    topic: string,
    events: readonly unknown[],
    options: Omit<PublishOptions, 'contentType'> = {},
  ): Promise<readonly string[]> {
    await this.#topics.use(topic, options.pubsubname);
    return publishBulk(this.#instance.rpc, {
      ...options,
      topic,
      entries: events.map((event) => ({ event })),
    });
  }

  /** Expectations on the messages that match a filter. */
  expect(filter: string): Expectation {
    const at = this.#watching;
    return {
      toReach: (state, { within, attempts, count = 1 } = {}) =>
        expectMessages(at, { filter, state, attempts, count, withinMs: msOf(within, WITHIN_MS) }),
      never: (how = {}) => neverMessage(at, filter, msOf(how.for, NEVER_MS)),
    };
  }

  /** Messages that match, newest first; at most 500. */
  async messages(filter = ''): Promise<readonly MessageRow[]> {
    const { items } = await this.rpc('messages.list', { filter, limit: 500 });
    return items;
  }

  /** History of a message in words: attempts, answers, and the rules that decided. */
  async explain(messageId: string): Promise<string> {
    const { rpc } = this.#instance;
    return (await storyOfNow(rpc, await toldMessage(rpc, messageId))).join('\n');
  }

  /** Resolves when nothing is queued, attempting or retrying; rejects with ExpectationFailed after `within` 10 s. */
  settle(how: { readonly within?: Duration } = {}): Promise<void> {
    return settled(this.#watching, msOf(how.within, SETTLE_MS));
  }

  async stop(): Promise<void> {
    await this.#instance.stop();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  get #first() {
    const [first] = this.#instance.at.apps;
    if (first === undefined) throw new Error('the ready line names no app');
    return first;
  }

  get #watching(): Watching {
    return { rpc: this.#instance.rpc, clock: systemClock() };
  }
}

/** Answers of the mock app. The rule that was added last is tried first. */
class MockAnswers {
  readonly #instance: Instance;
  readonly #topics: Topics;
  #rules: readonly GivenRule[] = [];

  constructor(instance: Instance, topics: Topics) {
    this.#instance = instance;
    this.#topics = topics;
  }

  /** Gives each matching call this answer. */
  answer(matched: Matched, answered: Answered): Promise<void> {
    return this.#add(matched, answerOf(answered));
  }

  /** Gives the matching calls these answers one after another, and then always the last one. */
  sequence(matched: Matched, answers: readonly Answered[]): Promise<void> {
    return this.#add(matched, { kind: 'sequence', steps: answers.map(answerOf) });
  }

  /** Lets each matching call wait until `rpc('deliveries.answer', …)` answers it. */
  ask(matched: Matched): Promise<void> {
    return this.#add(matched, { kind: 'ask' });
  }

  async #add(matched: Matched, answer: GivenRule['answer']): Promise<void> {
    const match = typeof matched === 'string' ? { topic: matched } : matched;
    if (match.topic !== undefined && !match.topic.includes('*')) await this.#topics.use(match.topic);
    this.#rules = [{ match, answer }, ...this.#rules];
    await this.#instance.rpc.call('mockApp.setRules', { rules: this.#rules });
  }
}

/** Topics to which the mock app was subscribed because they were used. */
class Topics {
  readonly #instance: Instance;
  readonly #subscribes: boolean;
  readonly #used = new Set<string>();
  #last: Promise<void> = Promise.resolve();

  constructor(instance: Instance, subscribes: boolean) {
    this.#instance = instance;
    this.#subscribes = subscribes;
  }

  async use(topic: string, pubsubname = PUBSUB): Promise<void> {
    const key = JSON.stringify([pubsubname, topic]);
    if (!this.#subscribes || this.#used.has(key)) return this.#last;
    this.#used.add(key);
    // Subscriptions are added one after another, because each call extends the present list.
    this.#last = this.#last.then(() => subscribeTo(this.#instance.rpc, [{ pubsubname, topic }]));
    return this.#last;
  }
}

function answerOf(answered: Answered): Answer {
  return typeof answered === 'number' ? { kind: 'respond', status: answered } : answered;
}

function msOf(given: Duration | undefined, orElse: number): number {
  if (given === undefined) return orElse;
  const ms = typeof given === 'number' ? given : parseDuration(given);
  if (ms === undefined || !(ms >= 0))
    throw new RangeError(`a duration is milliseconds, or a text such as 500ms or 5s, got ${String(given)}`);
  return ms;
}
