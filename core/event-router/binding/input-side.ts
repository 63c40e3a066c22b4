/**
 * The input side. It goes through steps from an app that wants events to a subscription that delivers them,
 * and repeats each step until it succeeds.
 */
import type {
  HandshakeReport,
  InputReport,
  InputStep,
  KeysReport,
  ManagementToken,
  TokenVerdict,
  WebhookRow,
} from '../../contract/event-router/components.ts';
import type { SubscriptionRecord } from '../../contract/event-router/wire.ts';
import { errorText } from '../../contract/error-text.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { RouterTrouble } from '../rules/trouble.ts';
import type { BindingListener, BindingNotice, TakeEvent } from '../../ports/binding.ts';
import { discover } from '../client/identity.ts';
import { PART, PROBING_MS, waitAfter } from './input-dependencies.ts';
import type { InputDependencies } from './input-dependencies.ts';
import { SubscriptionManager } from './subscription-manager.ts';
import { probe } from './probe.ts';
import type { PublishedKeys } from '../client/published-keys.ts';
import { Recent } from './recent.ts';
import { Steps } from './steps.ts';
import type { JwtVerifier, Verified } from '../client/token-verifier.ts';
import { Waiting } from './waiting.ts';
import { openWebhook } from '../webhook/webhook.ts';
import type { Webhook } from '../webhook/webhook-server.ts';

const MAX_HANDSHAKES = 20;
const MAX_VERDICTS = 20;
const MAX_REQUESTS = 50;

export class InputSide {
  readonly steps: Steps;
  management: SubscriptionManager;
  /** Whether handshakes are answered with consent. */
  consents = true;
  #deps: InputDependencies;
  readonly #waiting: Waiting;
  readonly #handshakes = new Recent<HandshakeReport>(MAX_HANDSHAKES);
  readonly #verdicts = new Recent<TokenVerdict>(MAX_VERDICTS);
  readonly #received = new Recent<WebhookRow>(MAX_REQUESTS);
  readonly #counts = { accepted: 0, refused: 0, unauthorized: 0 };
  #verifier: JwtVerifier | undefined;
  #keys: PublishedKeys | undefined;
  #webhook: Webhook | undefined;
  #take: TakeEvent | undefined;
  #running: { readonly abort: AbortController; readonly ended: Promise<void> } | undefined;
  #appId: string | undefined;
  #probing = 0;

  constructor(deps: InputDependencies) {
    this.#deps = deps;
    this.steps = new Steps(deps.clock, deps.changed);
    this.management = new SubscriptionManager(deps);
    this.#waiting = new Waiting(deps.clock);
    this.steps.begin('configured');
    this.steps.done('configured');
    this.steps.begin('waiting-app');
  }

  /** Takes the runtime's reports on the app before the input side listens. */
  notice(notice: BindingNotice): void {
    this.#appId = notice.appId;
    const { steps } = this;
    switch (notice.kind) {
      case 'probing':
        steps.done('waiting-app', notice.appId);
        steps.begin('probing-app');
        break;
      case 'subscribed':
        if (notice.status === undefined) {
          steps.done('waiting-app', notice.appId);
          steps.skipped('probing-app', 'the direction is given, so the app is not asked');
        } else steps.done('probing-app', `OPTIONS ${notice.path}: ${notice.status}`);
        break;
      case 'not-subscribed':
        steps.done('probing-app', `the app answered ${notice.status}: it does not accept the events`);
        steps.to('not-subscribed');
        break;
      case 'no-answer':
        steps.failed('probing-app', new Error(notice.message), notice.againMs);
    }
  }

  /** Starts the steps, which then go on by themselves; a failed one is repeated. */
  listen(take: TakeEvent): BindingListener {
    this.#take = take;
    const abort = new AbortController();
    this.#running = { abort, ended: this.#run(take, abort.signal) };
    return { close: () => this.close() };
  }

  /**
   * Applies new settings: the steps run again, with a token of their own. The webhook keeps answering
   * meanwhile.
   */
  change(fields: InputDependencies['fields'], guest: InputDependencies['guest']): void {
    this.#deps = { ...this.#deps, fields, guest };
    this.management = new SubscriptionManager(this.#deps);
    const take = this.#take;
    const before = this.#running;
    if (take === undefined || before === undefined) return;
    before.abort.abort(new Error('the settings of the component changed'));
    const abort = new AbortController();
    const ended = before.ended.then(() => this.#run(take, abort.signal));
    this.#running = { abort, ended };
  }

  /** Runs the waiting step now. True: a step was waiting. */
  retry(): boolean {
    return this.#waiting.wakeUp();
  }

  /** Sends OPTIONS through the real ingress, and reports the answer. */
  async probe(signal: AbortSignal): Promise<HandshakeReport> {
    const { client, fields, clock } = this.#deps;
    this.#probing += 1;
    try {
      const report = await probe(client, fields.subscriberEndpoint, clock, signal);
      this.#handshakes.add(report);
      this.#deps.changed();
      return report;
    } finally {
      this.#probing -= 1;
    }
  }

  /** Gets a new management token and the present published keys. Rejects RouterTrouble. */
  async refresh(signal: AbortSignal): Promise<void> {
    await this.#keys?.refresh(signal);
    await this.management.refreshToken(signal);
  }

  /**
   * Puts the subscription even if it is unchanged, so that the router asks for consent again. Rejects
   * RouterTrouble.
   */
  async putAgain(signal: AbortSignal): Promise<SubscriptionRecord> {
    return this.management.put(await this.management.get(signal), signal);
  }

  report(): InputReport {
    const { fields, explicit } = this.#deps;
    const { previous } = this.management;
    return {
      state: this.steps.state,
      steps: this.steps.list(),
      explicit,
      route: `/${fields.route}`,
      ...withoutUndefined({ appId: this.#appId }),
      webhook: {
        address: `127.0.0.1:${fields.handshakePort}`,
        path: fields.path,
        listening: this.#webhook !== undefined,
      },
      subscriberEndpoint: fields.subscriberEndpoint,
      scope: fields.scope.text,
      scopeKind: fields.scope.kind,
      subscriptionName: fields.subscriptionName,
      handshakes: this.#handshakes.list(),
      received: this.#received.list(),
      counts: { ...this.#counts },
      ...withoutUndefined({ previous }),
    };
  }

  tokens(): {
    readonly management: ManagementToken;
    readonly keys: KeysReport;
    readonly verdicts: readonly TokenVerdict[];
  } {
    return {
      management: this.management.token(),
      keys: this.#keys?.report ?? { kids: [] },
      verdicts: this.#verdicts.list(),
    };
  }

  async close(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    running?.abort.abort(new Error('the component is being closed'));
    await running?.ended;
    const webhook = this.#webhook;
    this.#webhook = undefined;
    await webhook?.close();
    this.steps.to('stopped');
  }

  async #run(take: TakeEvent, signal: AbortSignal): Promise<void> {
    const { log, component } = this.#deps;
    try {
      await this.#step('resolving-identity', signal, () => this.#resolve(signal));
      await this.#step('listening', signal, () => this.#open(take));
      await this.#probeStep(signal);
      await this.#step('acquiring-token', signal, () => this.management.acquire(signal));
      await this.#step('reconciling', signal, () => this.management.reconcile(signal));
      this.steps.begin('ready');
      this.steps.done('ready');
      log.write('info', PART, `Component ${component}: the input is ready.`);
    } catch (error) {
      if (signal.aborted) return;
      const reason = errorText(error);
      log.write('error', PART, `Component ${component}: its input side failed: ${reason}`);
      this.steps.to('failed');
    }
  }

  /**
   * Repeats a step until it succeeds. After an error that only another configuration fixes, it waits for a
   * person.
   */
  async #step(step: InputStep, signal: AbortSignal, act: () => Promise<string>): Promise<void> {
    const { clock, log, component } = this.#deps;
    for (let k = 1; ; k += 1) {
      this.steps.begin(step);
      try {
        this.steps.done(step, await act());
        return;
      } catch (error) {
        if (signal.aborted) throw error;
        const trouble = error instanceof RouterTrouble ? error : undefined;
        const waitMs = Math.max(waitAfter(step, k), trouble?.retryAfterMs ?? 0);
        const againMs = trouble?.final === true ? undefined : clock.now() + waitMs;
        this.steps.failed(step, error, againMs);
        const reason = errorText(error);
        log.write(
          againMs === undefined ? 'error' : 'warn',
          PART,
          `Component ${component}: ${step} failed${trouble === undefined ? '' : ` (${trouble.code})`}: ${reason}`,
        );
        await (againMs === undefined
          ? this.#waiting.untilWoken(signal)
          : this.#waiting.until(againMs, signal));
      }
    }
  }

  async #resolve(signal: AbortSignal): Promise<string> {
    const { access, client, clock, fields, guest } = this.#deps;
    const endpoints = await access.prepare(guest);
    const found = await discover(endpoints.authority, fields.tenantId, { client, clock }, signal);
    // The library for tokens takes long to load, and most starts do not need it.
    const { PublishedKeys: Keys, verifierOf } = await import('./verifier.ts');
    const keys = new Keys(found.jwksUri, client, clock);
    await keys.refresh(signal);
    this.#keys = keys;
    this.#verifier = verifierOf(this.#deps, { issuer: found.issuer, endpoints, keys });
    this.management.use(endpoints, found.tokenEndpoint);
    const n = keys.report.kids.length;
    return `issuer ${found.issuer}, ${n} ${n === 1 ? 'key' : 'keys'}`;
  }

  async #open(take: TakeEvent): Promise<string> {
    const { fields, clock, log, access, changed, component } = this.#deps;
    const address = `http://127.0.0.1:${fields.handshakePort}${fields.path}`;
    const before = this.#webhook;
    if (before?.port === fields.handshakePort) return address;
    // The old port stays open until the new one is.
    this.#webhook = await openWebhook({
      port: fields.handshakePort,
      path: () => this.#deps.fields.path,
      verify: (header) => this.#verify(header),
      rules: () => access.rules(),
      take,
      mayConsent: () => this.consents,
      isProbing: () => this.#probing > 0,
      onHandshake: (handshake) => {
        this.#handshakes.add(handshake);
        changed();
      },
      onRequest: (row) => this.#count(row),
      onVerdict: (verdict) => this.#verdicts.add(verdict),
      clock,
      log,
    });
    await before?.close();
    log.write('info', PART, `Component ${component}: listening for events at ${address}`);
    return address;
  }

  #verify(header: string | undefined): Promise<Verified> {
    if (this.#verifier === undefined) throw new Error('there is no verifier yet');
    return this.#verifier.verify(header);
  }

  #count(row: WebhookRow): void {
    this.#received.add(row);
    if (row.status === 401 || row.status === 503) this.#counts.unauthorized += 1;
    else if (row.status === 200) this.#counts.accepted += 1;
    else this.#counts.refused += 1;
  }

  /**
   * Repeats the probe through the ingress until it is answered. After a minute the next step begins, because
   * the router tests the way itself.
   */
  async #probeStep(signal: AbortSignal): Promise<void> {
    const { access, clock } = this.#deps;
    if (!access.rules().selfProbe) {
      this.steps.skipped('self-probing', 'the setting eventRouter.ingress.selfProbe is off');
      return;
    }
    const until = clock.monotonic() + PROBING_MS;
    await this.#step('self-probing', signal, async () => {
      const report = await this.probe(signal);
      const isReached = report.status === 200 || report.status === 401;
      if (isReached) return `OPTIONS ${this.#deps.fields.subscriberEndpoint}: ${report.status}`;
      const words = report.message ?? `the ingress answered ${report.status ?? 'nothing'}`;
      if (clock.monotonic() >= until) return `${words}; the router will find out`;
      throw new RouterTrouble(report.code ?? 'EVR-ING-03', words);
    });
  }
}
