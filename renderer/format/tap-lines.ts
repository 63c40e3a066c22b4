/** The lines that a person changes so that app and sidecar reach each other through a tap. */
import { grpcCodeName } from '../../core/contract/grpc.ts';
import type { OtherCall, TapRow } from '../../core/contract/tap.ts';

export interface TapLine {
  readonly side: 'sidecar' | 'app' | 'grpc';
  /** The line that has to be written from now on. */
  readonly line: string;
  /** The port that stood there; "" where the address names none. */
  readonly before: string;
}

type Facts = Pick<
  TapRow,
  'appUrl' | 'sidecarUrl' | 'sidecarGrpc' | 'appPort' | 'sidecarPort' | 'grpcPort' | 'profile'
>;

/** One for the sidecar, one for the app, and one more where the app uses gRPC. Names of variables are those of the tap's profile. */
export function tapLines(tap: Facts): readonly TapLine[] {
  const brand = tap.profile === 'sidecar' ? 'SIDECAR' : 'DAPR';
  return [
    { side: 'sidecar', line: `--app-port ${tap.appPort}`, before: portIn(tap.appUrl) },
    { side: 'app', line: `${brand}_HTTP_PORT=${tap.sidecarPort}`, before: portIn(tap.sidecarUrl) },
    ...(tap.grpcPort === undefined
      ? []
      : ([
          {
            side: 'grpc',
            line: `${brand}_GRPC_PORT=${tap.grpcPort}`,
            before: portIn(tap.sidecarGrpc ?? ''),
          },
        ] as const)),
  ];
}

function portIn(address: string): string {
  return /:(\d+)\/?$/.exec(address)?.[1] ?? '';
}

/** The answer of another call: a status, or over gRPC the name of its code; "" where there was none. */
export function otherStatus({ status, protocol }: Pick<OtherCall, 'status' | 'protocol'>): string {
  if (status === undefined) return '';
  return protocol === 'grpc' ? grpcCodeName(status) : String(status);
}
