/** Tells a person what a start is waiting for: the update of an older file, the check of a file, or the rescue of a damaged one. */
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { duration } from '../../contract/duration-text.ts';

import type { Log } from '../../ports/log.ts';
import type { OpenStep } from './requests.ts';

const EVERY_MS = 3_000;

export interface OpeningOptions {
  readonly log: Log;
  /** Called every few seconds while it lasts, so that callers keep waiting. */
  readonly onBusy?: ((text: string) => void) | undefined;
  readonly everyMs?: number;
}

export class Opening {
  readonly #options: OpeningOptions;
  #step: OpenStep | undefined;
  /** Where the way to the present format began. */
  #begin: OpenStep | undefined;
  #beganMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(options: OpeningOptions) {
    this.#options = options;
  }

  /** Notes the step that the start begins now. A short step is not reported, except for a change of format. */
  readonly take = (step: OpenStep): void => {
    this.#step = step;
    // After the start no caller reports the end of a step, so no timer is started.
    if (this.#timer === undefined && !this.#isOver) {
      this.#beganMs = performance.now();
      const { everyMs = EVERY_MS } = this.#options;
      this.#timer = setInterval(
        () => this.#log('info', stillAt(this.#step ?? step, this.#lastedMs())),
        everyMs,
      );
      this.#timer.unref();
    }
    if (step.kind !== 'copy') return;
    this.#begin = step;
    const history = `(${sizeOf(step.bytes)}, format ${step.from})`;
    this.#log(
      'warn',
      step.aside === true
        ? `The history ${history} is read-only. Sidelight converts a copy of it to format ${step.to} so that it can read it. That may take a while.`
        : `Sidelight converts the history ${history} to format ${step.to}. That may take a while. If it is interrupted, nothing is lost and the next start repeats it.`,
    );
  };

  /** Called when the file is open. */
  end(): void {
    this.failed();
    if (this.#begin?.kind === 'copy')
      this.#log(
        'info',
        `Sidelight converted the history to format ${this.#begin.to} in ${duration(this.#lastedMs())}.`,
      );
  }

  /** Called when the file cannot be opened; the caller says why. */
  failed(): void {
    this.#isOver = true;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Whole seconds from the first one on. */
  #lastedMs(): number {
    const ms = performance.now() - this.#beganMs;
    return ms < 1000 ? ms : Math.round(ms / 1000) * 1000;
  }

  #log(level: 'info' | 'warn', text: string): void {
    this.#options.log.write(level, 'journal', text);
    this.#options.onBusy?.(text);
  }
}

function stillAt(step: OpenStep, lastedMs: number): string {
  const since = `${duration(lastedMs)} so far`;
  switch (step.kind) {
    case 'check':
      return `Sidelight checks the history (${sizeOf(step.bytes)}), because it did not end cleanly last time: ${since}.`;
    case 'salvage':
      return `Sidelight saves what it can read of the damaged history (${sizeOf(step.bytes)}): ${since}.`;
    case 'copy':
      return `Sidelight copies the old history to ${basename(step.copy)}: ${sizeOf(bytesOf(step.copy))} of about ${sizeOf(step.bytes)}, ${since}.`;
    case 'migrate':
      return `Sidelight converts the history to format ${step.to}: ${since}.`;
  }
}

function bytesOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function sizeOf(bytes: number): string {
  const mb = bytes / 1_000_000;
  if (mb >= 1_000) return `${(mb / 1_000).toFixed(1)} GB`;
  return mb >= 1 ? `${Math.round(mb)} MB` : `${Math.ceil(bytes / 1_000)} kB`;
}
