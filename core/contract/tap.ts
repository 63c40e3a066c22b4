/** Taps: an app and its own sidecar with Sidelight between them, and what a tap saw pass. */
import { name } from './bounds.ts';
import { PROTOCOLS } from './grpc.ts';
import { PROFILE_NAMES } from './profile.ts';
import { Bool, Integer, list, members, Num, oneOf, Optional, Text } from './schema.ts';
import type { Static } from './schema.ts';

const port = Integer({ minimum: 0, maximum: 65_535 });

/** What a tap is made of. Ports: 0 = any free one. */
export const newTap = members({
  appId: name,
  /** Where the app listens: `http://HOST:PORT`, or `grpc://HOST:PORT`. */
  appUrl: name,
  /** The HTTP API of the real sidecar; absent: `http://127.0.0.1:3500`. */
  sidecarUrl: Optional(name),
  /** The gRPC API of the real sidecar: `HOST:PORT`; absent: it is not tapped. */
  sidecarGrpc: Optional(name),
  /** What the real sidecar is told as its app's port; absent: 6101, or the next free one. */
  appPort: Optional(port),
  /** What the app is told as its sidecar's HTTP port; absent: 3501, or the next free one. */
  sidecarPort: Optional(port),
  /** What the app is told as its sidecar's gRPC port, with `sidecarGrpc` only; absent: 50101, or the next free one. */
  grpcPort: Optional(port),
});
export type NewTap = Static<typeof newTap>;

/** A call that passed and is neither a publish nor a delivery. */
export const otherCall = members({
  at: Text(),
  /** `app`: from the sidecar to the app. `sidecar`: from the app to its sidecar. */
  to: oneOf(['app', 'sidecar']),
  /** Absent: http. */
  protocol: Optional(oneOf(PROTOCOLS)),
  method: Text(),
  /** Over gRPC the full name of the method. */
  path: Text(),
  /** Over gRPC the code. Absent: there was no answer. */
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
  /** Only where the sidecar's gRPC API is tapped. */
  sidecarGrpc: Optional(Text()),
  grpcPort: Optional(Num()),
  /** Whose names and rules it reads by: as `profile` of `system.describe`. */
  profile: oneOf(PROFILE_NAMES),
  /** True while the app answers at its port: only then the tap listens for the sidecar. */
  appAnswers: Bool(),
  sidecarAnswers: Bool(),
  /** Why the sidecar or the app cannot be reached, or the tap cannot listen. */
  problems: list(Text()),
  /** Version as the sidecar reports it. */
  runtimeVersion: Optional(Text()),
  subscriptions: list(
    members({
      pubsubname: Text(),
      topic: Text(),
      routes: list(Text()),
      deadLetterTopic: Optional(Text()),
      /** The app asked for it, and its sidecar does not list it: `problems` says so too. */
      unserved: Optional(Bool()),
    }),
  ),
  publishes: Num(),
  deliveries: Num(),
  /** All of them; `otherCalls` has the newest. */
  others: Num(),
  otherCalls: list(otherCall),
  /** All taps together: calls that passed and are not recorded, because the history could not keep up. */
  missed: Num(),
  /** Added while Sidelight runs, so it may be removed. */
  added: Bool(),
});
export type TapRow = Static<typeof tapRow>;

/** Where a tap listens, in the ready line. */
export interface TapAddress {
  readonly appId: string;
  readonly appPort: number;
  readonly sidecarPort: number;
  readonly grpcPort?: number;
}
