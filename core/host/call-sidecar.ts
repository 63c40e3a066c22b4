/** Calls a sidecar over HTTP, as any client does. */
import type { ProbeAnswer } from '../contract/reports.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Clock } from '../ports/clock.ts';

const MAX_MS = 10_000;

/** Answer of a path of an app's sidecar, whatever its status. Throws Refusal if there is none. */
export function callSidecar(
  topology: { apps(): readonly { readonly appId: string; readonly sidecar: string }[] },
  clock: Clock,
): (appId: string, path: string) => Promise<ProbeAnswer> {
  return (appId, path) => {
    const { sidecar = '' } = topology.apps().find((app) => app.appId === appId) ?? {};
    return call(`${sidecar}${path}`, clock);
  };
}

async function call(url: string, clock: Clock): Promise<ProbeAnswer> {
  const at = clock.now();
  const began = clock.monotonic();
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(MAX_MS) });
    const body = await answer.text();
    return {
      url,
      at: new Date(at).toISOString(),
      tookMs: clock.monotonic() - began,
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body,
    };
  } catch (reason) {
    throw new Refusal('NOT_FOUND', { reason: `${url} does not answer: ${whyNot(reason)}.` });
  }
}

/** The cause of "fetch failed", for example "connect ECONNREFUSED 127.0.0.1:3500". */
function whyNot(reason: unknown): string {
  if (!(reason instanceof Error)) return String(reason);
  return reason.cause instanceof Error ? reason.cause.message : reason.message;
}
