/** Texts of `--help`. */
import { STANDARD_PORTS, STANDARD_SIDECAR_URL } from '../contract/standard-ports.ts';
import { REFERENCE_FLAGS } from './reference-flags.ts';
import type { ReferenceFlag } from './reference-flags.ts';

export const HELP = `sidelight [flags]                    open the console (window, or browser where there is none)
sidelight --headless [flags]         no window: sidecar, mock app and console endpoint, for scripts and CI
sidelight run [flags] [-- CMD …]     start CMD with a sidecar beside it, exit with its status (sidelight run --help)
sidelight run -f FILE|DIR [flags]    start every app of a multi-app file, each with its own sidecar
sidelight tap [flags] [-- CMD …]     watch an app and the sidecar that it already has, with any broker (sidelight tap --help)
sidelight wait FILTER [flags]        wait until messages of a running instance match (sidelight wait --help)
sidelight test PATH… [flags]         run scenario files, each on its own instance (sidelight test --help)
sidelight mcp [flags]                tools for coding agents on stdin and stdout (sidelight mcp --help)
sidelight router WORD …              ask a running instance about its event router (sidelight router --help)

Flags, with the default in parentheses:

  --sidecar-port N        HTTP port of the first app's sidecar (${STANDARD_PORTS.sidecar}; 0 = any free port)
  --app-port N            port of the mock app (${STANDARD_PORTS.mockApp}; 0 = any); for a real app give --app-url
  --console-port N        port of the console endpoint (${STANDARD_PORTS.console}; 0 = any)
  --grpc-port N|off       gRPC port of the first app's sidecar (${STANDARD_PORTS.grpc}, or the next free one; 0 = any; off = none)
  --app-protocol http|grpc  what the mock app speaks, and an app whose address has no scheme (http)
  --sidecar-host ADDRESS  where the sidecars listen (127.0.0.1); beyond this machine they need an API token
  --console-host ADDRESS  where the console listens (127.0.0.1, this machine only)
  --console-allowed-host NAME  a name that other machines use for the console, repeatable
  --app-id ID             id of the first app (app)
  --app-url URL           deliver to this real app instead of the mock app; none: the app only publishes, or opens a stream
  --app ID=URL[,PORT[,GRPC]]  one more app with its own sidecar, repeatable; ID=mock gives it a mock app, ID=none no address
  --resources DIR         folder of component, subscription and resiliency YAML files, repeatable
  --local-pubsub          serve every pub/sub component from memory, whatever its type: no broker is needed
  --profile sidecar|dapr|dapr-1.18  names of routes and fields, and the release of the reference to follow (sidecar; dapr is release 1.13)
  --data-dir DIR          folder of the history (the platform's per-user data folder)
  --ephemeral             keep nothing on disk
  --config FILE           YAML file with settings
  --set KEY=VALUE         one setting, repeatable
  --log-level LEVEL       debug, info, warn or error (info); logs go to stderr
  --log-format text|json  text, or one JSON object per line (text)
  --version, --help
`;

/** Text of `--help` for `sidelight tap`. */
export const TAP_HELP = `sidelight tap --app-url URL [flags] [-- CMD …]     watch an app and the sidecar that it already has; start CMD beside them, exit with its status

The tap stands between the two: give the sidecar --tap-app-port as the port of its app, and the app --tap-sidecar-port as the port of its sidecar.

  --app-url URL           where the app listens, http:// or grpc:// (required)
  --app-id ID             id of the app (app)
  --tap-app-port N        where the tap takes calls from the sidecar (6101; 0 = any free port)
  --sidecar-url URL       the sidecar's HTTP API (${STANDARD_SIDECAR_URL})
  --tap-sidecar-port N    where the tap takes HTTP calls from the app (3501; 0 = any free port)
  --sidecar-grpc HOST:PORT
                          the sidecar's gRPC API, where the app uses it
  --tap-grpc-port N       where the tap takes gRPC calls from the app (50101; 0 = any free port)
  -- CMD …                a command to start beside the tap; {tapAppPort}, {tapSidecarPort} and {tapGrpcPort} in it are replaced by the ports

  --headless              no window: print one line of JSON and serve until a signal
  --console-port N, --console-host ADDRESS, --console-allowed-host NAME, --data-dir DIR, --ephemeral, --config FILE,
  --set KEY=VALUE, --log-level LEVEL, --log-format text|json, --version
                          as in sidelight --help
  --profile NAME          sidecar, dapr or dapr-1.18: names and rules of the sidecar (read from its metadata)
`;

/** What the flags about parts of the app's address do. */
const ADDRESS_PARTS = {
  port: 'says which port the app listens on, as --app-url does',
  host: 'says at which host the app listens, as --app-url does',
  protocol: 'says what the app speaks, as --app-url does: http, https, grpc, grpcs or h2c',
  tls: 'calls the app over TLS, as --app-url does with https or grpcs',
} as const;

/** Text of `--help` for `sidelight run`. */
export const RUN_HELP = `sidelight run [flags] [-- CMD …]     start CMD with a sidecar beside it and exit with its status; without CMD only the sidecar runs

  --app-port N or --app-url URL says where the app listens. Without either the app only publishes, or opens a stream.
  Where a default port is taken, Sidelight uses the next free one. Each app id has its own history folder, unless you give --data-dir.
  All flags of sidelight --help work here too, but --app-port is the port of your app, not of the mock app.
  A command line for the reference also needs --profile dapr or dapr-1.18.
  Write -- before CMD where one of its arguments begins with a dash.

sidelight run -f FILE|DIR [flags]    start every app of a multi-app file, each with its own sidecar; one Ctrl+C ends all

  With - instead of FILE, Sidelight reads the file from standard input.
  The file says what each app has, so flags for one app have no effect here. The profile is dapr, unless you give --profile.
  Besides the fields of the reference, an app may have dependsOn: [id], restart: on-failure and watch: ["*.js"].
  Exit status: 0 all apps ended well, 1 an app failed or a port is taken, 2 a mistake in the file, 130 a second signal (Ctrl+C twice).

These flags of the reference are accepted, with what each does here:

${Object.entries(REFERENCE_FLAGS).map(lineOf).join('\n')}
`;

function lineOf([name, flag]: [string, ReferenceFlag]): string {
  const { short, takes } = flag;
  const shown = `--${name}${short === undefined ? '' : `, -${short}`}${takes === undefined ? '' : ' …'}`;
  return `  ${shown.padEnd(38)}${meaningOf(flag)}`;
}

function meaningOf({ means, takes }: ReferenceFlag): string {
  switch (means.kind) {
    case 'own':
      // A switch stands for a flag with its value.
      return `does the same as --${means.flag}${takes === undefined ? ` ${means.value?.('') ?? ''}` : ''}`;
    case 'setting':
      return `sets ${means.key}; takes ${takes ?? 'no value'}`;
    case 'health':
      return `sets ${means.member} of app.health${takes === undefined ? '' : `; takes ${takes}`}`;
    case 'address':
      return ADDRESS_PARTS[means.part];
    case 'file':
      return 'runs the apps of this file, each with its own sidecar';
    case 'silent':
      return 'has no effect';
    case 'ignored':
      return `has no effect; in the reference it would ${means.would}`;
    case 'refused':
      return `is refused: ${means.why}`;
  }
}
