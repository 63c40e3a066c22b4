// A tap between an app and a sidecar of a test, over a runtime whose clock the test moves.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { decode } from '../../core/adapters/http-app-channel/content-encoding.ts';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { protocolOfPort } from '../../core/adapters/port-protocol.ts';
import { systemClock } from '../../core/adapters/system-clock.ts';
import { PROFILES, profileOfMetadata } from '../../core/contract/profile.ts';
import type { Attempt, Delivery } from '../../core/contract/message.ts';
import { BodyRoom } from '../../core/tap/body-room.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { TapRules } from '../../core/ports/tap.ts';
import type { AppTarget } from '../../core/tap/dependencies.ts';
import type { Target } from '../../core/tap/relay.ts';
import { openTap } from '../../core/tap/tap.ts';
import type { Tap } from '../../core/tap/tap.ts';
import { Stand } from '../support/runtime-stand.ts';

export interface TappedEnds {
  /** Absent: `shop`. */
  readonly appId?: string;
  /** The runtime of another tap, which this one joins; absent: one of its own. */
  readonly stand?: Stand;
  readonly app: AppTarget;
  readonly sidecar?: Target;
  readonly sidecarGrpc?: Target;
  /** Ports of the tap for the app; any free ones unless given. */
  readonly sidecarPort?: number;
  readonly grpcPort?: number;
  readonly rules?: TapRules;
  /** The machine's unless given. */
  readonly clock?: Clock;
  /** Takes each line of the tap's log. */
  readonly logged?: (text: string) => void;
}

/** Somewhere on this machine where nobody listens. */
const NOWHERE: Target = { host: '127.0.0.1', port: 1 };

export class Tapped {
  readonly stand: Stand;
  readonly tap: Tap;

  constructor(stand: Stand, tap: Tap) {
    this.stand = stand;
    this.tap = tap;
  }

  /** Resolves with what `look` gives once that is not undefined. */
  async when<T>(what: string, look: () => T | undefined | Promise<T | undefined>): Promise<T> {
    const until = Date.now() + 15_000;
    for (;;) {
      await this.stand.settle();
      const found = await look();
      if (found !== undefined) return found;
      if (Date.now() > until) throw new Error(`waited in vain until ${what}`);
      await sleep(5);
      // The runtime has a clock of its own, and a publish waits for its event by it.
      this.stand.clock.advance(5);
    }
  }

  async rows() {
    await this.stand.settle();
    const nowMs = this.stand.clock.now();
    return (await this.stand.runtime.journal.page({ order: 'oldest', limit: 50, nowMs })).items;
  }

  /** The only delivery of the only message, once it has come to a state. */
  async delivery(state: string): Promise<Delivery & { readonly attempts: readonly Attempt[] }> {
    return this.when(`a delivery is ${state}`, async () => {
      const [row] = await this.rows();
      if (row?.deliveries[0]?.state !== state) return undefined;
      return this.stand.delivery(row.messageId);
    });
  }
}

/** Closed at the end of the test. */
export async function tapped({
  appId = 'shop',
  stand: joined,
  app,
  sidecar = NOWHERE,
  sidecarGrpc,
  sidecarPort = 0,
  grpcPort = 0,
  rules,
  clock = systemClock(),
  logged,
}: TappedEnds): Promise<Tapped> {
  const stand = joined ?? (await new Stand({ profile: 'dapr' }).start());
  const tap = await openTap(
    {
      appId,
      app,
      sidecar,
      ...(sidecarGrpc === undefined ? {} : { sidecarGrpc, grpcPort }),
      appPort: 0,
      sidecarPort,
      apiToken: '',
    },
    {
      observer: stand.runtime.tapObserver,
      profileOf: (metadata) => PROFILES[profileOfMetadata(metadata) ?? 'dapr'],
      codec: bufferCodec,
      clock,
      log: { write: (_level, _part, text) => logged?.(text) },
      rules: rules ?? { any: false, answerTo: () => undefined },
      room: new BodyRoom(),
      mark: randomUUID(),
      decode: async (bytes, encoding = '', isCut = false) => {
        const decoded = await decode(bytes, encoding, 1024 * 1024, isCut);
        if (decoded.kind === 'bytes') return decoded;
        if (decoded.kind === 'cutOff') return { bytes: decoded.start, why: decoded.why };
        return { why: decoded.kind, reason: 'encoding' };
      },
      protocolOfPort: ({ host, port }) => protocolOfPort(host, port, 2_000),
      kept: undefined,
      keep: () => undefined,
      changed: () => undefined,
    },
  );
  onTestFinished(() => tap.close());
  const one = new Tapped(stand, tap);
  await one.when('the tap listens for the sidecar', () => (tap.row().appAnswers ? true : undefined));
  return one;
}
