/** The lines that a person changes so that app and sidecar connect through a tap. */
import { grpcCodeName } from '../../core/contract/grpc.ts';
import type { OtherCall, TapRow } from '../../core/contract/tap.ts';

export interface TapLine {
  readonly side: 'sidecar' | 'app' | 'grpc';
  /** The new line. */
  readonly line: string;
  /** The port before the change; "" if the address has none. */
  readonly before: string;
}

type Facts = Pick<
  TapRow,
  'appUrl' | 'sidecarUrl' | 'sidecarGrpc' | 'appPort' | 'sidecarPort' | 'grpcPort' | 'profile'
>;

/**
 * One line for the sidecar, one for the app, and one more if the app uses gRPC. Variables have the names of
 * the tap's profile.
 */
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

/** Lines that are changed already, as calls which only they bring have passed. */
export function usedLines({
  deliveries,
  publishes,
  otherCalls,
  grpcPort,
}: Pick<TapRow, 'deliveries' | 'publishes' | 'otherCalls' | 'grpcPort'>): ReadonlySet<TapLine['side']> {
  const used = new Set<TapLine['side']>();
  for (const { to, protocol } of otherCalls)
    used.add(to === 'app' ? 'sidecar' : protocol === 'grpc' ? 'grpc' : 'app');
  // A publish to a gRPC address comes by either line of the app, and a delivery may be an event of a stream that the app opened.
  if (grpcPort === undefined && deliveries > 0) used.add('sidecar');
  if (grpcPort === undefined && publishes > 0) used.add('app');
  return used;
}

function portIn(address: string): string {
  return /:(\d+)\/?$/.exec(address)?.[1] ?? '';
}

/** The answer of another call: a status, or over gRPC the name of its code; "" without an answer. */
export function otherStatus({ status, protocol }: Pick<OtherCall, 'status' | 'protocol'>): string {
  if (status === undefined) return '';
  return protocol === 'grpc' ? grpcCodeName(status) : String(status);
}
