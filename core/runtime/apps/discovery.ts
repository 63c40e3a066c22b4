/** Asks an app for its subscriptions: once its port is open, again when it comes back, and on demand (behaviour 4.1). */
import type { Problem, Subscription } from '../../contract/subscription.ts';
import { beginningOf } from '../../contract/cut-place.ts';
import { theAppFirst } from '../../contract/app-text.ts';
import { ofContentType } from '../../contract/answerer.ts';
import { hasNoDiscoveryRoute, withoutSubscriptions } from '../../contract/discovery-text.ts';
import { duration } from '../../contract/duration-text.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { clause, errorText } from '../../contract/error-text.ts';
import { APP_METHODS, grpcCode } from '../../contract/grpc.ts';
import { cutText } from '../../domain/codec.ts';
import { discoveryElements } from '../../domain/grpc-discovery.ts';
import { listValueIn, MAX_LIST_VALUES } from '../../domain/answer.ts';
import { hasMoreValues } from '../../domain/json.ts';
import { htmlPage } from '../../domain/html-page.ts';
import { notAList, readDiscovery } from '../../domain/subscription.ts';
import { PROBE_MS } from '../../ports/app-channel.ts';
import type { ReceivedAnswer } from '../../ports/app-channel.ts';
import type { App } from '../state/app.ts';
import type { Components } from '../components/components.ts';
import { levelOf } from '../components/declared.ts';
import { parkedLine, type ParkedTold } from './parked-deliveries.ts';
import type { Serving } from './serving.ts';
import type { SharedServices } from '../common-services.ts';
import { iso } from '../time/time.ts';
import { Waits } from '../time/waits.ts';
import {
  discoveryFailed,
  discoveryRefused,
  discoverySlow,
  ADDRESS_SETTING,
  GIVE_A_LIST,
  isTokenRefusal,
  hostOfAddress,
  mendedList,
  nameText,
  nobodyListens,
  otherProfile,
  otherScheme,
  tokenTodo,
} from './connection-mistakes.ts';

const POLL_INTERVAL_MS = 100;
/** Time that a port may stay closed before the log reports it, and interval of further reports. */
const LOG_CLOSED_AFTER_MS = 2_000;
const LOG_CLOSED_EVERY_MS = 60_000;
/** Time that an app may take to answer discovery before the log reports it. */
const LOG_SLOW_AFTER_MS = 3_000;
/**
 * Interval at which an open port is checked, to notice a restarted app: one that `node --watch` or a person starts again is away for some
 * 0.2 s. With many apps each one is looked at less often. Over gRPC a look is a broken connection in the log of some servers, and over https it
 * is a whole handshake.
 */
const WATCH_LEAST_MS = 100;
const WATCH_MOST_MS = 500;
const WATCH_MS_PER_APP = 10;
/** Interval at which an app with a mock app is checked, to notice that it got an address. */
const MOCK_RECHECK_MS = 60_000;
/** Maximum number of characters kept of a failed answer, for the console. */
const SHOWN_BODY = 2_000;
const CALL_TIMEOUT_MS = 10_000;
/** Waits between the calls, at most five. */
const RETRY_DELAYS_MS = [500, 750, 1000, 1000];
/** Number of further calls over gRPC, after any code but OK and UNIMPLEMENTED. */
const GRPC_RETRIES = 3;
const UNIMPLEMENTED = grpcCode('UNIMPLEMENTED');
/** Time between two calls because deliveries broke. */
const FOREIGN_AGAIN_MS = 60_000;

interface Called {
  readonly answer: ReceivedAnswer;
  /** Problem that the app speaks another protocol than its address says. */
  readonly other?: Problem | undefined;
}

export class Discovery {
  readonly #shared: SharedServices;
  readonly #components: Components;
  readonly #serving: Serving;
  readonly #asking = new Map<App, Promise<void>>();
  /** Calls that follow the one under way. */
  readonly #next = new Map<App, Promise<void>>();
  /** Functions that end the wait for the answer of a running call. */
  readonly #giveUp = new Map<App, () => void>();
  readonly #waits: Waits;
  readonly #watches = new Map<App, Waits>();
  /** Time until which further broken calls change nothing, by app. */
  readonly #foreignUntil = new WeakMap<App, number>();
  readonly #parkedTold: ParkedTold = new WeakMap();
  /** Address whose list the log has called wrong, by app: once it is right, the log says so. */
  readonly #wrongLists = new WeakMap<App, string>();

  constructor(shared: SharedServices, components: Components, serving: Serving) {
    this.#shared = shared;
    this.#components = components;
    this.#serving = serving;
    this.#waits = new Waits(shared.clock);
    shared.signals.on('aligned', (app) => this.#noteMended(app));
    shared.signals.on('spoken', (app) => this.#noticeSpoken(app));
  }

  /** Follows the app until it is removed or the runtime ends. Never rejects. */
  async follow(app: App): Promise<void> {
    if (!app.hasAddress) {
      await this.ask(app);
      return;
    }
    for (;;) {
      const before = app.discovery;
      await this.#untilOpen(app);
      if (this.#isOver(app)) return;
      this.#reached(app, 'answering');
      if (app.discovered || (await this.#untilHealthy(app))) {
        if (this.#isOver(app)) return;
        const again = this.#shared.settings.current['discovery.again'];
        const isDue = again === 'on-reconnect' && !hasAnsweredSince(app, before);
        if (!app.discovered || isDue) await this.ask(app);
        else this.#cameBack(app);
        await this.#untilGone(app);
      }
      if (this.#isOver(app)) return;
      this.#reached(app, 'not-reachable');
    }
  }

  /** Called when the port of an app is open again and nothing asks the app for its subscriptions: its routes may be others all the same. */
  #cameBack(app: App): void {
    app.routeAnswers.mayBeAnew();
    this.#shared.signals.emit('routeChanged', app);
  }

  /**
   * Asks the app for its subscriptions now; meanwhile no delivery starts. A second call joins the running one, which then uses the new
   * address.
   */
  ask(app: App): Promise<void> {
    const running = this.#asking.get(app);
    if (running !== undefined) {
      // The app moved to another address, and the old one may never answer.
      if (this.#isElsewhere(app)) this.#giveUp.get(app)?.();
      return running;
    }
    const asking = this.#ask(app).finally(() => this.#asking.delete(app));
    this.#asking.set(app, asking);
    return asking;
  }

  /**
   * Asks the app after a change of what it would answer. Its answer to a call under way may be from before the change, so one more call follows
   * that one and serves all who ask until then.
   */
  askAnew(app: App): Promise<void> {
    const running = this.#asking.get(app);
    if (running === undefined || this.#isElsewhere(app)) return this.ask(app);
    const waiting = this.#next.get(app);
    if (waiting !== undefined) return waiting;
    const goOn = (): Promise<void> | undefined => {
      this.#next.delete(app);
      return this.#isOver(app) ? undefined : this.ask(app);
    };
    // A failure of the call under way is reported to its own caller.
    const next = running.then(goOn, goOn);
    this.#next.set(app, next);
    return next;
  }

  /** Called when the app refused a connection: its port may be closed, and it may return with other subscriptions. */
  noticeRefused(app: App): void {
    this.#watches.get(app)?.wake();
  }

  /**
   * Called when the app may speak another protocol than its address says, or no longer: a restart that was too short to be seen may have
   * changed it. One more call finds out, at most once a minute for an app that only breaks its calls.
   */
  #noticeSpoken(app: App): void {
    const { clock, settings } = this.#shared;
    if (app.isMocked || !app.discovered || this.#asking.has(app)) return;
    if (settings.current['discovery.again'] === 'never') return;
    const now = clock.monotonic();
    if (!app.speaksOther && now < (this.#foreignUntil.get(app) ?? 0)) return;
    this.#foreignUntil.set(app, now + FOREIGN_AGAIN_MS);
    void this.ask(app);
  }

  /** Ends following an app that is `gone`. */
  leave(app: App): void {
    this.#watches.get(app)?.end();
    this.#waits.wake();
  }

  #isOver(app: App): boolean {
    return this.#waits.ended || app.isRemoved;
  }

  /** Ends every wait; `follow` returns soon after. */
  stop(): void {
    this.#waits.end();
    for (const watch of this.#watches.values()) watch.end();
  }

  async #ask(app: App): Promise<void> {
    const before = app.discovery;
    this.#begin(app);
    try {
      app.noteUnasked(this.#components.pubsubs(app.appId).length === 0);
      if (app.unasked || !app.hasAddress) this.#unasked(app);
      else {
        const called = await this.#answer(app);
        if (app.isRemoved) return;
        // The port may not have been looked at again since it was closed: an answer says more than the look before it.
        if (called.answer.kind === 'response') this.#reached(app, 'answering');
        this.#read(app, called, before);
        await this.#findMistake(app, called);
      }
      await this.#serving.align(app);
      this.#noteList(app);
    } catch (error) {
      this.#failed(app, errorText(error), {});
    } finally {
      app.endAsking();
      if (!this.#isOver(app) && app.discovered) {
        this.#shared.signals.emit('discovered', app);
        app.pumpAll();
      }
    }
  }

  /** Asks again whenever the app's address changes while it is being asked. */
  async #answer(app: App): Promise<Called> {
    for (;;) {
      const called = await this.#call(app);
      // The app's address changed meanwhile, so the answer from the old one does not count.
      if (app.isRemoved || !this.#isElsewhere(app)) return called;
      this.#begin(app);
    }
  }

  /** Reports a call that has no answer yet. An address that refuses calls is asked again, and is no slow app. */
  #slow(app: App, timeoutMs: number): void {
    if (app.isMocked || this.#isOver(app) || this.#isElsewhere(app)) return;
    const slow = discoverySlow(app, LOG_SLOW_AFTER_MS, timeoutMs);
    app.noteAnswerProblem(slow);
    this.#shared.log.write('info', 'discovery', slow.message);
    this.#shared.events.add({ type: 'topology.changed', appId: app.appId });
  }

  #begin(app: App): void {
    // The address is new: the watch checks at once whether its port is open.
    if (this.#isElsewhere(app)) this.noticeRefused(app);
    app.beginAsking(this.#urlOf(app));
    this.#shared.events.add({ type: 'topology.changed', appId: app.appId });
  }

  #urlOf(app: App): string {
    return app.hasAddress ? app.channel.url + this.#pathOf(app) : '';
  }

  #pathOf(app: App): string {
    return isGrpc(app) ? APP_METHODS.listTopicSubscriptions : this.#shared.profile.discoveryPath;
  }

  /** True when the app's address has changed since the app was last asked. */
  #isElsewhere(app: App): boolean {
    return app.discovery.url !== this.#urlOf(app);
  }

  #unasked(app: App): void {
    const error = app.unasked ? this.#components.whyNoPubSub(app.appId) : undefined;
    app.subscribes({ at: iso(this.#shared.clock.now()), ...withoutUndefined({ error }) });
  }

  #headers(app: App): Readonly<Record<string, string>> {
    const { profile, appApiToken } = this.#shared;
    const token = app.token(appApiToken);
    return {
      ...(isGrpc(app) ? {} : { 'content-type': 'application/json', [profile.appIdHeader]: app.appId }),
      ...(token === undefined ? {} : { [profile.tokenHeader]: token }),
    };
  }

  /**
   * Calls the discovery route. Only a broken call is repeated, four times within ten seconds, unless the app turns out to speak another
   * protocol. The look for that takes seconds at a port that is silent, so the repeats do not wait for its end.
   */
  async #call(app: App): Promise<Called> {
    const { clock, random } = this.#shared;
    const headers = this.#headers(app);
    const until = clock.monotonic() + CALL_TIMEOUT_MS;
    let answer = await this.#get(app, headers, CALL_TIMEOUT_MS);
    const looking = mayBeOther(answer) && !app.isMocked ? otherScheme(app) : Promise.resolve(undefined);
    let other: Problem | undefined;
    const foundOther = new Promise<void>((found) => {
      void looking.then((problem) => {
        other = problem;
        if (problem !== undefined) found();
      });
    });
    for (const delayMs of isGrpc(app) ? RETRY_DELAYS_MS.slice(0, GRPC_RETRIES) : RETRY_DELAYS_MS) {
      if (!this.#isBroken(answer) || this.#isElsewhere(app)) break;
      if (clock.monotonic() + delayMs > until) break;
      await Promise.race([this.#waits.wait(delayMs * (0.5 + random.next())), foundOther]);
      if (other !== undefined || this.#isOver(app) || this.#isElsewhere(app)) break;
      answer = await this.#get(app, headers, Math.max(1, until - clock.monotonic()));
    }
    // The last call had what was left of the time; the person is told how long Sidelight waited in all.
    if (answer.kind === 'none' && answer.code === 'timeout')
      return { answer: { ...answer, message: `No answer within ${duration(CALL_TIMEOUT_MS)}.` } };
    if (!mayBeOther(answer) || this.#isOver(app) || this.#isElsewhere(app)) return { answer };
    return { answer, other: await looking };
  }

  async #get(
    app: App,
    headers: Readonly<Record<string, string>>,
    timeoutMs: number,
  ): Promise<ReceivedAnswer> {
    const givenUp = new Promise<ReceivedAnswer>((go) => {
      const message = 'the app got another address';
      this.#giveUp.set(app, () => go({ kind: 'none', code: 'cancelled', message }));
    });
    const { clock } = this.#shared;
    const stop = clock.at(clock.now() + LOG_SLOW_AFTER_MS, () => this.#slow(app, timeoutMs));
    const answer = app.channel.get(this.#pathOf(app), headers, timeoutMs);
    try {
      return await Promise.race([answer, givenUp]);
    } finally {
      stop();
      this.#giveUp.delete(app);
    }
  }

  /** True when the connection broke before the list was complete. A status other than 200 needs no body. */
  #isBroken(answer: ReceivedAnswer): boolean {
    if (answer.kind === 'none') return true;
    if (answer.protocol === 'grpc') return answer.status !== 0 && answer.status !== UNIMPLEMENTED;
    const isCutOff = answer.unread?.reason === 'cut-off' && this.#textOf(answer) === undefined;
    return answer.status === 200 && isCutOff;
  }

  /** Text of the body; undefined: it cannot be read. A body that was cut off after a complete list counts, as on the reference. */
  #textOf({ body, bodyStart, unread }: Extract<ReceivedAnswer, { kind: 'response' }>): string | undefined {
    const { codec } = this.#shared;
    if (body !== undefined) return codec.toText(body);
    if (unread?.reason !== 'cut-off' || bodyStart === undefined) return undefined;
    const came = codec.toText(bodyStart);
    return Array.isArray(listValueIn(came)?.value) ? came : undefined;
  }

  #read(app: App, { answer, other }: Called, before: App['discovery']): void {
    const { profile, clock, log } = this.#shared;
    const at = iso(clock.now());
    if (answer.kind === 'none') {
      const { message } = answer;
      const error = /^no answer/i.test(message) ? message : `No answer: ${message}`;
      const isClosed = answer.code === 'refused' && message.includes('ECONNREFUSED');
      if (other !== undefined || !isClosed) this.#failed(app, error, {}, other);
      // The watch of the port warns that nobody listens; an error beside it would tell one thing twice.
      else this.#failed(app, error, {}, discoveryRefused(app, error), 'debug');
      return;
    }
    const { status } = answer;
    const text = this.#textOf(answer);
    const overGrpc = answer.protocol === 'grpc';
    const said = answer.statusText ?? status;
    if (status === (overGrpc ? UNIMPLEMENTED : 404) && other === undefined) {
      app.subscribes({ at, status });
      log.write(overGrpc ? 'info' : 'debug', 'discovery', `${app.appId} has no subscriptions (${said}).`);
      return;
    }
    if (status !== (overGrpc ? 0 : 200) || other !== undefined) {
      const beginning = htmlPage(text ?? '') ?? beginningOf(text ?? '', 200);
      const error = `The app answered ${said}${beginning === '' ? '' : `: ${beginning}`}`;
      const isSent = app.token(this.#shared.appApiToken) !== undefined;
      const todo = isTokenRefusal(answer) && !app.isMocked ? tokenTodo(profile, isSent) : undefined;
      const seen = { status, body: cutText(text ?? '', SHOWN_BODY) };
      this.#failed(app, error, seen, other ?? discoveryFailed(app, error, todo));
      return;
    }
    const parsed = text === undefined ? undefined : listValueIn(text);
    const body = parsed !== undefined && overGrpc ? { value: discoveryElements(parsed.value) } : parsed;
    const protocol = overGrpc ? 'grpc' : 'http';
    const read =
      body === undefined
        ? { subscriptions: [], problems: [notJson(text, answer)] }
        : readDiscovery(body.value, { appId: app.appId, profile, protocol });
    // null stands for no subscriptions.
    const failed = body === undefined || !(body.value === null || Array.isArray(body.value));
    if (failed) {
      const seen = { status, body: cutText(text ?? '', SHOWN_BODY) };
      const error = describeProblems(read.problems);
      // A body that cannot be read, or that has too many values, may be a list or not: nobody knows.
      const isUnknown = text === undefined || (body === undefined && hasMoreValues(text, MAX_LIST_VALUES));
      const todo = overGrpc || isUnknown ? undefined : GIVE_A_LIST;
      this.#failed(app, error, seen, discoveryFailed(app, error, todo));
      return;
    }
    this.#reported(app, read, before);
    app.subscribes({ at, status, ...read });
    for (const problem of read.problems) {
      log.write(levelOf(problem), 'discovery', `${app.appId}: ${problem.message}`);
    }
  }

  /** Logs the first list of an address, and the first one after an answer without one. Everybody knows that of a mock app. */
  #reported(
    app: App,
    {
      subscriptions,
      problems,
    }: { readonly subscriptions: readonly unknown[]; readonly problems: readonly unknown[] },
    before: App['discovery'],
  ): void {
    if (app.isMocked) return;
    const isFirst = app.listedBy?.url !== app.channel.url || hasNoList(before);
    // The lines on the mistakes of a first list say more than its number.
    if (before.state !== 'failed' && (!isFirst || problems.length > 0)) return;
    const text = `${theAppFirst(app.appId)} reported its subscriptions: ${subscriptions.length}.`;
    this.#shared.log.write('info', 'discovery', text);
  }

  /** Notes that the app's list is wrong. After an answer without a list, the next one is logged as the first. */
  #noteList(app: App): void {
    if (app.isMocked) return;
    if (hasNoList(app.discovery)) this.#wrongLists.delete(app);
    else if (isListWrong(app)) this.#wrongLists.set(app, app.channel.url);
  }

  /** Logs once that a list which was wrong is right now: the app gave another one, or its component was loaded. */
  #noteMended(app: App): void {
    if (app.isMocked || this.#wrongLists.get(app) !== app.channel.url) return;
    if (hasNoList(app.discovery) || isListWrong(app)) return;
    this.#wrongLists.delete(app);
    this.#shared.log.write('info', 'discovery', mendedList(app));
  }

  /** Looks for a mistake in how the app was connected, after an answer that is no list of subscriptions. */
  async #findMistake(app: App, { answer }: Called): Promise<void> {
    if (app.isMocked) return;
    const { log } = this.#shared;
    const isMissing = answer.kind === 'response' && answer.status === 404;
    const isSilent = answer.kind === 'none' && answer.code === 'timeout';
    const found = isMissing
      ? await otherProfile(app, this.#shared)
      : isSilent
        ? await otherScheme(app)
        : undefined;
    if (found !== undefined) {
      // The mistake found says more than the failed answer, so it takes its place.
      app.noteAnswerProblem(found);
      log.write(found.severity === 'warning' ? 'warn' : 'error', 'discovery', found.message);
    } else if (isMissing) {
      const also = ', and the routes of other profiles give no list either';
      log.write('info', 'discovery', withoutSubscriptions(theAppFirst(app.appId), app.discovery, also));
    }
  }

  /** Keeps the app's earlier subscriptions after a failed discovery, so that no message is lost because of one bad answer. */
  #failed(
    app: App,
    error: string,
    seen: { readonly status?: number; readonly body?: string },
    mistake?: Problem,
    level: 'error' | 'debug' = 'error',
  ): void {
    const failed = mistake ?? discoveryFailed(app, error);
    app.askingFailed({ at: iso(this.#shared.clock.now()), error, ...seen }, failed);
    this.#shared.log.write(level, 'discovery', failed.message);
  }

  async #untilOpen(app: App): Promise<void> {
    const { clock } = this.#shared;
    let { url } = app.channel;
    let { notRunning } = app;
    let logAt = clock.monotonic() + LOG_CLOSED_AFTER_MS;
    while (!this.#isOver(app) && !(await app.channel.probe(PROBE_MS))) {
      // An app that answered while its port was waited for may have closed it since.
      if (app.reached === 'answering') this.#reached(app, 'not-reachable');
      const isStarted = notRunning !== undefined && app.notRunning === undefined;
      if (app.channel.url !== url || isStarted) {
        logAt = clock.monotonic() + LOG_CLOSED_AFTER_MS;
        this.#present(app);
      } else if (app.notRunning !== notRunning && app.absence !== undefined) await this.#noteAbsence(app);
      url = app.channel.url;
      notRunning = app.notRunning;
      if (clock.monotonic() >= logAt) {
        logAt = clock.monotonic() + LOG_CLOSED_EVERY_MS;
        await this.#absent(app);
      }
      await this.#waits.wait(POLL_INTERVAL_MS);
    }
    this.#present(app);
    this.#waitsBecause(app, undefined);
  }

  /**
   * With health checks on, waits until the app is healthy before it is asked.
   * @returns false: its port closed before that
   */
  async #untilHealthy(app: App): Promise<boolean> {
    const { clock } = this.#shared;
    let probeAt = clock.monotonic() + WATCH_MOST_MS;
    if (app.appHealthy === false) this.#waitsBecause(app, 'its health check does not pass');
    while (!this.#isOver(app) && app.appHealthy === false) {
      if (clock.monotonic() >= probeAt) {
        if (!(await app.channel.probe(PROBE_MS))) {
          this.#waitsBecause(app, undefined);
          return false;
        }
        probeAt = clock.monotonic() + WATCH_MOST_MS;
      }
      await this.#waits.wait(POLL_INTERVAL_MS);
    }
    this.#waitsBecause(app, undefined);
    return true;
  }

  /** Notes why an app that listens is not asked; undefined: no reason any more. */
  #waitsBecause(app: App, error: string | undefined): void {
    if (!app.waitsToBeAsked(error)) return;
    this.#shared.events.add({ type: 'topology.changed', appId: app.appId });
  }

  /** Logs that no program listens, as a warning the first time. Not for a mock app, because the person who closed it knows. */
  async #absent(app: App): Promise<void> {
    if (app.isMocked) return;
    const level = app.absence === undefined ? 'warn' : 'info';
    const absence = await this.#noteAbsence(app);
    if (absence !== undefined) this.#shared.log.write(level, 'discovery', absence.message);
  }

  /**
   * Shows that no program listens at the app's address.
   * @returns undefined: the result is outdated
   */
  async #noteAbsence(app: App): Promise<Problem | undefined> {
    const { url } = app.channel;
    const setBy = this.#shared.settings.items().find(({ key }) => key === ADDRESS_SETTING)?.origin;
    const host = hostOfAddress(url);
    const named = await this.#shared.hostNames?.mistakeOf(host);
    const absence = await nobodyListens(app, setBy, named);
    // The app's address changed meanwhile, so the problem of the old one does not count.
    if (app.channel.url !== url) return undefined;
    const isNew = app.absence?.message !== absence.message;
    app.noteAbsence(absence);
    this.#waitsBecause(app, named && nameText(host, named));
    if (isNew) this.#shared.events.add({ type: 'topology.changed', appId: app.appId });
    return absence;
  }

  #present(app: App): void {
    if (app.absence === undefined) return;
    app.noteAbsence(undefined);
    this.#shared.events.add({ type: 'topology.changed', appId: app.appId });
  }

  #watchEveryMs(app: App): number {
    if (isGrpc(app) || /^(?:https|h2c):/.test(app.channel.url)) return WATCH_MOST_MS;
    return Math.min(WATCH_MOST_MS, Math.max(WATCH_LEAST_MS, WATCH_MS_PER_APP * this.#watches.size));
  }

  async #untilGone(app: App): Promise<void> {
    const watch = new Waits(this.#shared.clock);
    this.#watches.set(app, watch);
    const { mock } = app;
    const stop = mock?.onChange(() => {
      if (app.isMocked && !mock.isOn) watch.wake();
    });
    // A mock app ends with this process or is turned off; meanwhile its app may get another address.
    while (!this.#isOver(app)) {
      if (app.isMocked && mock?.isOn === true) await watch.wait(MOCK_RECHECK_MS);
      else if (await app.channel.probe(PROBE_MS)) await watch.wait(this.#watchEveryMs(app));
      else break;
    }
    stop?.();
    this.#watches.delete(app);
  }

  #reached(app: App, reached: App['reached']): void {
    if (app.reached === reached) return;
    // Nothing tries a parked message again by itself.
    const parked =
      app.reached === 'not-reachable' ? parkedLine(this.#shared, app, this.#parkedTold) : undefined;
    if (parked !== undefined) this.#shared.log.write('warn', 'delivery', parked, { appId: app.appId });
    app.noteReached(reached);
    this.#shared.events.add({ type: 'topology.changed', appId: app.appId });
  }
}

/** True when the app was asked elsewhere while its port was looked at, and has answered: to ask it again would say the same twice. */
function hasAnsweredSince({ discovery }: App, before: App['discovery']): boolean {
  return discovery !== before && discovery.state !== 'asking' && discovery.status !== undefined;
}

/** Whether the app has given no list the last time: it has no discovery route, its answer was no list, or it was not asked. */
function hasNoList(discovery: App['discovery']): boolean {
  return discovery.state !== 'done' || discovery.status === undefined || hasNoDiscoveryRoute(discovery);
}

/** Whether some of the app's list is not used: an element cannot be read, or its component does not exist or may not be used. */
function isListWrong({ answerProblems, discovery, rows }: App): boolean {
  const used = rows.filter(({ subscription, state }) => isOfApp(subscription) && state === 'active');
  return answerProblems.length > 0 || used.length < discovery.count;
}

function isOfApp({ source }: Subscription): boolean {
  return source === 'programmatic';
}

/** True when the connection failed, rather than timed out or was cancelled. */
function breaksOff(answer: ReceivedAnswer): boolean {
  return answer.kind === 'none' && answer.code !== 'cancelled' && answer.code !== 'timeout';
}

/** True for what an app may answer that speaks another protocol than its address says. */
function mayBeOther(answer: ReceivedAnswer): boolean {
  return breaksOff(answer) || (answer.kind === 'response' && answer.isForeign === true);
}

function isGrpc(app: App): boolean {
  return app.channel.protocol === 'grpc';
}

/** @param text undefined: it could not be read, for the reason that `unread` gives */
function notJson(
  text: string | undefined,
  { unread, headers }: Pick<Extract<ReceivedAnswer, { kind: 'response' }>, 'unread' | 'headers'>,
): Problem {
  const found =
    text === undefined
      ? `a body that cannot be read (${clause(unread?.message ?? 'the reason is not known')})`
      : text.trim() === ''
        ? 'nothing'
        : hasMoreValues(text, MAX_LIST_VALUES)
          ? `more than ${MAX_LIST_VALUES.toLocaleString('en-US')} values`
          : (htmlPage(text) ?? `text that is not JSON${ofContentType(headers)}`);
  return { message: notAList(found), severity: 'error' };
}

function describeProblems(problems: readonly Problem[]): string {
  return problems.map((problem) => problem.message).join(' ') || 'The answer is not a JSON array.';
}
