/** Texts of `--help`. */
import { REFERENCE_FLAGS } from './reference-flags.ts';
import type { FlagMeaning, ReferenceFlag } from './reference-flags.ts';

export const HELP = `sidelight [flags]                    open the console (window, or browser where there is none)
sidelight --headless [flags]         no window: sidecar, mock app and console endpoint, for scripts and CI
sidelight run [flags] [-- CMD …]     start CMD beside its sidecar, end with its status (sidelight run --help)
sidelight run -f FILE|DIR [flags]    start every app of a multi-app file, each with a sidecar of its own
sidelight tap [flags] [-- CMD …]     watch an app and its own sidecar, whichever broker they use (sidelight tap --help)
sidelight wait FILTER [flags]        wait until messages of a running instance match (sidelight wait --help)
sidelight test PATH… [flags]         run scenario files, each on an instance of its own (sidelight test --help)
sidelight mcp [flags]                tools for coding agents on stdin and stdout (sidelight mcp --help)
sidelight router WORD …              ask a running instance about its event router (sidelight router --help)

  --sidecar-port N        HTTP port of the first app's sidecar (3500; 0 = any free port)
  --grpc-port N|off       gRPC port of the first app's sidecar (50001, or the next free one; 0 = any; off = none)
  --sidecar-host ADDRESS  where the sidecars listen (127.0.0.1, this machine only)
  --app-port N            port of the mock app (6001; 0 = any); a real app is given with --app-url
  --console-port N        port of the console endpoint (3580; 0 = any)
  --console-host ADDRESS  where the console listens (127.0.0.1, this machine only)
  --console-allowed-host NAME  a name by which other machines reach the console, repeatable
  --app-id ID             id of the first app (app)
  --app-url URL           deliver to this real app instead of the mock app; none: the app only publishes
  --app-protocol http|grpc  what the mock app speaks, and an app whose address has no scheme (http)
  --app ID=URL[,PORT[,GRPC]]  one more app with a sidecar of its own, repeatable; ID=mock gives it a mock app, ID=none no address
  --resources DIR         folder of component, subscription and resiliency YAML files, repeatable
  --local-pubsub          serve every pub/sub component from memory, whatever its type: no broker is needed
  --data-dir DIR          where the history lives (the platform's folder for a user's data)
  --ephemeral             keep nothing on disk
  --profile sidecar|dapr|dapr-1.18  names of routes and fields, and the release of the reference to follow (sidecar; dapr is release 1.13)
  --config FILE           YAML file with settings
  --set KEY=VALUE         one setting, repeatable
  --log-level LEVEL       debug, info, warn or error (info); logs go to stderr
  --log-format text|json  text, or one JSON object per line (text)
  --version, --help
`;

/** Text of `--help` for `sidelight tap`. */
export const TAP_HELP = `sidelight tap --app-url URL [flags] [-- CMD …]     watch an app and its own sidecar; start CMD beside them, end with its status

Two lines change: the sidecar's app port becomes the tap's, and the app's sidecar port becomes the tap's.

  --app-url URL           where the app listens, http:// or grpc:// (required)
  --app-id ID             id of the app (app)
  --tap-app-port N        port to give the sidecar as its app's (6101; 0 = any free port)
  --sidecar-url URL       the sidecar's HTTP API (http://127.0.0.1:3500)
  --tap-sidecar-port N    port to give the app as its sidecar's HTTP port (3501; 0 = any free port)
  --sidecar-grpc HOST:PORT
                          the sidecar's gRPC API, where the app uses it
  --tap-grpc-port N       port to give the app as its sidecar's gRPC port (50101; 0 = any free port)
  -- CMD …                a command to start beside the tap; {tapAppPort}, {tapSidecarPort} and {tapGrpcPort} in it become the ports

  --headless              no window: print one line of JSON and serve until a signal
  --console-port N, --data-dir DIR, --ephemeral, --config FILE, --set KEY=VALUE, --log-level LEVEL, --log-format text|json
                          as in sidelight --help
  --profile NAME          sidecar, dapr or dapr-1.18: names and rules of the sidecar (read from its metadata)
`;

/** Text of `--help` for `sidelight run`. */
export const RUN_HELP = `sidelight run [flags] [-- CMD …]     start CMD beside its sidecar, end with its status; without CMD the sidecar runs alone

  --app-port N, or --app-url URL: where the app listens. Without it the app only publishes.
  Ports that are not given give way to the next free ones. Without --data-dir the history has a folder for each app id.
  All flags of sidelight --help work too, except --app-port of the mock app. A command line written for the reference also needs --profile.
  A CMD without flags of its own needs no -- before it.

sidelight run -f FILE|DIR [flags]    start every app of a multi-app file (- reads it from standard input); one Ctrl+C ends all

  Flags of one app are not used with -f: the file says what each app has. The profile is dapr unless --profile says otherwise.
  Beyond the reference an app may have dependsOn: [id], restart: on-failure and watch: ["*.js"].
  Exit status: 0 all ended well, 1 an app failed or a port is taken, 2 a mistake in the file, 130 a second signal.

These flags of the reference are accepted, with what each means here:

${Object.entries(REFERENCE_FLAGS).map(lineOf).join('\n')}
`;

function lineOf([name, { short, takes, means }]: [string, ReferenceFlag]): string {
  const flag = `--${name}${short === undefined ? '' : `, -${short}`}${takes === undefined ? '' : ' …'}`;
  return `  ${flag.padEnd(38)}${meaningOf(means)}`;
}

function meaningOf(means: FlagMeaning): string {
  switch (means.kind) {
    case 'own':
      return `--${means.flag}`;
    case 'setting':
      return `--set ${means.key}=…`;
    case 'health':
      return `part of --set app.health=… (${means.member})`;
    case 'address':
      return `part of --app-url (${means.part === 'tls' ? 'over TLS' : means.part})`;
    case 'file':
      return 'run the apps of this file, each with a sidecar of its own';
    case 'silent':
      return 'no effect';
    case 'ignored':
      return `no effect: it would ${means.would}`;
    case 'refused':
      return `refused: ${means.why}`;
  }
}
