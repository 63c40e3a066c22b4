/**
 * Shows that publishes are refused: one banner for each reason, and a line of the log when it begins and
 * ends.
 */
import type { SystemDescription } from '../contract/reports.ts';
import type { Cancel, Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';

type Banner = SystemDescription['banners'][number];

/** Interval of the checks. A reason that begins and ends between two checks is too short to be read. */
const POLL_INTERVAL_MS = 1000;

export interface Refusals {
  /** The present banners. */
  banners(): readonly Banner[];
  close(): void;
}

export interface RefusalDependencies {
  readonly clock: Clock;
  /** The runtime's log, whose lines are events, so that every screen updates. */
  readonly log: Log;
  /** Present reason of each part that may refuse publishes; undefined: it accepts them. */
  readonly reasons: () => readonly (string | undefined)[];
}

/** Watches the reasons until it is closed. */
export function watchRefusals({ clock, log, reasons }: RefusalDependencies): Refusals {
  let shown: readonly Banner[] = [];
  let began = 0;
  const look = (): void => {
    const now = [...new Set(reasons().filter((reason) => reason !== undefined))];
    const texts = now.map((reason) => `Sidelight refuses publishes: ${reason}.`);
    const before = shown;
    // Each occurrence has its own id, so that dismissing one does not hide the next.
    shown = texts.map(
      (text) =>
        before.find((banner) => banner.text === text) ?? { id: `refusal-${++began}`, text, level: 'error' },
    );
    for (const banner of shown) if (!before.includes(banner)) log.write('error', 'publish', banner.text);
    if (before.length > 0 && shown.length === 0)
      log.write('info', 'publish', 'Sidelight accepts publishes again.');
  };
  let cancel: Cancel;
  const later = (): void => {
    cancel = clock.at(clock.now() + POLL_INTERVAL_MS, () => {
      look();
      later();
    });
  };
  later();
  return {
    banners: () => {
      look();
      return shown;
    },
    close: () => cancel(),
  };
}
