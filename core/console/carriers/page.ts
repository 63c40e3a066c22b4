/** Plain pages for a person who came to an address that cannot show the console. */
import type { FastifyReply } from 'fastify';
import { BARE_POLICY } from '../csp.ts';

/** A page of plain text; `lines` are ours, never a visitor's. */
export function sendPage(
  reply: FastifyReply,
  status: number,
  title: string,
  lines: readonly string[],
): FastifyReply {
  const text = lines.map((line) => `<p>${line}</p>`).join('\n');
  return reply
    .code(status)
    .header('Cache-Control', 'no-store')
    .header('Content-Security-Policy', BARE_POLICY)
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html>\n<html lang="en">\n<title>${title}</title>\n<h1>${title}</h1>\n${text}\n</html>\n`,
    );
}
