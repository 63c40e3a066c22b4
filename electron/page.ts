// Serves the console's page from a scheme of its own, out of one folder, under a policy that allows nothing
// else.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { protocol, type Session } from 'electron';

const SCHEME = 'app';
const HOST = 'sidelight';
export const PAGE_ORIGIN = `${SCHEME}://${HOST}`;
export const PAGE = `${PAGE_ORIGIN}/index.html`;

/** Placeholder for the nonce in the built index.html. */
const NONCE = '__NONCE__';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Names of built files. Any other name does not exist: no `..`, no drive, no backslash, no encoded slash. */
const FILE = /^(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$/;

/** Registers the scheme. It must run before the app is ready: later a scheme cannot get an origin. */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
}

/** The policy of the page. Each answer has its own nonce, with which the editors add their styles. */
export function contentPolicy(nonce: string): string {
  return [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data:`,
    `font-src 'self'`,
    `connect-src 'self'`,
    `worker-src 'self'`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');
}

/**
 * Answers every request of this session for the scheme.
 * @param folder folder of the built renderer
 */
export function servePage(session: Session, folder: string): void {
  session.protocol.handle(SCHEME, (request) => pageAnswer(request, folder));
}

/**
 * Answer for one file of the folder. 404: another host, a path outside the folder, or a missing file. 405: no read.
 * @throws the error of reading an existing file
 */
export async function pageAnswer(
  request: Pick<Request, 'method' | 'url'>,
  folder: string,
): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return refusal(405, { allow: 'GET, HEAD' });
  const file = fileOf(request.url);
  const type = file === undefined ? undefined : TYPES[path.posix.extname(file)];
  if (file === undefined || type === undefined) return refusal(404);
  const bytes = await bytesOf(path.join(folder, ...file.split('/')));
  if (bytes === undefined) return refusal(404);
  const nonce = randomBytes(18).toString('base64');
  const body = file.endsWith('.html') ? bytes.toString('utf8').replaceAll(NONCE, nonce) : bytes;
  const headers = {
    'content-type': type,
    'content-security-policy': contentPolicy(nonce),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  };
  return new Response(request.method === 'HEAD' ? null : new Uint8Array(Buffer.from(body)), { headers });
}

function refusal(status: number, headers: Record<string, string> = {}): Response {
  return new Response(null, {
    status,
    headers: { ...headers, 'content-security-policy': `default-src 'none'` },
  });
}

/** Path below the folder with forward slashes; undefined: the address names no file in it. */
function fileOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.protocol !== `${SCHEME}:` || url.host !== HOST) return undefined;
  const asked = url.pathname === '/' || url.pathname === '' ? '/index.html' : url.pathname;
  return FILE.test(asked) ? asked.slice(1) : undefined;
}

async function bytesOf(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return undefined;
    throw error;
  }
}
