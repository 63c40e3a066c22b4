/**
 * Apps that answer batches with a success and no status for any entry, as an answer to one message would be: every message of the batch is
 * tried again, and nothing else looks wrong. The first such answer is a problem of the app, which goes when a batch is answered otherwise.
 */
import { theAppFirst } from '../../contract/app-text.ts';
import type { Problem } from '../../contract/subscription.ts';
import type { Verdict } from '../../domain/verdict.ts';
import type { SharedServices } from '../common-services.ts';
import type { App } from '../state/app.ts';
import type { LiveDelivery } from '../state/live.ts';
import { ProblemNews } from './problem-news.ts';

type Place = Pick<LiveDelivery['subscription'], 'pubsubname' | 'topic'>;

export class BatchAnswers {
  readonly #news: ProblemNews;
  /** Subscriptions whose last batch had no status. An app that leaves takes its own along. */
  readonly #without = new WeakMap<App, Map<string, Place>>();

  constructor(shared: SharedServices) {
    this.#news = new ProblemNews(shared);
  }

  /** Present problems: those of subscriptions that the app still has. */
  problems(app: App): readonly Problem[] {
    const places = [...(this.#without.get(app)?.values() ?? [])];
    const present = places.filter((at) => app.rows.some(({ subscription }) => isAt(subscription, at)));
    return present.map(({ pubsubname, topic }) => ({
      code: 'batch-answer',
      severity: 'warning',
      message: `${theAppFirst(app.appId)} answers batches of ${topic} of ${pubsubname} without a status for any entry, so all of them are tried again. The answer to a batch is {"statuses":[{"entryId":"…","status":"SUCCESS"}]}.`,
    }));
  }

  /** Notes an answer to a batch, by the verdicts on its entries. */
  answered(app: App, { subscription }: LiveDelivery, verdicts: readonly Pick<Verdict, 'rule'>[]): void {
    const { pubsubname, topic } = subscription;
    const key = `${pubsubname}\n${topic}`;
    const known = this.#without.get(app) ?? new Map<string, Place>();
    const isWithout = verdicts.length > 0 && verdicts.every(({ rule }) => rule === 'bulk.2xx.missing');
    // An answer that is no success tells nothing of the form of the others.
    const isRight = verdicts.some(({ rule }) => SAID.has(rule));
    if (isWithout === known.has(key) || (!isWithout && !isRight)) return;
    if (isWithout) known.set(key, { pubsubname, topic });
    else known.delete(key);
    this.#without.set(app, known);
    this.#news.now(app.appId);
  }
}

/** Rules of entries that have a status. */
const SAID: ReadonlySet<Verdict['rule']> = new Set([
  'bulk.2xx.success',
  'bulk.2xx.retry',
  'bulk.2xx.drop',
  'bulk.2xx.other',
]);

function isAt(one: Place, { pubsubname, topic }: Place): boolean {
  return one.pubsubname === pubsubname && one.topic === topic;
}
