/** Output of programs that write a lot: taken in turns, whole and in order. */
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startChild } from '../../../core/host/multi-run/child.ts';
import { LINES_PER_TURN, OutputTurns } from '../../../core/host/multi-run/output-turns.ts';

class Lines {
  text = '';
  hasEnded = false;

  get count(): number {
    return this.text.split('\n').length - 1;
  }

  write(bytes: Uint8Array): void {
    this.text += Buffer.from(bytes).toString();
  }

  end(): void {
    this.hasEnded = true;
  }
}

const many = (name: string, count: number): string =>
  Array.from({ length: count }, (_, i) => `${name} ${i}\n`).join('');

test('one turn of the event loop takes a bounded number of lines, and programs share it', async () => {
  const turns = new OutputTurns();
  const all = { a: many('a', 5000), b: many('b', 5000) };
  const [a, b] = [new Lines(), new Lines()];
  const outputs = [turns.follow(Readable.from([all.a], { objectMode: false }), a)];
  outputs.push(turns.follow(Readable.from([all.b], { objectMode: false }), b));
  let most = 0;
  let before = 0;
  while (!a.hasEnded || !b.hasEnded) {
    await setImmediate();
    most = Math.max(most, a.count + b.count - before);
    before = a.count + b.count;
    expect(Math.abs(a.count - b.count)).toBeLessThanOrEqual(LINES_PER_TURN);
  }
  expect(most).toBeLessThanOrEqual(LINES_PER_TURN);
  await Promise.all(outputs.map(({ whole }) => whole));
  expect([a.text, b.text]).toEqual([all.a, all.b]);
});

test('what has come so far is taken although the stream stays open', async () => {
  const stream = new Readable({ read: () => undefined });
  const lines = new Lines();
  const output = new OutputTurns().follow(stream, lines);
  await output.soFar();
  stream.push(many('a', 3 * LINES_PER_TURN));
  await setImmediate();
  await output.soFar();
  expect([lines.count, lines.hasEnded]).toEqual([3 * LINES_PER_TURN, false]);
  stream.push('rest');
  stream.push(null);
  await output.whole;
  expect(lines.text.endsWith('rest')).toBe(true);
});

test('what the system still has of an output belongs to what has come so far, up to the size of a pipe', async () => {
  const parts = Array.from({ length: 40 }, () => many('a', LINES_PER_TURN));
  // Each part comes once the one before is taken.
  const stream = new Readable({ highWaterMark: 1, read: () => void stream.push(parts.shift() ?? '') });
  const lines = new Lines();
  const output = new OutputTurns().follow(stream, lines);
  await output.soFar();
  expect(lines.count).toBe(40 * LINES_PER_TURN);
  const endless = new Readable({ read: () => void endless.push('x'.repeat(64 * 1024)) });
  await new OutputTurns().follow(endless, new Lines()).soFar();
  endless.destroy();
});

test('the end of a program comes after all its lines, also of one that leaves its output to a child', async () => {
  const programs = {
    plain: `process.stdout.write('x\\n'.repeat(200_000))`,
    leaving: `require('node:child_process').spawn('sleep', ['3'], { stdio: ['ignore', 1, 2], detached: true });
      process.stdout.write('x\\n'.repeat(50_000), () => process.exit(0))`,
  };
  for (const [name, count] of [
    ['plain', 200_000],
    ['leaving', 50_000],
  ] as const) {
    let lines = 0;
    const env = { PATH: process.env['PATH'] ?? '' };
    const command = [process.execPath, '-e', programs[name]];
    const child = startChild({
      command,
      folder: '/',
      env,
      platform: process.platform,
      onLine: () => (lines += 1),
    });
    expect(await child.ended).toEqual({ kind: 'exited', code: 0 });
    expect([name, lines]).toEqual([name, count]);
  }
}, 60_000);
