/** What `--help` prints. */
export const HELP = `sidelight [flags]                    open the console (window, or browser where there is none)
sidelight --headless [flags]         no window: sidecar, mock app and console endpoint, for scripts and CI
sidelight run [flags] --app-url URL -- CMD …   start CMD beside its sidecar, end with its status
sidelight router WORD …              ask a running instance about its event router (sidelight router --help)

  --sidecar-port N        HTTP port of the first app's sidecar (3500; 0 = any free port)
  --grpc-port N|off       gRPC port of the first app's sidecar (50001, or the next free one; 0 = any; off = none)
  --sidecar-host ADDRESS  where the sidecars listen (127.0.0.1, this machine only)
  --app-port N            port of the mock app (6001; 0 = any)
  --console-port N        port of the console endpoint (3580; 0 = any)
  --app-id ID             id of the first app (app)
  --app-url URL           deliver to this real app instead of the mock app
  --app-protocol http|grpc  what the mock app speaks, and an address without a scheme (http)
  --app ID=URL[,PORT[,GRPC]]  one more app with a sidecar of its own, repeatable; ID=mock gives it a mock app
  --resources DIR         folder of component, subscription and resiliency YAML files
  --data-dir DIR          where the history lives (the platform's folder for a user's data)
  --ephemeral             keep nothing on disk
  --profile sidecar|dapr  names of brand-dependent routes and fields (sidecar)
  --config FILE           YAML file with settings
  --set KEY=VALUE         one setting, repeatable
  --log-level LEVEL       debug, info, warn or error (info); logs go to stderr
  --log-format text|json  one JSON object per line with json (text)
  --version, --help
`;
