/** The reason of refused messages is shown until one is accepted, or until there is room again without a publish. */
import { beforeEach, describe, expect, test, vi } from 'vitest';

import { WriteRefusal } from '../../core/adapters/sqlite-journal/write-refusal.ts';
import { JournalError } from '../../core/ports/journal.ts';

const FULL = new JournalError('full', 'the disk is full');
const BROKEN = new JournalError('broken', 'disk I/O error');

let takesNew: boolean;
let looked: number;
let trouble: WriteRefusal;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  takesNew = false;
  looked = 0;
  trouble = new WriteRefusal(async () => {
    looked++;
    return takesNew;
  });
  return async () => {
    await trouble.stop();
    vi.useRealTimers();
  };
});

describe('a full disk', () => {
  test('stays when only a change of a stored message was written', () => {
    trouble.refused(FULL);
    trouble.written(false);
    expect(trouble.reason).toBe('the disk is full');
    trouble.written(true);
    expect(trouble.reason).toBeUndefined();
  });

  test('ends when there is room, also without a publisher', async () => {
    trouble.refused(FULL);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(looked).toBeGreaterThan(2);
    expect(trouble.reason).toBe('the disk is full');
    takesNew = true;
    await vi.advanceTimersByTimeAsync(4000);
    expect(trouble.reason).toBeUndefined();
    const before = looked;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(looked).toBe(before);
  });

  test('stays after a check that fails, and is checked again', async () => {
    let isDead = true;
    const broken = new WriteRefusal(() => (isDead ? Promise.reject(BROKEN) : Promise.resolve(true)));
    broken.refused(FULL);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(broken.reason).toBe('the disk is full');
    isDead = false;
    await vi.advanceTimersByTimeAsync(4000);
    expect(broken.reason).toBeUndefined();
    await broken.stop();
  });

  test('is not checked right after a refusal, so that the reason can be read', async () => {
    takesNew = true;
    for (let n = 0; n < 10; n++) {
      trouble.refused(FULL);
      await vi.advanceTimersByTimeAsync(1000);
      expect(trouble.reason).toBe('the disk is full');
    }
    await vi.advanceTimersByTimeAsync(4000);
    expect(trouble.reason).toBeUndefined();
  });

  test('stays if a publish is refused during a check', async () => {
    let answer: (is: boolean) => void = () => undefined;
    const slow = new WriteRefusal(
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    slow.refused(FULL);
    await vi.advanceTimersByTimeAsync(2000);
    vi.advanceTimersByTime(5);
    slow.refused(FULL);
    answer(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(slow.reason).toBe('the disk is full');
    await slow.stop();
  });
});

test('any other reason for refusals ends with the next successful write', () => {
  trouble.refused(BROKEN);
  trouble.written(false);
  expect(trouble.reason).toBeUndefined();
});
