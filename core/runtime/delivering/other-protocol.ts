/**
 * Deliveries created while their app spoke the other protocol. The path of an HTTP app is no handler of a gRPC app, and vice versa, so each
 * gets a new route by the present rules. Its other settings stay.
 */
import { errorText } from '../../contract/error-text.ts';
import type { Protocol } from '../../contract/grpc.ts';
import { settingsOf } from '../state/app.ts';
import type { App, Lane } from '../state/app.ts';
import type { Deliveries } from '../state/delivery.ts';
import type { ActiveSubscription, LiveDelivery } from '../state/live.ts';
import type { LogBook } from '../telemetry/log-book.ts';
import type { Signals } from '../signals.ts';
import type { Intake } from './intake.ts';

export interface OtherProtocolDependencies {
  readonly log: Pick<LogBook, 'write'>;
  readonly signals: Pick<Signals, 'emit'>;
  readonly deliveries: Pick<Deliveries, 'alone' | 'changed'>;
  readonly intake: Pick<Intake, 'destination'>;
}

export function isOfOtherProtocol(
  { subscription, route }: Pick<LiveDelivery, 'subscription' | 'route'>,
  app: Pick<App, 'channel'>,
  { key, active }: Pick<Lane, 'key' | 'active'>,
): boolean {
  const { protocol: made = 'http' } = subscription.settings ?? {};
  const { protocol: now = 'http' } = app.channel;
  if (made === now || active === undefined) return false;
  if (key.stream !== undefined || subscription.source === 'binding') return false;
  // A delivery of an older history does not record that it was created for a gRPC app.
  return now === 'http' || !isPathOf(active, route.path);
}

function isPathOf({ subscription: { rules, defaultPath } }: ActiveSubscription, path: string): boolean {
  return path === defaultPath || rules.some((rule) => rule.path === path);
}

export class OtherProtocol {
  readonly #deps: OtherProtocolDependencies;

  constructor(deps: OtherProtocolDependencies) {
    this.#deps = deps;
  }

  /** Gives the delivery a present route, then queues it again. Without a route it is sent with its old one. Never rejects. */
  async reroute(app: App, { active }: Pick<Lane, 'active'>, d: LiveDelivery): Promise<void> {
    const { deliveries } = this.#deps;
    const { protocol = 'http' } = app.channel;
    await deliveries.alone(d, async () => {
      const route = active === undefined ? undefined : await this.#routeOfNow(d, active, protocol);
      if (route !== undefined) d.reroute(route);
      // A delivery of an older history has no settings of its own, and would lose those of its subscription.
      const { protocol: _made, ...settings } = settingsOf(d, { active }) ?? {};
      d.changeSettings(protocol === 'grpc' ? { ...settings, protocol } : settings);
      void deliveries.changed(d);
    });
    this.#deps.signals.emit('rerouted', d);
    const goesOn = !d.message.isRemoved && (d.state === 'queued' || d.state === 'retrying');
    if (goesOn) this.#deps.signals.emit('ready', d);
  }

  async #routeOfNow(
    d: LiveDelivery,
    active: ActiveSubscription,
    protocol: Protocol,
  ): Promise<LiveDelivery['route'] | undefined> {
    try {
      const found = await this.#deps.intake.destination(d, active, protocol);
      return found.kind === 'path' ? found.route : undefined;
    } catch (error) {
      const text = `Its app speaks another protocol now, and its new route is not known: ${errorText(error)}`;
      const { deliveryId, message } = d;
      this.#deps.log.write('error', 'routing', text, { messageId: message.messageId, deliveryId });
      return undefined;
    }
  }
}
