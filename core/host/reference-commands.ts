/** The words of the reference's command line that are no commands here, and what to do instead. */
import { addressPart } from '../contract/address-part.ts';
import { PROFILES } from '../contract/profile.ts';
import { shellQuote } from '../contract/shell-quote.ts';
import { STANDARD_PORTS } from '../contract/standard-ports.ts';
import { firstValue, isObject } from '../domain/json.ts';
import { shownTyped } from '../domain/redact.ts';
import { LAST_PORT } from './flag-hints.ts';

const NOTHING_INSTALLED = 'nothing has to be installed beside Sidelight';

/** What to do instead of each, as the end of a sentence; `publish` is in `insteadOf`, because it repeats what was asked for. */
const INSTEAD: Readonly<Record<string, string>> = {
  invoke: 'Sidelight passes no calls from one app to another: call the app at its own address',
  stop: 'press Ctrl+C where Sidelight runs; its apps end with it',
  list: onScreen('see the running apps', 'Apps'),
  status: onScreen('see how apps and sidecars are', 'Health'),
  logs: `${onScreen('read them', 'Logs')}, or in the terminal where Sidelight runs`,
  components: onScreen('see them', 'Components'),
  configurations: 'see the settings under Settings in the console; give a file with --config FILE',
  dashboard: `start Sidelight without such a word: its console is the dashboard (port ${STANDARD_PORTS.console})`,
  init: `${NOTHING_INSTALLED}: start with sidelight run --profile ${PROFILES.dapr.name} …`,
  uninstall: `${NOTHING_INSTALLED}, so there is nothing to remove but Sidelight itself`,
  upgrade: `${NOTHING_INSTALLED}: get a newer Sidelight instead`,
};

/**
 * What to do instead of a word of the reference, as the end of a sentence; undefined: it is none of them.
 * @param words all words of the command line, which may name the port of the sidecar and what is published
 */
export function insteadOf(word: string, words: readonly string[]): string | undefined {
  if (word === 'publish') return `publish with Publish in the console, or with ${curlFor(partsIn(words))}`;
  return Object.hasOwn(INSTEAD, word) ? INSTEAD[word] : undefined;
}

/** Parts of a publish, and the flags that name each: those of the reference's `publish`, and of its `run` and Sidelight for the port. */
const FORMS = {
  port: ['--sidecar-port', `--${PROFILES.dapr.brandWord}-http-port`, '-H'],
  pubsub: ['--pubsub', '-p'],
  topic: ['--topic', '-t'],
  data: ['--data', '-d'],
  file: ['--data-file', '-f'],
  metadata: ['--metadata', '-m'],
} as const;
type Part = keyof typeof FORMS;
type Parts = Readonly<Partial<Record<Part, string>>>;

/** The parts that the words name, `--topic orders`, `--topic=orders`, `-t orders` or `-torders`; the last one of each counts. */
function partsIn(words: readonly string[]): Parts {
  const found: Partial<Record<Part, string>> = {};
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    for (const part of Object.keys(FORMS) as Part[]) {
      const value = valueIn(word, FORMS[part]);
      if (value === undefined) continue;
      // What follows a flag is its value, also where it looks like another flag.
      if (value === 'next') at += 1;
      found[part] = value === 'next' ? (words[at] ?? '') : value.own;
      break;
    }
  }
  return found;
}

/** Value of a flag in its own word; `next`: it is the next word; undefined: the word is none of the flags. */
function valueIn(word: string, flags: readonly string[]): { readonly own: string } | 'next' | undefined {
  for (const flag of flags) {
    if (word === flag) return 'next';
    if (word.startsWith(`${flag}=`)) return { own: word.slice(flag.length + 1) };
    const isLetter = flag.length === 2;
    if (isLetter && word.startsWith(flag)) return { own: word.slice(flag.length) };
  }
  return undefined;
}

/** The call that publishes the same. What the words leave out, or have with a secret in it, is a word in capitals or an example. */
function curlFor({ port, pubsub = '', topic = '', data, file, metadata }: Parts): string {
  const body =
    file === undefined
      ? `-d ${shellQuote(plain(data) ?? '{"id":1}')}`
      : `--data-binary ${shellQuote(`@${file}`)}`;
  const target = `${addressPart(pubsub) || 'PUBSUB'}/${topic.split('/').map(addressPart).join('/') || 'TOPIC'}`;
  const url = `http://127.0.0.1:${portIn(port)}/v1.0/publish/${target}${queryOf(metadata)}`;
  return `curl -H 'Content-Type: application/json' ${body} ${shellQuote(url)}`;
}

/** A text without a secret in it; undefined: it has one, or there is none. */
function plain(text: string | undefined): string | undefined {
  return text !== undefined && shownTyped(text) === text ? text : undefined;
}

/** The port, else the standard one. */
function portIn(given: string | undefined): number {
  const port = /^\d{1,5}$/.test(given ?? '') ? Number(given) : 0;
  return port > 0 && port <= LAST_PORT ? port : STANDARD_PORTS.sidecar;
}

/** Metadata in JSON as the query of the call; "" where they are no object of texts, as the reference reads them. */
function queryOf(metadata: string | undefined): string {
  const read = firstValue(plain(metadata) ?? '')?.value;
  const members = isObject(read) ? Object.entries(read) : [];
  const query = members.flatMap(([name, value]) =>
    typeof value === 'string' ? [`metadata.${addressPart(name)}=${addressPart(value)}`] : [],
  );
  return query.length === 0 ? '' : `?${query.join('&')}`;
}

function onScreen(what: string, screen: string): string {
  return `${what} on the ${screen} screen of the console`;
}
