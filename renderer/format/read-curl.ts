/** Reads a curl command of a publish back into its parameters. */
import type { PublishParams } from '../../core/contract/publish.ts';
import { withoutUndefined } from '../../core/contract/without-undefined.ts';

/** Options of curl that take a value and do not concern the message. */
const WITH_VALUE = new Set([
  '-o',
  '--output',
  '-m',
  '--max-time',
  '-u',
  '--user',
  '-A',
  '--user-agent',
  '-w',
  '--connect-timeout',
]);

/** Parameters of the publish; undefined: the command is no publish to a sidecar. */
export function readCurl(text: string): PublishParams | undefined {
  const words = shellWords(text.replaceAll(/\\\r?\n/g, ' '));
  if (words[0] !== 'curl') return undefined;
  let url: string | undefined;
  let contentType: string | undefined;
  const bodies: string[] = [];
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const next = words[at + 1] ?? '';
    if (/^(-d|--data|--data-raw|--data-binary|--data-ascii|--json)$/.test(word)) {
      bodies.push(next);
      if (word === '--json') contentType ??= 'application/json';
      at += 1;
    } else if (word === '-H' || word === '--header') {
      const header = /^content-type:\s*(.*)$/i.exec(next);
      if (header !== null) contentType = header[1];
      at += 1;
    } else if (word === '-X' || word === '--request' || WITH_VALUE.has(word)) at += 1;
    else if (word === '--url') {
      url = next;
      at += 1;
    } else if (!word.startsWith('-')) url ??= word;
  }
  return url === undefined ? undefined : publishOf(url, contentType, bodies);
}

function publishOf(
  text: string,
  contentType: string | undefined,
  bodies: readonly string[],
): PublishParams | undefined {
  if (!URL.canParse(text.includes('://') ? text : `http://${text}`)) return undefined;
  const url = new URL(text.includes('://') ? text : `http://${text}`);
  const found = /^\/v1\.0\/publish\/([^/]+)\/(.+)$/.exec(url.pathname);
  const [pubsubname, topic] = [found?.[1] ?? '', found?.[2] ?? ''].map(unescaped);
  if (found === null || pubsubname === undefined || topic === undefined) return undefined;
  const metadata = Object.fromEntries(
    [...url.searchParams].flatMap(([key, value]) =>
      key.startsWith('metadata.') ? [[key.slice('metadata.'.length), value] as const] : [],
    ),
  );
  // curl declares a form where no content type is given.
  const type = contentType ?? (bodies.length === 0 ? undefined : 'application/x-www-form-urlencoded');
  return {
    pubsubname,
    topic,
    data: bodies.join('&'),
    ...withoutUndefined({ contentType: type }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
}

/**
 * Resolves escapes as the sidecar does: `+` is a space, bytes that are not UTF-8 are U+FFFD. undefined: a `%`
 * begins no escape, as while a person types one.
 */
function unescaped(text: string): string | undefined {
  if (/%(?![0-9a-f]{2})/i.test(text)) return undefined;
  return text.replaceAll('+', ' ').replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) => {
    const bytes = Uint8Array.from(run.slice(1).split('%'), (digits) => Number.parseInt(digits, 16));
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  });
}

/** Splits a text into words as a POSIX shell does. */
function shellWords(text: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === "'") {
      const end = text.indexOf("'", at + 1);
      word = (word ?? '') + text.slice(at + 1, end === -1 ? text.length : end);
      at = end === -1 ? text.length : end;
    } else if (character === '"') {
      word ??= '';
      for (at += 1; at < text.length && text[at] !== '"'; at += 1) {
        if (text[at] === '\\' && /["\\$`]/.test(text[at + 1] ?? '')) at += 1;
        word += text[at] ?? '';
      }
    } else if (character === '\\') {
      at += 1;
      word = (word ?? '') + (text[at] ?? '');
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + character;
  }
  if (word !== undefined) words.push(word);
  return words;
}
