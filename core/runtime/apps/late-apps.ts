/** Creates the deliveries of messages that were published while the first list of their app was awaited. */
import { errorText } from '../../contract/error-text.ts';
import { theApp } from '../../contract/app-text.ts';
import type { App } from '../state/app.ts';
import type { Deliveries } from '../state/delivery.ts';
import type { Components } from '../components/components.ts';
import type { Intake } from '../delivering/intake.ts';
import { laneKey, laneName } from '../state/live.ts';
import type { LiveMessage } from '../state/live.ts';
import type { Serving } from './serving.ts';
import type { SharedServices } from '../common-services.ts';

export interface LateAppDependencies {
  readonly components: Pick<Components, 'pubsub'>;
  readonly deliveries: Deliveries;
  readonly intake: Intake;
  readonly serving: Serving;
}

export class LateApps {
  readonly #shared: SharedServices;
  readonly #deps: LateAppDependencies;

  constructor(shared: SharedServices, deps: LateAppDependencies) {
    this.#shared = shared;
    this.#deps = deps;
  }

  /**
   * Delivers the app its waiting messages in order of publishing; those of a component that is not ready keep waiting. Never rejects: a
   * message that cannot be read keeps waiting, with a log line.
   */
  async serve(app: App): Promise<void> {
    for (const message of this.#shared.live.staged()) {
      if (message.row.waitingFor?.includes(app.appId) !== true) continue;
      if (!app.isRemoved && this.#lacksComponent(app, message)) continue;
      try {
        const given = this.#shared.live.wire(message);
        this.#serveOne(app, message, given instanceof Promise ? await given : given);
      } catch (error) {
        const reason = errorText(error);
        this.#shared.log.write(
          'error',
          'delivery',
          `The message still waits for ${theApp(app.appId)}: ${reason}`,
          {
            messageId: message.messageId,
          },
        );
      }
    }
  }

  /** True if the app may get the message later: its subscriptions count once the component is ready. */
  #lacksComponent({ appId }: App, message: LiveMessage): boolean {
    const { pubsubname } = message.row;
    if (this.#deps.components.pubsub(appId, pubsubname) !== undefined) return false;
    const text = `It waited for component ${pubsubname}, which was not ready for ${theApp(appId)}.`;
    this.#deps.deliveries.flag(message, text);
    return true;
  }

  #serveOne(app: App, message: LiveMessage, wire: Parameters<Intake['create']>[4]): void {
    const { deliveries, intake, serving } = this.#deps;
    const { pubsubname, topic } = message.row;
    for (const lane of serving.matching(app, pubsubname, topic)) {
      const isKnown = message.deliveries.some((d) => laneName(laneKey(d)) === laneName(lane.key));
      if (!isKnown) intake.create(app, lane, message, undefined, wire);
    }
    const placing = deliveries.placing(message);
    if (placing === undefined) this.#served(app, message);
    else void placing.then(() => this.#served(app, message));
  }

  #served(app: App, message: LiveMessage): void {
    const { stage, waitingFor = [] } = message.row;
    if (message.isRemoved || !waitingFor.includes(app.appId)) return;
    const rest = waitingFor.filter((appId) => appId !== app.appId);
    const isDone = rest.length === 0;
    void this.#deps.deliveries.patchMessage(message, {
      waitingFor: isDone ? undefined : rest,
      stage: isDone && stage === 'waiting' ? undefined : stage,
    });
    if (isDone && message.deliveries.length === 0) this.#shared.signals.emit('withoutSubscription', message);
  }
}
