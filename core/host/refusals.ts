/** What a person sees while publishes are refused: one banner for each reason, and a line of the log when it comes and goes. */
import type { SystemDescription } from '../contract/reports.ts';
import type { Cancel, Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';

type Banner = SystemDescription['banners'][number];

/** A reason that came and went between two looks was none that a person could have read. */
const LOOK_EVERY_MS = 1000;

export interface Refusals {
  /** As of this moment. */
  banners(): readonly Banner[];
  close(): void;
}

export interface RefusalDependencies {
  readonly clock: Clock;
  /** The runtime's own: a line of it is an event, so that every screen hears of it. */
  readonly log: Log;
  /** Why each part that may refuse refuses at present; undefined: it does not. */
  readonly reasons: () => readonly (string | undefined)[];
}

/** Watches until it is closed. */
export function watchRefusals({ clock, log, reasons }: RefusalDependencies): Refusals {
  let shown: readonly Banner[] = [];
  let began = 0;
  const look = (): void => {
    const now = [...new Set(reasons().filter((reason) => reason !== undefined))];
    const texts = now.map((reason) => `Sidelight refuses publishes: ${reason}.`);
    const before = shown;
    // Each time has an id of its own: one that was dismissed does not hide the next.
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
    cancel = clock.at(clock.now() + LOOK_EVERY_MS, () => {
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
