/** The health check of an app, as the fields of its block give it. */
import { MAX_TIMER_MS } from '../../domain/setting-checks.ts';
import type { AppHealthSettings } from '../../domain/settings.ts';
import { SETTINGS } from '../setting-table.ts';
import { mistakeAt } from './file-mistake.ts';
import type { Found, MergedFields, Notes } from './merged-fields.ts';

const PATH = 'appHealthCheckPath';
const INTERVAL = 'appHealthProbeInterval';
const TIMEOUT = 'appHealthProbeTimeout';
const THRESHOLD = 'appHealthThreshold';

export interface HealthFacts {
  readonly file: string;
  readonly notes: Notes;
}

/**
 * Health settings of the app; a number that is 0 or negative stands for its default. Undefined: its health is
 * not checked. Throws UsageError.
 */
export function healthOf(fields: MergedFields, facts: HealthFacts): AppHealthSettings | undefined {
  if (!fields.isOn('enableAppHealthCheck')) {
    noteUnused(fields, facts.notes);
    return undefined;
  }
  const standard = SETTINGS['app.health'].default;
  const [interval, timeout] = [positive(fields, INTERVAL), positive(fields, TIMEOUT)];
  const intervalMs = interval === undefined ? standard.intervalMs : interval.value * 1000;
  const timeoutMs = timeout?.value ?? standard.timeoutMs;
  if (interval !== undefined && intervalMs > MAX_TIMER_MS)
    throw tooLong(facts.file, INTERVAL, interval, `${Math.floor(MAX_TIMER_MS / 1000)} seconds`);
  if (timeout !== undefined && timeoutMs > MAX_TIMER_MS)
    throw tooLong(facts.file, TIMEOUT, timeout, `${MAX_TIMER_MS} milliseconds`);
  if (timeoutMs > intervalMs) {
    const reason = `${TIMEOUT} (${timeoutMs} ms) must not be longer than ${INTERVAL} (${intervalMs} ms)`;
    throw mistakeAt(facts.file, (timeout ?? interval)?.at, reason);
  }
  const path = fields.text(PATH)?.value ?? standard.path;
  return {
    enabled: true,
    path: path.startsWith('/') ? path : `/${path}`,
    intervalMs,
    timeoutMs,
    threshold: positive(fields, THRESHOLD)?.value ?? standard.threshold,
  };
}

function positive(fields: MergedFields, key: string): Found<number> | undefined {
  const found = fields.number(key);
  return found === undefined || found.value <= 0 ? undefined : found;
}

function tooLong(file: string, key: string, { at, value }: Found<number>, most: string): Error {
  return mistakeAt(file, at, `${key} must be at most ${most}, got ${value}`);
}

/** Notes the settings of a health check that is off. */
function noteUnused(fields: MergedFields, notes: Notes): void {
  for (const key of [PATH, INTERVAL, TIMEOUT, THRESHOLD]) {
    const found = fields.own('app', key) ?? fields.own('common', key);
    if (found === undefined) continue;
    notes.add(`${key} alone`, found.at, `${key} has no effect without enableAppHealthCheck: true`);
  }
}
