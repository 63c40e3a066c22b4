/** The log on stderr: one entry is one line, as text or as JSON, without secrets. */
import { describe, expect, test } from 'vitest';
import { createLog } from '../../core/adapters/json-log.ts';
import { SecretValues } from '../../core/domain/secret-values.ts';

describe('the log', () => {
  function logged(options: Partial<Parameters<typeof createLog>[0]> = {}): {
    lines: string[];
    log: ReturnType<typeof createLog>;
  } {
    const lines: string[] = [];
    const log = createLog({
      level: 'info',
      format: 'text',
      now: () => 0,
      write: (line) => lines.push(line),
      ...options,
    });
    return { lines, log };
  }

  test('an entry is one line of time, level, part, text and fields', () => {
    const { lines, log } = logged();
    log.write('warn', 'delivery', 'The app asked to drop it.', {
      messageId: 'msg_1',
      rule: 'single.2xx.drop',
    });
    expect(lines).toEqual([
      '1970-01-01T00:00:00.000Z WARN  delivery: The app asked to drop it. messageId=msg_1 rule=single.2xx.drop',
    ]);
  });

  test('a long text is cut between two characters', () => {
    const { lines, log } = logged();
    log.write('info', 'x', `${'a'.repeat(4095)}${'😀'.repeat(8000)}`);
    expect(lines[0]?.endsWith(`${'a'.repeat(4095)}…`)).toBe(true);
  });

  test('format json writes one JSON object for each entry', () => {
    const { lines, log } = logged({ format: 'json' });
    log.write('error', 'x', 'a "b"\nc', { deliveryId: 'dlv_1' });
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { at: '1970-01-01T00:00:00.000Z', level: 'error', part: 'x', text: 'a "b"\nc', deliveryId: 'dlv_1' },
    ]);
    expect(lines[0]).not.toContain('\n');
  });

  test('entries below the level are not written', () => {
    const { lines, log } = logged({ level: 'warn' });
    for (const level of ['debug', 'info', 'warn', 'error'] as const) log.write(level, 'x', level);
    expect(lines).toHaveLength(2);
  });

  test('one entry is one line, whatever its text', () => {
    const { lines, log } = logged();
    log.write('info', 'x', 'a\nINFO  forged: line\u001b[31m');
    expect(lines[0]).toContain('a\\u000aINFO  forged: line\\u001b[31m');
    log.write('info', 'x', 'y'.repeat(100_000));
    expect(lines[1]?.length).toBeLessThan(10_000);
  });

  test('control and direction characters are written as their numbers', () => {
    const { lines, log } = logged();
    log.write('info', 'host', 'a\u001b[2J\u009b1m\u202eb\u2066');
    expect(lines[0]).toContain(String.raw`a\u001b[2J\u009b1m\u202eb\u2066`);
  });

  test.each(['text', 'json'] as const)(
    'lines that nobody reads are left out, and counted in a line of their own, in %s',
    (format) => {
      const written: string[] = [];
      const stream = { writableLength: 0, write: (text: string) => void written.push(text) };
      const log = createLog({ level: 'info', format, now: () => 0, stream });
      log.write('info', 'x', 'read');
      stream.writableLength = 5 * 1024 * 1024;
      for (const text of ['one', 'two']) log.write('info', 'x', text);
      stream.writableLength = 0;
      log.write('info', 'x', 'read again');
      const note =
        format === 'text'
          ? '1970-01-01T00:00:00.000Z WARN  host: 2 lines are left out: the reader of this output is too slow.\n'
          : '{"at":"1970-01-01T00:00:00.000Z","level":"warn","part":"host","text":"2 lines are left out: the reader of this output is too slow."}\n';
      expect(written).toEqual([expect.stringContaining('read'), note, expect.stringContaining('read again')]);
    },
  );

  test('a secret is masked in the text of a line', () => {
    const { lines, log } = logged({ secrets: new SecretValues(['', 'abcdef', 'abcdefghi']) });
    log.write('info', 'x', 'token abcdefghi and abcdef');
    expect(lines[0]).toContain('token *** and ***');
  });

  test.each(['text', 'json'] as const)('a secret is masked in its escaped form too, in %s', (format) => {
    const secret = 'my "own"\\\nsecret';
    const { lines, log } = logged({ format, secrets: new SecretValues([secret]) });
    log.write('info', 'x', `token ${secret}.`);
    expect(lines[0]).toContain('token ***.');
    expect(lines[0]).not.toContain('own');
  });

  test('a JSON line stays valid JSON, whatever the secret is', () => {
    const { lines, log } = logged({ format: 'json', secrets: new SecretValues(['deliveryId', '"level"']) });
    log.write('warn', 'x', 'a deliveryId', { deliveryId: 'dlv_1' });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'warn', text: 'a ***', deliveryId: 'dlv_1' });
  });
});
