/** Dependencies of every part of the runtime: ports, and the few services they share. */
import type { Profile } from '../contract/profile.ts';
import type { Codec } from '../domain/codec.ts';
import type { StepTurns } from '../domain/step-turns.ts';
import type { Clock } from '../ports/clock.ts';
import type { HostNames } from '../ports/host-names.ts';
import type { IdSource } from '../ports/ids.ts';
import type { Journal } from '../ports/journal.ts';
import type { Random } from '../ports/random.ts';
import type { SettingsStore } from '../ports/settings-store.ts';
import type { Callers } from './publishing/callers.ts';
import type { ExpectedHandOvers } from './state/expected-hand-overs.ts';
import type { LiveSet } from './state/live-set.ts';
import type { BodyTurns } from './state/body-turns.ts';
import type { Backpressure } from './state/backpressure.ts';
import type { LogBook } from './telemetry/log-book.ts';
import type { Metrics } from './telemetry/metrics.ts';
import type { ObservedTopics } from './telemetry/observed-topics.ts';
import type { EventRing } from './telemetry/event-ring.ts';
import type { Timers } from './time/timers.ts';
import type { Signals } from './signals.ts';
import type { Writer } from './persistence/writer.ts';

/** What the runtime is given and hands on to its parts unchanged. */
export interface CommonPorts {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly random: Random;
  readonly codec: Codec;
  readonly profile: Profile;
  readonly settings: SettingsStore;
  readonly journal: Journal;
  readonly version: string;
  /** Absent: a name that nobody knows is not told from a closed port. */
  readonly hostNames?: HostNames;
  /** Sent to apps with every call, when set. */
  readonly appApiToken?: string;
}

export interface SharedServices extends CommonPorts {
  readonly writer: Writer;
  readonly events: EventRing;
  readonly log: LogBook;
  readonly metrics: Metrics;
  readonly observedTopics: ObservedTopics;
  readonly timers: Timers;
  /** Turns of the event loop for long queues. */
  readonly turns: StepTurns;
  readonly bodyTurns: BodyTurns;
  readonly backpressure: Backpressure;
  readonly live: LiveSet;
  readonly expected: ExpectedHandOvers;
  readonly callers: Callers;
  readonly signals: Signals;
}
