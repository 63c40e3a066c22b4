/**
 * Apps that answer no delivery at all, or refuse each one for want of a token: a port that takes connections looks well, so the first such
 * streak is a problem of the app. It ends with another answer, and when the app may have been started anew; silence also when no call was
 * made for a while.
 */
import { theAppFirst } from '../../contract/app-text.ts';
import { grpcCodeName } from '../../contract/grpc.ts';
import type { Problem } from '../../contract/subscription.ts';
import type { ReceivedAnswer } from '../../ports/app-channel.ts';
import type { SharedServices } from '../common-services.ts';
import type { App } from '../state/app.ts';
import type { LiveDelivery } from '../state/live.ts';
import { isTokenRefusal, silentApp, tokenRefused } from './connection-mistakes.ts';
import { ProblemNews } from './problem-news.ts';

/** Calls in a row without an answer in time that are a problem, if they were for several messages: a single one may be slow. */
const MIN_SILENT = 5;
/** Calls in a row that break before the app is suspected to speak another protocol than its address says. */
const MIN_BROKEN = 3;
/** Time without such a call after which the problem ends: nobody knows whether the app would answer now. */
const QUIET_MS = 10 * 60_000;

/** Code of an error of the system, such as ECONNREFUSED. */
const SYSTEM_ERROR = /\bE[A-Z]{4,}\b/;

type Response = Extract<ReceivedAnswer, { kind: 'response' }>;

/** The delivery of a call, or the first one of its batch. */
type Called = Pick<LiveDelivery, 'message' | 'route'>;

/** Calls in a row that timed out. */
interface Streak {
  calls: number;
  /** Id of the message of the first of them. */
  readonly messageId: string;
  hasOthers: boolean;
  /** Result of the last of them. */
  last: string;
  lastMs: number;
}

interface Known {
  /** `times` of the app's route answers then: the app may have been started anew since. */
  readonly times: number;
  /** undefined: the last call did not time out. */
  silent: Streak | undefined;
  /** Number of the last calls in a row that broke, or were answered in another protocol. */
  broken: number;
  /** How it refuses all deliveries, and the route at which it did so last; undefined: it does not. */
  refuses: { readonly status: string; readonly path: string } | undefined;
  /** Whether the log says that it refuses them. */
  isTold: boolean;
  /** Whether it has taken a delivery, so that a refusal is about one message. */
  takes: boolean;
}

export class CallAnswers {
  readonly #shared: SharedServices;
  readonly #news: ProblemNews;
  readonly #known = new WeakMap<App, Known>();

  constructor(shared: SharedServices) {
    this.#shared = shared;
    this.#news = new ProblemNews(shared);
  }

  /** Present problems of an app. */
  problems(app: App): readonly Problem[] {
    const known = this.#known.get(app);
    if (known === undefined || known.times !== app.routeAnswers.times || app.isMocked) return [];
    const { silent, refuses } = known;
    return [
      ...(isProblem(silent) ? [silentApp(app.appId, silent)] : []),
      ...(refuses === undefined ? [] : [this.#refusing(app, refuses.status)]),
    ];
  }

  /** Notes the result of a call at the address of an app that is no mock app. Each message passes here. */
  ended(app: App, answer: ReceivedAnswer, called: Called | undefined): void {
    const known = this.#of(app);
    this.#spoke(app, known, answer);
    if (answer.kind === 'response') {
      this.#noLongerSilent(app, known, true);
      if (!known.takes) this.#answered(app, known, answer, called?.route.path ?? '');
      return;
    }
    if (answer.code !== 'timeout') {
      // A call that was cut says nothing about the app. Of a broken one nobody knows whether the app has answered.
      if (answer.code !== 'cancelled') this.#noLongerSilent(app, known, false);
    } else if (called !== undefined) this.#timedOut(app, known, answer.message, called);
  }

  /** An app may have been restarted as another program too quickly for its port to be seen closed. */
  #spoke(app: App, known: Known, answer: ReceivedAnswer): void {
    const isForeign = answer.isForeign === true;
    const isOwn = isOfItsProtocol(answer);
    if (isOwn) known.broken = 0;
    else if (isForeign || breaks(answer)) known.broken += 1;
    const isSuspect = isForeign || known.broken >= MIN_BROKEN;
    if (app.speaksOther ? isOwn : isSuspect) this.#shared.signals.emit('spoken', app);
  }

  #timedOut(app: App, known: Known, last: string, { message }: Called): void {
    const { messageId } = message.row;
    const was = isProblem(known.silent);
    const silent = (known.silent ??= { calls: 0, messageId, hasOthers: false, last, lastMs: 0 });
    silent.calls += 1;
    silent.hasOthers ||= silent.messageId !== messageId;
    silent.last = last;
    silent.lastMs = this.#shared.clock.now();
    if (!isProblem(silent)) return;
    const { appId } = app;
    if (was) return this.#news.soon(appId);
    this.#shared.log.write('warn', 'delivery', silentApp(appId, silent).message, { appId });
    this.#news.now(appId);
    this.#endWhenQuiet(app, known, silent, silent.lastMs + QUIET_MS);
  }

  #endWhenQuiet(app: App, known: Known, silent: Streak, dueMs: number): void {
    const { clock, timers } = this.#shared;
    timers.at(dueMs, () => {
      if (known.silent !== silent) return;
      const now = clock.now();
      const quietMs = now - silent.lastMs;
      // A call that still waits may take longer than that.
      if (quietMs < QUIET_MS || app.inFlight > 0)
        return this.#endWhenQuiet(app, known, silent, Math.max(now, silent.lastMs) + QUIET_MS);
      known.silent = undefined;
      this.#news.now(app.appId);
    });
  }

  /** @param answers whether it is the app itself that has answered */
  #noLongerSilent(app: App, known: Known, answers: boolean): void {
    const { silent } = known;
    if (silent === undefined) return;
    known.silent = undefined;
    if (!isProblem(silent)) return;
    const { appId } = app;
    if (answers)
      this.#shared.log.write('info', 'delivery', `${theAppFirst(appId)} answers again.`, { appId });
    this.#news.now(appId);
  }

  #answered(app: App, known: Known, answer: Response, path: string): void {
    if (isTokenRefusal(answer)) return this.#refused(app, known, answer, path);
    // An app that refuses may fail elsewhere before it looks at the token. At the same route the refusal is over.
    if (isSuccess(answer)) known.takes = true;
    else if (known.refuses?.path !== path) return;
    if (known.refuses === undefined) return;
    known.refuses = undefined;
    this.#news.soon(app.appId);
  }

  #refused(app: App, known: Known, answer: Response, path: string): void {
    const was = known.refuses;
    known.refuses = { status: was?.status ?? answer.statusText ?? wordOf(answer), path };
    if (was !== undefined) return;
    const { appId } = app;
    if (known.isTold) return this.#news.soon(appId);
    known.isTold = true;
    const { message } = this.#refusing(app, known.refuses.status);
    this.#shared.log.write('warn', 'delivery', message, { appId });
    this.#news.now(appId);
  }

  #refusing(app: App, status: string): Problem {
    const { profile, appApiToken } = this.#shared;
    return tokenRefused(app.appId, status, profile, app.token(appApiToken) !== undefined);
  }

  #of(app: App): Known {
    const { times } = app.routeAnswers;
    const known = this.#known.get(app);
    if (known?.times === times) return known;
    const anew: Known = {
      times,
      silent: undefined,
      broken: 0,
      refuses: undefined,
      isTold: false,
      takes: false,
    };
    this.#known.set(app, anew);
    return anew;
  }
}

/** Whether the app has answered in the protocol of its address. */
export function isOfItsProtocol(answer: ReceivedAnswer): boolean {
  return answer.kind === 'response' && answer.isForeign !== true;
}

function isProblem(silent: Streak | undefined): silent is Streak {
  return silent !== undefined && silent.hasOthers && silent.calls >= MIN_SILENT;
}

function isSuccess({ protocol, status }: Response): boolean {
  return protocol === 'grpc' ? status === 0 : status >= 200 && status < 300;
}

function wordOf({ protocol, status }: Response): string {
  return protocol === 'grpc' ? grpcCodeName(status) : String(status);
}

/** A connection came about and broke; one that was refused by the system has an error code in its text. */
function breaks(answer: ReceivedAnswer): boolean {
  if (answer.kind !== 'none') return false;
  return answer.code === 'reset' || (answer.code === 'refused' && !SYSTEM_ERROR.test(answer.message));
}
