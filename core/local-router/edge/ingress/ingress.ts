/**
 * The TLS front of webhooks: forwards by host and path, answers if the upstream is down, and simulates
 * faults.
 */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { TLSSocket } from 'node:tls';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Agent } from 'undici';
import type { EvrCode } from '../../../contract/event-router/wire.ts';
import type {
  CertInfo,
  IngressFault,
  IngressRule,
  IngressStatus,
} from '../../../contract/event-router/local-router-status.ts';
import { errorText } from '../../../contract/error-text.ts';
import { withoutUndefined } from '../../../contract/without-undefined.ts';
import type { Log } from '../../../ports/log.ts';
import { RouterError } from '../../../ports/local-router.ts';
import type { Faults } from '../../faults.ts';
import type { LocalRouterSettings } from '../../options.ts';
import { describeCertificate, suppliedVerdict } from '../../trust/certificate-making.ts';
import type { PemPair } from '../../trust/certificate-making.ts';
import type { Certificates } from '../../trust/certificates.ts';
import { listen } from '../listen.ts';
import { bytesOf, createWeb } from '../listener.ts';
import type { Web } from '../listener.ts';
import type { RefusalLog } from '../refusal-log.ts';
import { WireError } from '../../rules/wire-error.ts';
import { forwardedHeaders, returnedHeaders } from './headers.ts';

export interface IngressDependencies {
  readonly settings: LocalRouterSettings;
  readonly certificates: Certificates;
  readonly faults: Faults;
  readonly refusals: RefusalLog;
  readonly log: Log;
  readonly now: () => number;
  readonly changed: () => void;
  /** Called when a fault is removed, or an upstream that was down answers again. */
  readonly repaired: () => void;
}

interface Rule {
  readonly host: string;
  readonly path: string;
  readonly upstream: string;
  readonly rewrite?: string;
  state: IngressRule['upstreamState'];
}

const UPSTREAM_MS = 29_000;
const BODY_LIMIT = 2 * 1024 * 1024;
/** Verdict of a router on the certificate of each fault that shows a wrong one. */
const FAULT_VERDICTS: Readonly<Partial<Record<IngressFault, EvrCode>>> = {
  'self-signed': 'EVR-TLS-02',
  expired: 'EVR-TLS-03',
  'wrong-host': 'EVR-TLS-04',
};

export class Ingress {
  readonly #deps: IngressDependencies;
  readonly #rules = new Map<string, Rule>();
  readonly #agent = new Agent({ connect: { timeout: 2000 }, headersTimeout: 0, bodyTimeout: 0 });
  #app: Web | undefined;
  #url: string | undefined;
  #fault: IngressFault = 'none';
  /** Connections that were opened during the present fault. */
  #present = new WeakSet<object>();
  /** SHA-256 of the certificate for new connections. */
  #fingerprint: string | undefined;
  /** Certificate that is shown instead of the right one. */
  #faulty: PemPair | undefined;
  #error: IngressStatus['error'];

  constructor(deps: IngressDependencies) {
    this.#deps = deps;
    for (const rule of deps.settings.ingress.rules) {
      this.#rules.set(keyOf(rule.host, rule.path), { ...rule, state: 'unknown' });
    }
    deps.certificates.onChange(() => void this.#show());
  }

  get url(): string {
    return this.#url ?? '';
  }

  /** Opens the ingress. Rejects with RouterError; `status().error` has the same. */
  async start(): Promise<void> {
    const { settings, faults, refusals, log } = this.#deps;
    const pair = this.#pair();
    this.#fingerprint = new X509Certificate(pair.cert).fingerprint256;
    const app = createWeb({
      pair,
      hostNames: () => [...settings.hostNames, ...[...this.#rules.values()].map(({ host }) => host)],
      bodyLimit: BODY_LIMIT,
      faults,
      refusals,
      log,
      times: settings.times,
      targetOf: () => 'ingress',
    });
    app.server.on('secureConnection', (socket) => {
      if (this.#showsPresent(socket)) this.#present.add(socket);
    });
    app.addHook('onSend', async (request, reply) => {
      // A connection from the time of another fault closes after this request, so that the next one meets the
      // present fault.
      if (!this.#present.has(request.raw.socket)) void reply.header('connection', 'close');
    });
    app.all('/*', (request, reply) => this.#forward(request, reply));
    try {
      this.#url = await listen(app, {
        address: settings.listen.ingress,
        soft: settings.listen.soft.ingress,
        allowRemote: settings.allowRemote,
        what: 'the ingress',
      });
      this.#app = app;
      this.#error = undefined;
    } catch (error) {
      await app.close();
      const message = errorText(error);
      const hint = settings.listen.ingress.endsWith(':443')
        ? '; give subscriberEndpoint an explicit port'
        : '';
      this.#error = { code: 'EVR-ING-01', message: message + hint };
      throw new RouterError('EVR-ING-01', message + hint, { cause: error });
    }
  }

  async stop(): Promise<void> {
    await this.#app?.close();
    this.#app = undefined;
    await this.#agent.close();
  }

  async ensureRule(publicUrl: URL, upstream: URL): Promise<CertInfo> {
    const host = publicUrl.hostname.replaceAll(/^\[|\]$/g, '');
    const covered = await this.#deps.certificates.ensureHost(host);
    const key = keyOf(publicUrl.hostname, publicUrl.pathname);
    const before = this.#rules.get(key);
    if (before?.upstream !== upstream.origin) {
      const rule = { host: publicUrl.hostname, path: publicUrl.pathname, upstream: upstream.origin };
      this.#rules.set(key, { ...rule, state: 'unknown' });
      this.#deps.changed();
    }
    const { leaf } = this.#deps.certificates.status();
    return covered ? leaf : { ...leaf, verdict: 'EVR-TLS-04' };
  }

  async setFault(fault: IngressFault): Promise<void> {
    const before = this.#fault;
    this.#fault = fault;
    await this.#show();
    // Connected callers meet the new fault as well; a renewed certificate is no reason to disconnect them.
    if (fault !== before) {
      this.#present = new WeakSet();
      this.#app?.server.closeIdleConnections();
    }
    this.#deps.changed();
    if (fault === 'none' && before !== 'none') this.#deps.repaired();
  }

  status(): IngressStatus {
    return {
      listening: this.#app !== undefined,
      ...withoutUndefined({ url: this.#url }),
      fault: this.#fault,
      rules: [...this.#rules.values()].map(({ state, ...rule }) => ({ ...rule, upstreamState: state })),
      certificate: this.#shown(),
      ...withoutUndefined({ error: this.#error }),
    };
  }

  /** Shows the certificate of the present fault to every new connection. */
  async #show(): Promise<void> {
    const app = this.#app;
    if (app === undefined) return;
    const faulty = await this.#deps.certificates.faulty(this.#fault);
    this.#faulty = faulty;
    const pair = faulty ?? this.#pair();
    this.#fingerprint = new X509Certificate(pair.cert).fingerprint256;
    app.server.setSecureContext({ ...pair, minVersion: 'TLSv1.2' });
  }

  /**
   * Whether a connection shows the present certificate. It keeps the one from the time when it was accepted,
   * however late its handshake ends.
   */
  #showsPresent(socket: TLSSocket): boolean {
    const own = socket.getCertificate();
    return own !== null && 'fingerprint256' in own && own.fingerprint256 === this.#fingerprint;
  }

  #pair(): PemPair {
    const { cert, key } = this.#deps.settings.ingress;
    if (cert === undefined || key === undefined) return this.#deps.certificates.leaf;
    return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
  }

  #shown(): CertInfo {
    const verdict = FAULT_VERDICTS[this.#fault];
    if (this.#faulty !== undefined && verdict !== undefined)
      return describeCertificate(this.#faulty.cert, this.#deps.now(), verdict);
    const { cert } = this.#deps.settings.ingress;
    if (cert === undefined) return this.#deps.certificates.status().leaf;
    const { cert: pem } = this.#pair();
    return describeCertificate(pem, this.#deps.now(), suppliedVerdict(pem, this.#deps.now()));
  }

  async #forward(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const target = request.raw.url ?? '/';
    const [path = '/'] = target.split('?');
    const rule = this.#rules.get(keyOf(hostOf(request), path));
    if (this.#fault === '503' || this.#fault === 'pause') throw unavailable();
    if (rule === undefined) throw new WireError(404, 'NotFound', 'The ingress has no rule for this address.');
    const body = bytesOf(request);
    try {
      const answer = await this.#agent.request({
        origin: rule.upstream,
        path: (rule.rewrite ?? path) + target.slice(path.length),
        method: request.method,
        headers: forwardedHeaders(request),
        body: body.length === 0 ? null : body,
        signal: AbortSignal.timeout(UPSTREAM_MS),
      });
      this.#saw(rule, 'up');
      void reply.code(answer.statusCode).headers(returnedHeaders(answer.headers));
      await reply.send(Buffer.from(await answer.body.arrayBuffer()));
    } catch (error) {
      if (error instanceof Error && error.name === 'TimeoutError') {
        throw new WireError(
          504,
          'GatewayTimeout',
          'The webhook behind the ingress did not answer within 29 s.',
        );
      }
      this.#saw(rule, 'down');
      throw unavailable();
    }
  }

  #saw(rule: Rule, state: 'up' | 'down'): void {
    if (rule.state === state) return;
    const wasDown = rule.state === 'down';
    rule.state = state;
    this.#deps.changed();
    if (wasDown && state === 'up') this.#deps.repaired();
  }
}

function unavailable(): WireError {
  return new WireError(503, 'ServiceUnavailable', 'The webhook behind the ingress cannot be reached.', {
    headers: { 'retry-after': '1' },
  });
}

function hostOf(request: FastifyRequest): string {
  return (request.headers.host ?? '').replace(/:\d+$/, '');
}

function keyOf(host: string, path: string): string {
  return `${host.toLowerCase()} ${path}`;
}
