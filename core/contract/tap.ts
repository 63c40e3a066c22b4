/** Shapes of taps: an app and its own sidecar with Sidelight between them, and the traffic that a tap saw. */
import { name } from './bounds.ts';
import { PROTOCOLS } from './grpc.ts';
import { PROFILE_NAMES } from './profile.ts';
import { Bool, Integer, list, members, Num, oneOf, Optional, Text } from './schema.ts';
import type { Static } from './schema.ts';

const port = Integer({ minimum: 0, maximum: 65_535 });

/** Parameters of a new tap. Port 0 = any free one. */
export const newTap = members({
  appId: name,
  /** Where the app listens: `http://HOST:PORT`, or `grpc://HOST:PORT`. */
  appUrl: name,
  /** The HTTP API of the real sidecar; absent: `http://127.0.0.1:3500`. */
  sidecarUrl: Optional(name),
  /** The gRPC API of the real sidecar: `HOST:PORT`; absent: it is not tapped. */
  sidecarGrpc: Optional(name),
  /** Port that the real sidecar uses as its app's port; absent: 6101, or the next free one. */
  appPort: Optional(port),
  /** Port that the app uses as its sidecar's HTTP port; absent: 3501, or the next free one. */
  sidecarPort: Optional(port),
  /**
   * Port that the app uses as its sidecar's gRPC port, with `sidecarGrpc` only; absent: 50101, or the next
   * free one.
   */
  grpcPort: Optional(port),
});
export type NewTap = Static<typeof newTap>;

/** An observed call that is neither a publish nor a delivery. */
export const otherCall = members({
  at: Text(),
  /** Direction of the call. `app`: from the sidecar to the app. `sidecar`: from the app to its sidecar. */
  to: oneOf(['app', 'sidecar']),
  /** Absent: http. */
  protocol: Optional(oneOf(PROTOCOLS)),
  method: Text(),
  /** Path of the call; over gRPC the full name of the method. */
  path: Text(),
  /** Status of the answer; over gRPC the code. Absent: there was no answer. */
  status: Optional(Num()),
  durationMs: Num(),
  note: Optional(Text()),
});
export type OtherCall = Static<typeof otherCall>;

/** Row of `taps.list`. */
export const tapRow = members({
  appId: Text(),
  appUrl: Text(),
  sidecarUrl: Text(),
  appPort: Num(),
  sidecarPort: Num(),
  /** Address of the sidecar's gRPC API, if that is tapped. */
  sidecarGrpc: Optional(Text()),
  grpcPort: Optional(Num()),
  /** Profile whose names and rules the tap reads the traffic by, as `profile` of `system.describe`. */
  profile: oneOf(PROFILE_NAMES),
  /** True while the app answers at its port. Only then does the tap listen for the sidecar. */
  appAnswers: Bool(),
  sidecarAnswers: Bool(),
  /** Problems: why the sidecar or the app is not reachable, or the tap cannot listen. */
  problems: list(Text()),
  /** Version that the sidecar reports. */
  runtimeVersion: Optional(Text()),
  subscriptions: list(
    members({
      pubsubname: Text(),
      topic: Text(),
      routes: list(Text()),
      deadLetterTopic: Optional(Text()),
      /**
       * True if the app asked for the subscription and its sidecar does not list it; `problems` says so too.
       */
      unserved: Optional(Bool()),
    }),
  ),
  publishes: Num(),
  deliveries: Num(),
  /** Number of all other calls; `otherCalls` has the newest. */
  others: Num(),
  otherCalls: list(otherCall),
  /**
   * Number of records of what passed all taps that the history does not have. A publish, a delivery and its answer are one record each, so a
   * call can have several.
   */
  missed: Num(),
  /** Whether the tap was added at run time. Such a tap can be removed. */
  added: Bool(),
});
export type TapRow = Static<typeof tapRow>;

/** Addresses of a tap, in the ready line. */
export interface TapAddress {
  readonly appId: string;
  readonly appPort: number;
  readonly sidecarPort: number;
  readonly grpcPort?: number;
}
