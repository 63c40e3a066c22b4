/** What every part of one tap is given. */
import type { Profile } from '../contract/profile.ts';
import type { Codec } from '../domain/codec.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { TapObserver } from '../ports/tap.ts';
import type { Decode } from './answers.ts';
import type { BodyRoom } from './body-room.ts';
import type { Target } from './relay.ts';

export interface TapOptions {
  readonly appId: string;
  readonly app: Target;
  readonly sidecar: Target;
  /** Ports that the tap listens on. */
  readonly appPort: number;
  readonly sidecarPort: number;
  /** What the real sidecar asks for; "" = nothing. */
  readonly apiToken: string;
}

export interface TapParts {
  readonly observer: TapObserver;
  readonly profile: Profile;
  readonly codec: Codec;
  readonly clock: Clock;
  readonly log: Log;
  readonly room: BodyRoom;
  readonly decode: Decode;
  /** What was kept under a key before; undefined: nothing. */
  readonly kept: unknown;
  /** Keeps the routes for the next start. */
  readonly keep: (routes: unknown) => void;
  /** Something that `state` tells has changed. */
  readonly changed: () => void;
}

/** An address as it is written. */
export function addressOf({ host, port }: Target): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
