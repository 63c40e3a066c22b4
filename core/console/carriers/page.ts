/** Plain pages for a person who came to an address that cannot show the console. */
import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { BARE_POLICY } from '../csp.ts';

/** Both colour schemes in the console's own greys; nothing is loaded. */
const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: light-dark(#1d232b, #e3e7ec); background: light-dark(#f5f6f8, #14181d); }
main { box-sizing: border-box; max-width: 40rem; margin: 12vh auto 0; padding: 24px 32px; }
h1 { margin: 0 0 16px; font-size: 24px; line-height: 1.25; }
p { margin: 0 0 12px; }
.name { color: light-dark(#5b6573, #97a1ae); }
code { padding: 1px 5px; border-radius: 4px; background: light-dark(#e4e8ed, #262d36); font: 14px ui-monospace, monospace; overflow-wrap: anywhere; }
`;
/** The page's policy allows this style alone. */
const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`;

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
    .header('Content-Security-Policy', `${BARE_POLICY}; style-src '${STYLE_HASH}'`)
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html>\n<html lang="en">\n<meta name="viewport" content="width=device-width">\n<title>${title}</title>\n<style>${STYLE}</style>\n<main>\n<p class="name">Sidelight</p>\n<h1>${title}</h1>\n${text}\n</main>\n</html>\n`,
    );
}
