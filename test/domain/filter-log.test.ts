// The filter language on log lines.
import { describe, expect, test } from 'vitest';
import type { LogEntry } from '../../core/contract/console.ts';
import { matchesLog, parseLogFilter } from '../../core/domain/filter/log.ts';
import { filterOf } from './filter-sample.ts';

const ENTRY: LogEntry = {
  at: '2026-03-01T10:00:00.000Z',
  level: 'warn',
  part: 'delivery',
  text: 'The app asked to drop it',
  messageId: 'msg_1',
  rule: 'single.2xx.drop',
};

function passes(text: string, entry: Partial<LogEntry> = {}): boolean {
  const parsed = parseLogFilter(text);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return matchesLog(parsed.filter, { ...ENTRY, ...entry });
}

describe('log lines', () => {
  test.each<[string, boolean]>([
    ['', true],
    ['level:warn', true],
    ['level:warn,error', true],
    ['level:info', false],
    ['level!=info', true],
    ['level!=warn', false],
    ['level:w*', true],
    ['part:delivery', true],
    ['part:del*', true],
    ['part:Delivery', false],
    ['DROP', true],
    ['"asked to drop"', true],
    ['asked*it', true],
    ['it*asked', false],
    ['msg_1', true],
    ['single.2xx', true],
    ['delivery', true],
    ['keep', false],
    ['NOT level:info part:delivery', true],
    ['level:info OR part:delivery', true],
    ['level:info OR (part:delivery keep)', false],
  ])('%j is %s', (text, holds) => {
    expect(passes(text)).toBe(holds);
  });

  test('a key of messages is unknown', () => {
    expect(parseLogFilter('topic:a')).toMatchObject({
      ok: false,
      error: { message: 'Unknown key "topic" at 1–5. To search the text, write "topic:a" in quotes.' },
    });
    expect(parseLogFilter('levle:warn')).toMatchObject({ ok: false, error: { suggestion: 'level' } });
    expect(parseLogFilter('level:loud')).toMatchObject({
      ok: false,
      error: { message: 'Expected a level after "level:" at 7, found "loud".' },
    });
  });

  test('a filter of messages finds no line by its keys', () => {
    expect(matchesLog(filterOf('topic:delivery'), ENTRY)).toBe(false);
  });
});
