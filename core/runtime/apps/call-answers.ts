/**
 * Apps that answer no delivery at all, or refuse each one for want of a token: a port that takes connections looks well, so the first such
 * streak is a problem of the app. The first other answer ends it.
 */
import { theAppFirst } from '../../contract/app-text.ts';
import { SILENT_APP } from '../../contract/discovery-text.ts';
import { clause } from '../../contract/error-text.ts';
import { grpcCode, grpcCodeName } from '../../contract/grpc.ts';
import type { Profile } from '../../contract/profile.ts';
import type { Problem } from '../../contract/subscription.ts';
import type { ReceivedAnswer } from '../../ports/app-channel.ts';
import type { SharedServices } from '../common-services.ts';
import type { App } from '../state/app.ts';
import { ProblemNews } from './problem-news.ts';

/** Calls in a row without an answer in time that are a problem: a single one may be a slow message. */
const MIN_SILENT = 5;

/** Statuses that an app may answer to a call whose token it does not take. */
const REFUSALS: Readonly<Record<'http' | 'grpc', ReadonlySet<number>>> = {
  http: new Set([401, 403]),
  grpc: new Set([grpcCode('UNAUTHENTICATED'), grpcCode('PERMISSION_DENIED')]),
};

type Response = Extract<ReceivedAnswer, { kind: 'response' }>;

interface Known {
  /** `times` of the app's route answers then: the app may have been started anew since. */
  readonly times: number;
  /** Calls in a row that timed out. */
  silent: number;
  /** Result of the last of them. */
  last: string;
  /** Status with which it refuses all deliveries; undefined: it does not. */
  refuses: string | undefined;
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
    return [
      ...(known.silent < MIN_SILENT ? [] : [silentApp(app.appId, known)]),
      ...(known.refuses === undefined ? [] : [this.#refusing(app, known.refuses)]),
    ];
  }

  /** Notes the result of a call at the address of an app that is no mock app. Each message passes here. */
  ended(app: App, answer: ReceivedAnswer): void {
    const known = this.#of(app);
    if (answer.kind === 'none') {
      if (answer.code === 'timeout') this.#silent(app, known, answer.message);
      // A call that was cut says nothing about the app.
      else if (answer.code !== 'cancelled') this.#heard(app, known);
      return;
    }
    this.#heard(app, known);
    if (known.takes) return;
    if (!isTokenRefusal(answer)) {
      known.takes = true;
      if (known.refuses === undefined) return;
      known.refuses = undefined;
      this.#news.now(app.appId);
    } else if (known.refuses === undefined) {
      known.refuses = answer.statusText ?? wordOf(answer);
      this.#shared.log.write('warn', 'delivery', this.#refusing(app, known.refuses).message, {
        appId: app.appId,
      });
      this.#news.now(app.appId);
    }
  }

  #silent(app: App, known: Known, message: string): void {
    known.silent += 1;
    known.last = message;
    if (known.silent < MIN_SILENT) return;
    if (known.silent > MIN_SILENT) return this.#news.soon(app.appId);
    const { appId } = app;
    this.#shared.log.write('warn', 'delivery', silentApp(appId, known).message, { appId });
    this.#news.now(appId);
  }

  #heard(app: App, known: Known): void {
    if (known.silent === 0) return;
    const was = known.silent;
    known.silent = 0;
    if (was < MIN_SILENT) return;
    const { appId } = app;
    this.#shared.log.write('info', 'delivery', `${theAppFirst(appId)} is no longer silent.`, { appId });
    this.#news.now(appId);
  }

  #refusing(app: App, status: string): Problem {
    const { profile, appApiToken } = this.#shared;
    const todo = tokenTodo(profile, app.token(appApiToken) !== undefined);
    return {
      code: 'token-refused',
      severity: 'error',
      message: `${theAppFirst(app.appId)} answers ${status} to its deliveries. ${todo}.`,
    };
  }

  #of(app: App): Known {
    const { times } = app.routeAnswers;
    const known = this.#known.get(app);
    if (known?.times === times) return known;
    const anew: Known = { times, silent: 0, last: '', refuses: undefined, takes: false };
    this.#known.set(app, anew);
    return anew;
  }
}

/** Whether an answer may mean that the app misses a token, or takes another one. */
export function isTokenRefusal({
  protocol,
  status,
}: Pick<Response, 'status'> & Partial<Pick<Response, 'protocol'>>): boolean {
  return REFUSALS[protocol === 'grpc' ? 'grpc' : 'http'].has(status);
}

/**
 * What to do about an app that may refuse a call for want of a token.
 * @param isSent whether the call carried one
 */
export function tokenTodo(
  { env, tokenHeader }: Pick<Profile, 'env' | 'tokenHeader'>,
  isSent: boolean,
): string {
  return isSent
    ? `Sidelight sent it the token of ${env.appApiToken}, as ${tokenHeader}: if the app asks for that token, one of the two is wrong`
    : `Sidelight sent it no token: if the app asks for the token that its sidecar sends, start Sidelight with ${env.appApiToken}=TOKEN in its environment`;
}

function wordOf({ protocol, status }: Response): string {
  return protocol === 'grpc' ? grpcCodeName(status) : String(status);
}

function silentApp(appId: string, { silent, last }: Pick<Known, 'silent' | 'last'>): Problem {
  return {
    code: SILENT_APP,
    severity: 'warning',
    message: `${theAppFirst(appId)} has answered none of its last ${silent.toLocaleString('en-US')} calls. The last one: ${clause(last).replace(/^N/, 'n')}.`,
  };
}
