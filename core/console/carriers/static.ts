/** Serves the built renderer from its folder. */
import { randomBytes } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import { extname, join, resolve, sep } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { hasCode } from '../../contract/error-text.ts';
import { Refusal } from '../../domain/refusal.ts';
import { NONCE_PLACEHOLDER, pagePolicy } from '../csp.ts';
import { sendRefusal } from './http.ts';
import { sendPage } from './page.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
};

/** The build puts files here whose names change with their content. */
const HASHED = '/assets/';

/** `/` is the page, with a nonce of its own in every answer; every other path is a file of the folder or 404. */
export function addPages(app: FastifyInstance, folder: string): void {
  app.get('/*', async (request, reply) => {
    const path = pathOf(request.url);
    if (path === '/' || path === '/index.html') return sendIndex(reply, folder, request.headers.host ?? '');
    const file = path === undefined ? undefined : fileIn(folder, path);
    const type = file === undefined ? undefined : TYPES[extname(file).toLowerCase()];
    const bytes = file === undefined || type === undefined ? undefined : await readIfThere(file, folder);
    if (path === undefined || bytes === undefined) return sendNothing(reply);
    const isHashed = path.startsWith(HASHED);
    return reply
      .header('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      .type(type ?? 'application/octet-stream')
      .send(bytes);
  });
}

/** 404 in the shape of the console's other errors. */
export function sendNothing(reply: FastifyReply): FastifyReply {
  return sendRefusal(reply, 404, new Refusal('NOT_FOUND', { reason: 'This page does not exist.' }));
}

/** The file that a path names inside the folder; undefined: it names none there. */
export function fileIn(folder: string, path: string): string | undefined {
  if (path.includes('\0') || path.includes('\\')) return undefined;
  const root = resolve(folder);
  const file = resolve(join(root, path));
  return file.startsWith(root + sep) ? file : undefined;
}

async function sendIndex(reply: FastifyReply, folder: string, host: string): Promise<FastifyReply> {
  const page = await readIfThere(join(folder, 'index.html'), folder);
  if (page === undefined) {
    return sendPage(reply, 503, 'The console is not built', [
      'Sidelight runs, but the files of its console are missing.',
      'Build them with <code>npm run build</code> and load this page again.',
    ]);
  }
  const nonce = randomBytes(16).toString('base64');
  return reply
    .header('Cache-Control', 'no-store')
    .header('Content-Security-Policy', pagePolicy(nonce, `ws://${host}`))
    .type('text/html; charset=utf-8')
    .send(page.toString('utf8').replaceAll(NONCE_PLACEHOLDER, nonce));
}

/** The path of a request, decoded; undefined: it cannot be. */
function pathOf(url: string): string | undefined {
  const [path = '/'] = url.split(/[?#]/, 1);
  try {
    return decodeURIComponent(path);
  } catch {
    // Not a valid address: there is nothing at it.
    return undefined;
  }
}

/** undefined: no such file in the folder (a link out of it is none), or it is a folder itself. Any other trouble is thrown. */
async function readIfThere(file: string, folder: string): Promise<Buffer | undefined> {
  try {
    const [real, root] = await Promise.all([realpath(file), realpath(folder)]);
    return real.startsWith(root + sep) ? await readFile(real) : undefined;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'EISDIR', 'ENOTDIR', 'ENAMETOOLONG')) return undefined;
    throw error;
  }
}
