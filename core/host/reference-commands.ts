/** The words of the reference's command line that are no commands here, and what to do instead. */
import { PROFILES } from '../contract/profile.ts';
import { STANDARD_PORTS } from '../contract/standard-ports.ts';
import { LAST_PORT } from './flag-hints.ts';

const NOTHING_INSTALLED = 'nothing has to be installed beside Sidelight';

/** What to do instead of each, as the end of a sentence; `publish` is in `insteadOf`, because it depends on the port. */
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
 * @param words all words of the command line, which may name the port of the sidecar
 */
export function insteadOf(word: string, words: readonly string[]): string | undefined {
  if (word === 'publish')
    return `publish with Publish in the console, or with curl -H 'Content-Type: application/json' -d '{"id":1}' http://127.0.0.1:${sidecarPortIn(words)}/v1.0/publish/PUBSUB/TOPIC`;
  return Object.hasOwn(INSTEAD, word) ? INSTEAD[word] : undefined;
}

/** Port of the sidecar that the words name, else the standard one. The flags behind such a word are not read: most are none of Sidelight's. */
function sidecarPortIn(words: readonly string[]): number {
  const flag = '--sidecar-port';
  const at = words.findLastIndex((word) => word === flag || word.startsWith(`${flag}=`));
  const given = words[at] === flag ? words[at + 1] : words[at]?.slice(flag.length + 1);
  const port = /^\d{1,5}$/.test(given ?? '') ? Number(given) : 0;
  return port > 0 && port <= LAST_PORT ? port : STANDARD_PORTS.sidecar;
}

function onScreen(what: string, screen: string): string {
  return `${what} on the ${screen} screen of the console`;
}
