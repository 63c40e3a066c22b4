/**
 * Apps that answer batches with a success and no status for any entry, as an answer to one message would be: every message of the batch is
 * tried again, and nothing else looks wrong. The first such answer is a problem of the app, which goes when a batch is answered otherwise,
 * when the app may have been started anew, and with the subscription.
 */
import { theAppFirst } from '../../contract/app-text.ts';
import type { Protocol } from '../../contract/grpc.ts';
import type { Problem } from '../../contract/subscription.ts';
import type { Verdict } from '../../domain/verdict.ts';
import type { SharedServices } from '../common-services.ts';
import type { App } from '../state/app.ts';
import type { LiveDelivery } from '../state/live.ts';
import { ProblemNews } from './problem-news.ts';

type Place = Pick<LiveDelivery['subscription'], 'pubsubname' | 'topic'>;

/** Rules of an entry without a status, with the protocol over which the app answered so. */
const WITHOUT: Readonly<Partial<Record<Verdict['rule'], Protocol>>> = {
  'bulk.2xx.missing': 'http',
  'grpc.bulk.missing': 'grpc',
};

/** Rules of entries that have a status. */
const SAID: ReadonlySet<Verdict['rule']> = new Set([
  'bulk.2xx.success',
  'bulk.2xx.retry',
  'bulk.2xx.drop',
  'bulk.2xx.other',
  'grpc.bulk.success',
  'grpc.bulk.retry',
  'grpc.bulk.drop',
  'grpc.bulk.unknown-status',
]);

/** What an answer to a batch has to be. */
const FORM: Readonly<Record<Protocol, string>> = {
  http: 'The answer to a batch is {"statuses":[{"entryId":"…","status":"SUCCESS"}]}.',
  grpc: 'The answer to a batch has a status for each entry, with its entry_id.',
};

interface Known {
  /** `times` of the app's route answers then: the app may have been started anew since. */
  readonly times: number;
  /** Subscriptions whose last batch had no status. */
  readonly without: Map<string, Place & { readonly protocol: Protocol }>;
}

export class BatchAnswers {
  readonly #news: ProblemNews;
  /** An app that leaves takes its own along. */
  readonly #known = new WeakMap<App, Known>();

  constructor(shared: SharedServices) {
    this.#news = new ProblemNews(shared);
  }

  /** Present problems: those of subscriptions that the app still has, and that get batches. */
  problems(app: App): readonly Problem[] {
    const known = this.#known.get(app);
    if (known === undefined || known.times !== app.routeAnswers.times || app.isMocked) return [];
    const present = [...known.without.values()].filter((at) =>
      app.rows.some(({ subscription }) => subscription.bulk !== undefined && isAt(subscription, at)),
    );
    return present.map(({ pubsubname, topic, protocol }) => ({
      code: 'batch-answer',
      severity: 'warning',
      message: `${theAppFirst(app.appId)} answers batches of ${topic} of ${pubsubname} without a status for any entry, so all of them are tried again. ${FORM[protocol]}`,
    }));
  }

  /** Notes an answer to a batch at the address of an app that is no mock app, by the verdicts on its entries. */
  answered(app: App, { subscription }: LiveDelivery, verdicts: readonly Pick<Verdict, 'rule'>[]): void {
    const { pubsubname, topic } = subscription;
    const key = `${pubsubname}\n${topic}`;
    const { without } = this.#of(app);
    const [first] = verdicts;
    const protocol = first && WITHOUT[first.rule];
    const isWithout = protocol !== undefined && verdicts.every(({ rule }) => rule === first?.rule);
    // An answer that is no success tells nothing of the form of the others.
    const isRight = verdicts.some(({ rule }) => SAID.has(rule));
    if (isWithout === without.has(key) || (!isWithout && !isRight)) return;
    if (isWithout) without.set(key, { pubsubname, topic, protocol });
    else without.delete(key);
    this.#news.now(app.appId);
  }

  #of(app: App): Known {
    const { times } = app.routeAnswers;
    const known = this.#known.get(app);
    if (known?.times === times) return known;
    const anew: Known = { times, without: new Map() };
    this.#known.set(app, anew);
    return anew;
  }
}

function isAt(one: Place, { pubsubname, topic }: Place): boolean {
  return one.pubsubname === pubsubname && one.topic === topic;
}
