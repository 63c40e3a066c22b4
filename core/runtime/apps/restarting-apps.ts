/** Pauses the deliveries of an app while its process restarts, so that no attempt is wasted. */
import { PROBE_MS } from '../../ports/app-channel.ts';
import type { Clock } from '../../ports/clock.ts';
import type { App } from '../state/app.ts';
import type { SharedServices } from '../common-services.ts';
import { Waits } from '../time/waits.ts';
import type { Discovery } from './discovery.ts';

const POLL_INTERVAL_MS = 25;
/** Maximum wait for running calls to end. */
const QUIET_MS = 1_000;

export class RestartingApps {
  readonly #discovery: Pick<Discovery, 'ask'>;
  readonly #appOf: (appId: string) => App;
  readonly #clock: Clock;
  readonly #waits: Waits;
  /** The newest wait for each app; a later call of `expect` ends an earlier one. */
  readonly #expected = new Map<App, symbol>();

  constructor(shared: SharedServices, discovery: Pick<Discovery, 'ask'>, appOf: (appId: string) => App) {
    this.#discovery = discovery;
    this.#appOf = appOf;
    this.#clock = shared.clock;
    this.#waits = new Waits(shared.clock);
  }

  /**
   * Stops new deliveries to the app. Resolves when the running ones have ended, or after a second, because
   * ending the app earlier would break them off. Throws Refusal NOT_FOUND.
   */
  async begin(appId: string): Promise<void> {
    const app = this.#appOf(appId);
    app.beginRestart();
    this.#expected.delete(app);
    const until = this.#clock.monotonic() + QUIET_MS;
    while (app.inFlight > 0 && !this.#waits.ended && this.#clock.monotonic() < until)
      await this.#waits.wait(POLL_INTERVAL_MS);
  }

  /**
   * Waits until the app's port is open, asks the app for its subscriptions, and resumes its deliveries. Resolves then, or when the app is
   * removed, the runtime ends, or the app is away again. Throws Refusal NOT_FOUND.
   */
  async expect(appId: string): Promise<void> {
    const app = this.#appOf(appId);
    const turn = Symbol(appId);
    this.#expected.set(app, turn);
    const isOver = (): boolean => this.#waits.ended || app.isRemoved || this.#expected.get(app) !== turn;
    while (!isOver() && app.hasAddress && !(await app.channel.probe(PROBE_MS)))
      await this.#waits.wait(POLL_INTERVAL_MS);
    if (isOver()) return;
    // The first discovery belongs to `Discovery.follow`, so only an app that was asked before is asked here.
    if (app.discovered && app.hasAddress) await this.#discovery.ask(app);
    if (isOver()) return;
    app.endRestart();
    app.pumpAll();
  }

  /** Ends every wait. */
  stop(): void {
    this.#waits.end();
  }
}
