/**
 * Routes of subscriptions that their app does not serve: it answers 404 there, so each message is dropped, and nothing else looks wrong. The
 * first such answer is a problem of the app, which goes when the route answers otherwise.
 */
import { theAppFirst } from '../../contract/app-text.ts';
import { grpcCodeName } from '../../contract/grpc.ts';
import type { Verdict } from '../../domain/verdict.ts';
import type { ReceivedAnswer } from '../../ports/app-channel.ts';
import type { MockApp } from '../../ports/mock-app.ts';
import type { App } from '../state/app.ts';
import type { LiveDelivery } from '../state/live.ts';
import type { SharedServices } from '../common-services.ts';
import type { DroppedBefore } from './dropped-before.ts';
import { missingRoute } from './route-mistakes.ts';
import { ProblemNews } from './problem-news.ts';

export class MissingRoutes {
  readonly #shared: SharedServices;
  readonly #news: ProblemNews;
  readonly #droppedBefore: DroppedBefore;

  constructor(shared: SharedServices, droppedBefore: DroppedBefore) {
    this.#shared = shared;
    this.#droppedBefore = droppedBefore;
    this.#news = new ProblemNews(shared);
  }

  /**
   * Notes an answer to a delivery.
   * @param by who answered instead of the app
   */
  answered(
    app: App,
    d: LiveDelivery,
    answer: ReceivedAnswer,
    { rule }: Verdict,
    by: ReturnType<MockApp['answeredBy']>,
  ): void {
    if (answer.kind === 'none' || by !== undefined || app.isMocked) return;
    const { source } = d.subscription;
    // An event of a binding has a rule of its own, and a stream has no route.
    if (source === 'binding' || source === 'streaming') return;
    const said = wordOf(answer);
    const news = app.routeAnswers.note(d, rule, said);
    if (news === undefined) return;
    if (news === 'serves' || news === 'served') this.#droppedBefore.served(app, d);
    else this.#droppedBefore.note(app, d, said);
    if (news === 'serves') return;
    if (news === 'again' || news === 'still') {
      this.#news.soon(app.appId);
      if (news === 'still') this.#shared.signals.emit('routeChanged', app);
      return;
    }
    const { path } = d.route;
    if (news === 'served')
      this.#shared.log.write(
        'info',
        'subscriptions',
        `${theAppFirst(app.appId)} answers ${said} at ${path} now.`,
      );
    else {
      const missing = app.routeAnswers.missing(d.counted.lane).find((route) => route.path === path);
      if (missing !== undefined)
        this.#shared.log.write('error', 'subscriptions', missingRoute(app, missing).message);
    }
    this.#shared.signals.emit('routeChanged', app);
    this.#news.now(app.appId);
  }
}

/** The status as a person knows it: `404`, `UNIMPLEMENTED`. */
function wordOf({ status, statusText, protocol }: Extract<ReceivedAnswer, { kind: 'response' }>): string {
  if (protocol !== 'grpc') return String(status);
  return statusText ?? grpcCodeName(status);
}
