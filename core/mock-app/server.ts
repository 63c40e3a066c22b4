/** The mock app: a real HTTP or gRPC endpoint that answers discovery, health and deliveries by its rules. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { counted } from '../contract/count-text.ts';
import { errorText } from '../contract/error-text.ts';
import type { Answer, MockAppState, MockRequest, Preset, ResponseRule } from '../contract/mock-app.ts';
import type { Protocol } from '../contract/grpc.ts';
import type { Profile } from '../contract/profile.ts';
import type { WireSubscription } from '../contract/subscription.ts';
import type { Codec } from '../domain/codec.ts';
import type { Silence } from '../domain/http-edge.ts';
import { LARGE_ANSWER_BYTES, SILENCE } from '../domain/http-edge.ts';
import { isPublishPath } from '../domain/publish-path.ts';
import { UNCOUNTED } from '../domain/request-bodies.ts';
import type { BodyCount } from '../domain/request-bodies.ts';
import type { Clock } from '../ports/clock.ts';
import type { IdSource } from '../ports/ids.ts';
import type { Log } from '../ports/log.ts';
import type { MockApp } from '../ports/mock-app.ts';
import type { Random } from '../ports/random.ts';
import type { AnswerPorts } from './answers/answering.ts';
import { giveAnswer } from './answers/registry.ts';
import { PendingRequests } from './pending-requests.ts';
import { checkAnswer, checkRules } from './check-rules.ts';
import { GrpcListener } from './grpc-listener.ts';
import { HttpReply } from './http-reply.ts';
import { incomingOf, readIncoming, routeOf } from './incoming.ts';
import type { Incoming } from './incoming.ts';
import { DEFAULT_ANSWER, presetNamed, PRESETS } from './presets.ts';
import { bytesOf, roomInTurn } from './large-answers.ts';
import { hasGone, isOwn, keepingRoom, takeForAnswer } from './request-bodies.ts';
import { tooManyEntries } from './request-limits.ts';
import { LARGE_REQUEST_BYTES, readInTurns } from './request-parts.ts';
import { createReader } from './request-reader.ts';
import { Recent } from './recent.ts';
import type { Reply } from './reply.ts';
import { RequestLog } from './request-log.ts';
import type { AddFacts } from './request-log.ts';
import { RuleBook } from './rule-book.ts';
import type { Chosen } from './rule-book.ts';
import { RuleRoom } from './rule-room.ts';
import { UnderWay } from './under-way.ts';

export interface MockAppOptions {
  readonly appId: string;
  /** Port to listen on; 0 = any free one. */
  readonly port: number;
  readonly profile: Profile;
  /** Protocol that the mock app serves; default http. */
  readonly protocol?: Protocol;
  /** First answer to discovery; see `firstSubscriptions`. Default: none. */
  readonly subscriptions?: readonly WireSubscription[];
  /** Rules; default: none, so that every request gets the default answer. */
  readonly rules?: readonly ResponseRule[];
  /**
   * Path of the health check, which is read for each request because a setting can change it; default
   * "/healthz".
   */
  readonly healthPath?: () => string;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly random: Random;
  readonly codec: Codec;
  readonly log: Log;
  /** Room for rules and subscriptions that all apps share; default: room of its own. */
  readonly room?: RuleRoom;
  /** Counter for the bodies of requests that all apps share; default: nothing is counted. */
  readonly bodies?: BodyCount;
  /**
   * Times after which silent connections, and those of clients that do not read, are closed; default
   * `SILENCE`.
   */
  readonly silence?: Silence;
}

type AnsweredBy = NonNullable<ReturnType<MockApp['answeredBy']>>;

/** Number of attempts of which it is known which rule answered. */
const ANSWERED_KEPT = 10_000;
/** Longest id of an attempt that is remembered: those of Sidelight's own sidecar are shorter, and anyone may send the header. */
const MAX_ATTEMPT_ID = 100;
/** Milliseconds for which reports on requests are collected; changes by a person are reported at once. */
const NOTIFY_DELAY_MS = 100;

/**
 * First subscriptions of a mock app: `orders` on the first pub/sub component.
 * @param pubsubname undefined: no component is loaded, so there is nothing to subscribe to
 */
export function firstSubscriptions(pubsubname: string | undefined): readonly WireSubscription[] {
  return pubsubname === undefined ? [] : [{ pubsubname, topic: 'orders', routes: { default: '/orders' } }];
}

/**
 * Opens the mock app on 127.0.0.1. Rejects with the system's error (its `code` is EADDRINUSE) when the port
 * is taken.
 */
export async function createMockApp(options: MockAppOptions): Promise<MockApp> {
  const app = new MockAppServer(options);
  try {
    await app.listen(options.port);
  } catch (error) {
    await app.close();
    throw error;
  }
  return app;
}

class MockAppServer implements MockApp {
  readonly appId: string;
  #url = '';
  readonly #options: MockAppOptions;
  readonly #server: FastifyInstance;
  /** The gRPC listener of an app with that protocol; then the HTTP server never listens. */
  readonly #grpc: GrpcListener | undefined;
  readonly #book: RuleBook;
  readonly #pending: PendingRequests;
  readonly #log = new RequestLog();
  readonly #answered: Recent<AnsweredBy>;
  readonly #listeners = new Set<() => void>();
  readonly #setListeners = new Set<() => void>();
  readonly #room: RuleRoom;
  readonly #ports: AnswerPorts;
  #subscriptions: readonly WireSubscription[];
  /** The subscriptions as JSON; undefined: nobody has asked for them since they were set. */
  #listed: string | undefined;
  #defaultHits = 0;
  /** Number of calls that each rule has taken and not answered yet. */
  readonly #underWay = new UnderWay(() => this.#notifySoon());
  #cancelNotify: (() => void) | undefined;
  #saysOfPublish: (() => string) | undefined;

  constructor(options: MockAppOptions) {
    const { clock, ids, random, appId, room = new RuleRoom() } = options;
    this.appId = appId;
    this.#options = options;
    this.#room = room;
    this.#subscriptions = structuredClone(options.subscriptions ?? []);
    const mustFit = (rules: readonly ResponseRule[]): void => room.keep(`rules of ${appId}`, rules, 'rules');
    this.#book = new RuleBook(options, mustFit, room.messages);
    this.#answered = new Recent(ANSWERED_KEPT, room.messages);
    this.#book.set(options.rules ?? []);
    this.#pending = new PendingRequests({ clock, ids }, () => this.#notify());
    let count = 0;
    this.#ports = { clock, random, pending: this.#pending, ids, counter: () => (count += 1) };
    const { silence = SILENCE, profile, bodies = UNCOUNTED, log } = options;
    this.#server = createReader(silence, profile, bodies, (reason) =>
      log.write('warn', 'mock-app', `${appId}: ${reason}.`),
    );
    this.#grpc = options.protocol === 'grpc' ? this.#grpcListener() : undefined;
    this.#server.all('/', (request, reply) => this.#take(request, reply));
    // Handles verbs for which the framework has no routes.
    this.#server.setNotFoundHandler((request, reply) => this.#take(request, reply));
    this.#server.setErrorHandler((error, request, reply) => this.#failed(error, request, reply));
  }

  get url(): string {
    return this.#url;
  }

  get isOn(): boolean {
    return this.#grpc?.isOpen ?? this.#server.server.listening;
  }

  async listen(port: number): Promise<void> {
    this.#url =
      this.#grpc === undefined
        ? await this.#server.listen({ port, host: '127.0.0.1' })
        : `grpc://127.0.0.1:${await this.#grpc.open(port)}`;
  }

  state(): MockAppState {
    return {
      appId: this.appId,
      url: this.#url,
      subscriptions: structuredClone(this.#subscriptions),
      rules: this.#underWay.without(this.#book.rules()),
      requests: this.#log.lines(),
      underWay: this.#underWay.calls(),
      defaultHits: this.#defaultHits,
      received: this.#log.count,
      on: this.isOn,
    };
  }

  resetCounters(): void {
    this.#book.reset();
    this.#defaultHits = 0;
    this.#log.count = 0;
    this.#notify();
  }

  async turn(on: boolean): Promise<void> {
    const { server } = this.#server;
    if (this.isOn === on) return;
    if (this.#grpc !== undefined) {
      if (on) await this.#grpc.open(Number(new URL(this.#url).port));
      else await this.#grpc.close();
    } else if (on) {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(Number(new URL(this.#url).port), '127.0.0.1', () => {
          server.off('error', reject);
          resolve();
        });
      });
    } else {
      server.close();
      server.closeAllConnections();
    }
    this.#notify();
  }

  setSubscriptions(subscriptions: readonly WireSubscription[]): void {
    this.#room.keep(`subscriptions of ${this.appId}`, subscriptions, 'subscriptions');
    this.#subscriptions = structuredClone(subscriptions);
    this.#listed = undefined;
    this.#noteSet();
  }

  checkRules(rules: readonly ResponseRule[]): void {
    checkRules(rules);
  }

  setRules(rules: readonly ResponseRule[]): void {
    this.#book.set(rules);
    this.#noteSet();
  }

  presets(): readonly Preset[] {
    return PRESETS;
  }

  usePreset(preset: string): void {
    this.setRules(presetNamed(preset).rules);
  }

  waiting(): ReturnType<MockApp['waiting']> {
    return this.#pending.waiting();
  }

  answer(attemptId: string, answer: Answer): boolean {
    checkAnswer(answer, 'answer');
    const waiting = this.#pending.take(attemptId);
    if (waiting === undefined) return false;
    const asked = this.#answered.get(attemptId);
    if (asked !== undefined) this.#answered.set(attemptId, { ...asked, byPerson: true });
    waiting.reply.note('answered by a person');
    giveAnswer(answer, { ...waiting, ports: this.#ports });
    return true;
  }

  answeredBy(attemptId: string): AnsweredBy | undefined {
    return this.#answered.get(attemptId);
  }

  onChange(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => void this.#listeners.delete(changed);
  }

  onSet(set: () => void): void {
    this.#setListeners.add(set);
  }

  onPublish(says: () => string): void {
    this.#saysOfPublish = says;
  }

  async close(): Promise<void> {
    this.#cancelNotify?.();
    this.#cancelNotify = undefined;
    this.#listeners.clear();
    this.#setListeners.clear();
    await Promise.all([this.#server.close(), this.#grpc?.close()]);
    this.#book.close();
    this.#answered.clear();
  }

  #grpcListener(): GrpcListener {
    const { clock, silence = SILENCE, bodies = UNCOUNTED } = this.#options;
    return new GrpcListener({
      clock,
      silence,
      bodies,
      subscriptions: () => this.#subscriptions,
      take: (incoming, method, replyOf) =>
        this.#answer(incoming, this.#line('gRPC', method, incoming.kind), replyOf),
      note: (method, kind) => {
        this.#log.open({ ...this.#line('gRPC', method, kind), status: 200, durationMs: 0 });
        this.#notifySoon();
      },
    });
  }

  #take(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
    const path = request.originalUrl;
    const route = routeOf(path);
    if (request.method === 'POST') {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      reply.hijack();
      if (body.length < LARGE_REQUEST_BYTES)
        this.#takeBody(request, reply.raw, () => readIncoming(path, request.raw.headers, body));
      else void this.#takeLarge(request, reply.raw, body);
      return undefined;
    }
    if (request.method === 'GET' && route === this.#options.profile.discoveryPath) {
      this.#listed ??= JSON.stringify(this.#subscriptions);
      return this.#plain(request, reply, { kind: 'discovery', status: 200 }, this.#listed);
    }
    if (request.method === 'GET' && route === (this.#options.healthPath?.() ?? '/healthz')) {
      return this.#plain(request, reply, { kind: 'health', status: 200 });
    }
    if (request.method === 'OPTIONS') {
      return this.#plain(request, reply, { kind: 'binding', status: this.#book.denies(route) ? 404 : 200 });
    }
    return this.#plain(request, reply, { kind: 'other', status: 404 });
  }

  /** Answers a POST by the rules. */
  #takeBody(request: FastifyRequest, raw: FastifyReply['raw'], read: () => Incoming): void {
    const { clock, bodies = UNCOUNTED } = this.#options;
    const takeRoom = (bytes: number): string | undefined => takeForAnswer(request, bodies, bytes);
    const replyOf = (add: AddFacts): Reply => new HttpReply({ raw, add, clock, takeRoom });
    try {
      const incoming = read();
      this.#answer(incoming, this.#lineOf(request, incoming.kind), replyOf);
    } catch (error) {
      this.#unanswered(error, request, raw);
    }
  }

  /** Reads a large POST in turns and answers it, unless its caller has gone meanwhile. */
  async #takeLarge(request: FastifyRequest, raw: FastifyReply['raw'], body: Buffer): Promise<void> {
    const { bodyParts: parts = [], originalUrl: path } = request;
    const { ids, bodies = UNCOUNTED } = this.#options;
    const isGone = (): boolean => raw.destroyed || hasGone(request);
    const value = await keepingRoom(request, bodies, () =>
      readInTurns({ body, parts, marker: ids.uuid(), room: roomInTurn, hasGone: isGone }),
    );
    if (isGone()) return this.#noteGone(request);
    const tooMany = isOwn(request) ? undefined : tooManyEntries(value);
    if (tooMany !== undefined) return this.#refuse(request, raw, tooMany);
    this.#takeBody(request, raw, () => incomingOf({ path, headers: request.raw.headers, body }, value));
  }

  #refuse(request: FastifyRequest, raw: FastifyReply['raw'], note: string): void {
    this.#log.open({ ...this.#lineOf(request, 'other'), status: 413, note });
    this.#notifySoon();
    raw.writeHead(413, { 'content-length': 0 });
    raw.end();
  }

  /** Notes a request whose caller has gone before the rules could answer it. */
  #noteGone(request: FastifyRequest): void {
    this.#log.open({ ...this.#lineOf(request, 'other'), note: 'the caller closed the connection' });
    this.#notifySoon();
  }

  #answer(incoming: Incoming, line: MockRequest, replyOf: (add: AddFacts) => Reply): void {
    const { attemptId, events, kind, topic } = incoming;
    const chosen = this.#book.choose(incoming);
    const eventId = kind === 'bulk' ? undefined : events[0]?.id;
    const by =
      chosen === undefined
        ? undefined
        : { ruleId: chosen.ruleId, ...(chosen.name === undefined ? {} : { name: chosen.name }) };
    const add = this.#log.open({
      ...line,
      ...(topic === undefined ? {} : { topic }),
      ...(eventId === undefined ? {} : { eventId }),
      ...noteOf(incoming, chosen),
      ...(by === undefined ? {} : { answeredBy: by }),
    });
    if (chosen?.undecided !== undefined) this.#options.log.write('warn', 'mock-app', chosen.undecided);
    if (by === undefined) this.#defaultHits++;
    else if (attemptId !== undefined && attemptId.length <= MAX_ATTEMPT_ID) this.#answered.set(attemptId, by);
    const reply = replyOf(by === undefined ? add : this.#underWay.until(by.ruleId, add));
    giveAnswer(chosen?.answer ?? this.#answerOfNoRule(incoming), { incoming, reply, ports: this.#ports });
    this.#notifySoon();
  }

  /** The default answer. A publish belongs to the sidecar, so the answer to a publish says that. */
  #answerOfNoRule({ attemptId, path }: Incoming): Answer {
    if (this.#saysOfPublish === undefined || attemptId !== undefined || !isPublishPath(path))
      return DEFAULT_ANSWER;
    const body = JSON.stringify({ message: this.#saysOfPublish() });
    return { kind: 'respond', status: 404, headers: { 'content-type': 'application/json' }, body };
  }

  #plain(
    request: FastifyRequest,
    reply: FastifyReply,
    { kind, status }: { readonly kind: MockRequest['kind']; readonly status: number },
    json = '',
  ): FastifyReply {
    const content = json.length < LARGE_ANSWER_BYTES ? json : bytesOf(json);
    const { bodies = UNCOUNTED } = this.#options;
    const noRoom = takeForAnswer(request, bodies, Buffer.byteLength(content));
    const line = { ...this.#lineOf(request, kind), durationMs: 0 };
    this.#log.open(noRoom === undefined ? { ...line, status } : { ...line, status: 503, note: noRoom });
    this.#notifySoon();
    if (noRoom !== undefined) return reply.code(503).type('text/plain; charset=utf-8').send(noRoom);
    reply.code(status);
    return json === '' ? reply.send() : reply.type('application/json').send(content);
  }

  /** Answers a request that the rules could not be applied to: the framework answers none that it has handed over. */
  #unanswered(error: unknown, request: FastifyRequest, raw: FastifyReply['raw']): void {
    const reason = error instanceof RangeError ? 'its JSON nests too deeply' : errorText(error);
    const text = `The mock app cannot apply its rules to this request: ${reason}.`;
    this.#options.log.write('error', 'mock-app', `${this.appId}: ${text}`);
    this.#log.open({ ...this.#lineOf(request, 'other'), status: 500, note: text });
    this.#notifySoon();
    const headers = {
      'content-type': 'text/plain; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    };
    if (!raw.headersSent) raw.writeHead(500, headers);
    raw.end(text);
  }

  #failed(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const told =
      typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : 500;
    const status = typeof told === 'number' ? told : 500;
    if (status >= 500)
      this.#options.log.write(
        'error',
        'mock-app',
        `The mock app could not answer a request: ${String(error)}`,
      );
    this.#log.open({ ...this.#lineOf(request, 'other'), status, note: String(error) });
    this.#notifySoon();
    // The client may go on sending the rest, which is not read.
    if (status === 413) reply.header('connection', 'close');
    return reply.code(status).send();
  }

  #lineOf(request: FastifyRequest, kind: MockRequest['kind']): MockRequest {
    return this.#line(request.method, request.originalUrl, kind);
  }

  #line(method: string, path: string, kind: MockRequest['kind']): MockRequest {
    return { at: new Date(this.#options.clock.now()).toISOString(), method, path, kind };
  }

  #noteSet(): void {
    for (const set of this.#setListeners) set();
    this.#notify();
  }

  #notifySoon(): void {
    if (this.#cancelNotify !== undefined || this.#listeners.size === 0) return;
    const { clock } = this.#options;
    this.#cancelNotify = clock.at(clock.now() + NOTIFY_DELAY_MS, () => this.#notify());
  }

  #notify(): void {
    this.#cancelNotify?.();
    this.#cancelNotify = undefined;
    for (const changed of this.#listeners) changed();
  }
}

function noteOf({ kind, events }: Incoming, chosen: Chosen | undefined): { readonly note?: string } {
  if (chosen?.undecided !== undefined) return { note: chosen.undecided };
  return kind === 'bulk' ? { note: counted(events.length, 'entry', 'entries') } : {};
}
