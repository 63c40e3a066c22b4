/** The words of the reference's command line that are no commands here, and what to do instead. */
import { PROFILES } from '../contract/profile.ts';
import { STANDARD_PORTS, STANDARD_SIDECAR_URL } from '../contract/standard-ports.ts';

const NOTHING_INSTALLED = 'nothing has to be installed beside Sidelight';

/** What to do instead of each, as the end of a sentence. */
export const REFERENCE_COMMANDS: Readonly<Record<string, string>> = {
  publish: `publish with Publish in the console, or with curl -H 'Content-Type: application/json' -d '{"id":1}' ${STANDARD_SIDECAR_URL}/v1.0/publish/PUBSUB/TOPIC`,
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

function onScreen(what: string, screen: string): string {
  return `${what} on the screen ${screen} of the console`;
}
