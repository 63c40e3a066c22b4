/**
 * Sends one OPTIONS to the subscriber endpoint as the router would: through the ingress, with the same trust.
 */
import type { HandshakeReport } from '../../contract/event-router/components.ts';
import { errorText } from '../../contract/error-text.ts';
import { RouterTrouble } from '../rules/trouble.ts';
import type { Clock } from '../../ports/clock.ts';
import type { TrustedClient } from '../client/trusted-client.ts';
import { PROBE_ORIGIN } from '../webhook/webhook.ts';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 4096;

/** Sends the probe. A network error gives a report without status. Rejects when `signal` is aborted. */
export async function probe(
  client: TrustedClient,
  url: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<HandshakeReport> {
  const common = {
    at: new Date(clock.now()).toISOString(),
    by: 'self-probe' as const,
    origin: PROBE_ORIGIN,
    token: 'absent' as const,
  };
  try {
    const answer = await client.call(
      {
        url,
        method: 'OPTIONS',
        headers: { 'webhook-request-origin': PROBE_ORIGIN },
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_BYTES,
        onTooLarge: 'cut',
        signal,
      },
      'EVR-NET-10',
    );
    const { status, headers } = answer;
    const consents = headers['webhook-allowed-origin'] !== undefined;
    return {
      ...common,
      status,
      headers: shown(headers),
      consent: consents ? 'yes' : 'no',
      ...(status === 200 || status === 401
        ? {}
        : { code: 'EVR-ING-03' as const, message: describeStatus(status) }),
    };
  } catch (error) {
    if (signal.aborted) throw error;
    const trouble = error instanceof RouterTrouble ? error : undefined;
    return {
      ...common,
      headers: {},
      consent: 'no',
      ...(trouble === undefined ? {} : { code: trouble.code }),
      message: errorText(error),
    };
  }
}

function describeStatus(status: number): string {
  if (status === 503) return 'the ingress answered 503: it is malfunctioning or does not reach the webhook';
  if (status === 404)
    return 'the ingress answered 404: it has no rule for this address, or rewrites its path';
  return `the ingress answered ${status}`;
}

function shown(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => name.startsWith('webhook-') || name === 'allow' || name === 'retry-after',
    ),
  );
}
