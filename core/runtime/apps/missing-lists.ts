/**
 * Apps that answered 404 to discovery, or an empty list, while a message came that no subscription takes: the discovery route of one may be
 * missing or elsewhere, and an app may list its subscriptions later than it listens. One that only publishes has none, so that nothing is said
 * of it before such a message.
 */
import { hasNoDiscoveryRoute, listMistakes, OTHER_PROFILE } from '../../contract/discovery-text.ts';
import { grpcCode } from '../../contract/grpc.ts';
import { theAppFirst } from '../../contract/app-text.ts';
import type { Origin } from '../../contract/message.ts';
import type { Problem } from '../../contract/subscription.ts';
import type { SharedServices } from '../common-services.ts';
import type { App } from '../state/app.ts';
import type { Apps } from '../state/apps.ts';
import type { LiveMessage } from '../state/live.ts';

/** Origins of messages that an app published. */
const OF_AN_APP: ReadonlySet<Origin> = new Set(['http', 'bulk', 'grpc', 'grpc-bulk']);

export class MissingLists {
  readonly #shared: SharedServices;
  readonly #apps: Apps;
  /** What is said of each app, and of which address. An app that leaves takes its own along. */
  readonly #told = new WeakMap<App, { readonly url: string; readonly message: string }>();

  constructor(shared: SharedServices, apps: Apps) {
    this.#shared = shared;
    this.#apps = apps;
    shared.signals.on('withoutSubscription', (message) => this.#published(message));
    shared.signals.on('aligned', (app) => this.#aligned(app));
  }

  /** The present problem of an app. */
  problems(app: App): readonly Problem[] {
    const told = this.#told.get(app);
    return told?.url !== app.discovery.url || !lacksList(app)
      ? []
      : [{ code: 'missing-list', severity: 'warning', message: told.message }];
  }

  #published({ row: { appId, topic, pubsubname, source, deadLetterOf } }: LiveMessage): void {
    // A copy on a dead-letter topic waits there for a person.
    if (deadLetterOf !== undefined) return;
    const { all } = this.#apps;
    const publisher = OF_AN_APP.has(source) ? appId : undefined;
    for (const app of all) {
      // The publisher need not subscribe, but where it is the only app, nobody else can.
      const isPublisher = app.appId === publisher && all.some((other) => other.appId !== publisher);
      const { url } = app.discovery;
      if (isPublisher || this.#told.get(app)?.url === url || !lacksList(app)) continue;
      const message = missingList(app, { topic, pubsubname });
      this.#told.set(app, { url, message });
      this.#shared.log.write('warn', 'subscriptions', message);
      this.#shared.events.add({ type: 'topology.changed', appId: app.appId });
    }
  }

  /** Forgets an app that has subscriptions now: should it lose them, that is news again. */
  #aligned(app: App): void {
    if (!lacksList(app)) this.#told.delete(app);
  }
}

/**
 * Whether the app has no discovery route, or lists nothing, and has no subscription of a file either. One that speaks another profile, or has
 * mistakes in its list, has a problem that says so.
 */
function lacksList(app: Pick<App, 'discovery' | 'rows' | 'problems' | 'listedBy'>): boolean {
  const { discovery, rows, problems } = app;
  return (
    rows.length === 0 &&
    (hasNoDiscoveryRoute(discovery) || listsNothing(app)) &&
    !problems.some(({ code }) => code === OTHER_PROFILE)
  );
}

/**
 * Whether the app itself answered that it subscribes to nothing. The mock app lists what a person entered, and one without an address, or
 * without a component, is not asked.
 */
function listsNothing({
  discovery,
  problems,
  listedBy,
}: Pick<App, 'discovery' | 'problems' | 'listedBy'>): boolean {
  const isAnswer = discovery.state === 'done' && discovery.status !== undefined && discovery.url !== '';
  return isAnswer && listedBy?.isMock === false && listMistakes(problems).length === 0;
}

function missingList(
  { appId, discovery }: Pick<App, 'appId' | 'discovery'>,
  { topic, pubsubname }: Pick<LiveMessage['row'], 'topic' | 'pubsubname'>,
): string {
  const { url, status } = discovery;
  const refusal = status === grpcCode('UNIMPLEMENTED') ? 'answers UNIMPLEMENTED' : 'answers 404';
  const answer = hasNoDiscoveryRoute(discovery) ? refusal : 'answers with an empty list';
  return `A message was published to ${topic} on ${pubsubname}, to which nobody subscribes. ${theAppFirst(appId)} ${answer} at ${url}, so it has no subscriptions.`;
}
