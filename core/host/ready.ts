/** Makes the ready line of headless mode and the text of a start from the same facts. */
import { addressPart } from '../contract/address-part.ts';
import type { ProfileName } from '../contract/profile.ts';
import type { ShellAddresses } from '../contract/shell.ts';

/** First line on stdout in headless mode (docs/automation.md). */
export function readyLine(version: string, pid: number, profile: ProfileName, at: ShellAddresses): string {
  const { console, open, rpc, token, apps, taps } = at;
  return JSON.stringify({ event: 'ready', version, pid, profile, console, open, rpc, token, apps, taps });
}

/** Last line of a start for people. @param folder of what is kept; undefined: all was in memory */
export function farewell(folder: string | undefined): string {
  const kept = folder === undefined ? 'It kept nothing' : `Its messages and settings are kept in ${folder}`;
  return `Sidelight has ended. ${kept}.`;
}

/**
 * Text of a start for people: the addresses, and an example request. `console` absent: the console is on the
 * screen already.
 */
export function welcome(at: ShellAddresses, notes: readonly string[], open: string | undefined): string {
  const first = at.apps[0];
  const lines = [
    ...notes.map((note) => `  ! ${note}`),
    ...at.apps.flatMap((app) => [
      `  Sidecar   ${app.sidecar}   (app id ${app.appId})`,
      ...(app.app === undefined
        ? []
        : [`  ${app.mock ? 'Mock app' : 'App     '}  ${app.app}${entered(at, app.appId)}`]),
    ]),
    ...(at.taps ?? []).flatMap(({ appId, appPort, sidecarPort, grpcPort }) => [
      `  Tap       ${appId}: its sidecar calls the app on port ${appPort}, the app calls its sidecar on port ${sidecarPort}${grpcPort === undefined ? '' : `, over gRPC on ${grpcPort}`}`,
    ]),
    ...(open === undefined ? [`  Console   ${at.console}`] : linkLines(open, at.console)),
  ];
  if (first !== undefined && at.pubsubname !== undefined) {
    const { apiToken } = at;
    const token = apiToken === undefined ? '' : ` -H "${apiToken.header}: $${apiToken.variable}"`;
    lines.push(
      '',
      '  Publish a message:',
      `  curl -g -X POST '${first.sidecar}/v1.0/publish/${quotedPart(at.pubsubname)}/orders'${token} -H 'Content-Type: application/json' -d '{"orderId":1,"total":120}'`,
    );
  }
  return `${lines.join('\n')}\n`;
}

/** Where an address comes from that no flag of this start gave. */
function entered({ entered: ids = [] }: ShellAddresses, appId: string): string {
  return ids.includes(appId) ? '   (entered on the Apps screen, and kept)' : '';
}

/** A link that opens the console, with what to do once it does not. */
function linkLines(open: string, console: string): readonly string[] {
  return [
    `  Console   ${open}`,
    `            This link works once, within ten minutes. Then that browser opens ${console} without it.`,
    '            For another browser the console makes a new link in Settings, About. So does each start.',
  ];
}

/** A name in an address between single quotes of a shell: the name of a component can be any text. */
function quotedPart(name: string): string {
  return addressPart(name).replaceAll("'", '%27');
}
