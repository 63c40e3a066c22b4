/** Next call after a redirect, by the rules of the HTTP client that the reference uses. */
import type { Dispatcher } from 'undici';

export interface Step {
  readonly address: URL;
  readonly method: Dispatcher.HttpMethod;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string | null;
}

/** Calls of one invocation, the first one among them; if the last one is redirected too, it fails. */
export const MAX_CALLS = 10;

/** Redirects that are followed with GET and without the body. */
const AS_GET: ReadonlySet<number> = new Set([301, 302, 303]);
/** Redirects that are followed with the same method and body. */
const AS_SENT: ReadonlySet<number> = new Set([307, 308]);
/** Headers that another host does not get. */
const SECRETS: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'cookie2',
  'proxy-authorization',
  'www-authenticate',
]);

/**
 * The next call; undefined: the answer is the last one (no redirect, or one that names no place).
 * @param first host of the first call: its secrets go to that host and hosts below it alone
 * @throws Error for a place that is no http or https address
 */
export function redirected(
  step: Step,
  status: number,
  location: string | undefined,
  first: string,
): Step | undefined {
  const isAsGet = AS_GET.has(status);
  if ((!isAsGet && !AS_SENT.has(status)) || location === undefined || location === '') return undefined;
  const address = URL.canParse(location, step.address.href) ? new URL(location, step.address) : undefined;
  if (address?.protocol !== 'http:' && address?.protocol !== 'https:')
    throw new Error(`redirected to "${location}", which is not an http or https address`);
  const { hostname } = address;
  const mayKnow = hostname === first || hostname.endsWith(`.${first}`);
  const kept = Object.entries(step.headers).filter(([name]) => mayKnow || !SECRETS.has(name.toLowerCase()));
  if (!isAsGet) return { ...step, address, headers: Object.fromEntries(kept) };
  const bare = kept.filter(([name]) => step.body === null || name.toLowerCase() !== 'content-type');
  const method = step.method === 'HEAD' ? 'HEAD' : 'GET';
  return { address, method, headers: Object.fromEntries(bare), body: null };
}
