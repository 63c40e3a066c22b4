/** Dependencies of every part of one tap. */
import type { PortProtocol, Protocol } from '../contract/grpc.ts';
import type { Profile } from '../contract/profile.ts';
import type { Codec } from '../domain/codec.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { TapObserver, TapRules } from '../ports/tap.ts';
import type { Decode } from './answers.ts';
import type { BodyRoom } from './body-room.ts';
import type { Target } from './relay.ts';

/** Address and protocol of the app. */
export interface AppTarget extends Target {
  readonly protocol: Protocol;
}

export interface TapOptions {
  readonly appId: string;
  readonly app: AppTarget;
  readonly sidecar: Target;
  /** The gRPC API of the real sidecar; absent: it is not tapped. */
  readonly sidecarGrpc?: Target;
  /** Ports that the tap listens on. */
  readonly appPort: number;
  readonly sidecarPort: number;
  /** Only with `sidecarGrpc`. */
  readonly grpcPort?: number;
  /** API token that the real sidecar requires; "" = none. */
  readonly apiToken: string;
}

export interface TapDependencies {
  readonly observer: TapObserver;
  /** Names and rules of the real sidecar, as its metadata tell them; undefined: they are not known yet. */
  readonly profileOf: (metadata: unknown) => Profile;
  readonly codec: Codec;
  readonly clock: Clock;
  readonly log: Log;
  /** Rules that may answer in the app's place. */
  readonly rules: TapRules;
  readonly room: BodyRoom;
  readonly decode: Decode;
  /** Scheme of a port that does not answer in HTTP; undefined: unknown. */
  readonly protocolOfPort: (target: Target) => Promise<PortProtocol | undefined>;
  /** A text that no other tap has: by it a tap recognises its own call. */
  readonly mark: string;
  /** Stored value of an earlier run; undefined: none. */
  readonly kept: unknown;
  /** Keeps the routes for the next start. */
  readonly keep: (routes: unknown) => void;
  /** Called when something changed that `state` shows. */
  readonly changed: () => void;
}

/** An address as it is written. */
export function addressOf(target: Target, protocol: Protocol = 'http'): string {
  return `${protocol}://${hostAndPort(target)}`;
}

export function hostAndPort({ host, port }: Target): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
