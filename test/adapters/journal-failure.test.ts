/** Errors of the journal keep between two threads what tells a bug from trouble with the disk. */
import { closeSync } from 'node:fs';
import { expect, test } from 'vitest';
import { errorOf, failureOf } from '../../core/adapters/sqlite-journal/failure.ts';
import { needSqlite } from '../../core/adapters/sqlite-journal/sqlite.ts';
import { JournalError } from '../../core/ports/journal.ts';

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

function sent(error: unknown): JournalError {
  return errorOf(structuredClone(failureOf(error, '/data')));
}

test('a bug arrives as one, with its stack', () => {
  const broken = (): unknown => Reflect.get(undefined as unknown as object, 'x');
  const error = sent(thrownBy(broken));
  expect(error).toMatchObject({
    code: 'bug',
    message: expect.stringContaining('the history in /data failed: '),
  });
  expect(error.cause).toMatch(/^TypeError: .*\n.*journal-failure\.test/s);
});

test.each<[string, JournalError['code'], string | undefined, () => unknown]>([
  ['of the system', 'broken', 'EBADF: bad file descriptor, close', () => closeSync(99_999)],
  [
    'of SQLite',
    'broken',
    'near "nonsense": syntax error',
    () => new (needSqlite().DatabaseSync)(':memory:').exec('nonsense'),
  ],
  [
    'of the journal',
    'full',
    undefined,
    () => {
      throw new JournalError('full', 'the disk is full');
    },
  ],
])('an error %s is no bug', (_, code, cause, act) => {
  const error = sent(thrownBy(act));
  expect(error.code).toBe(code);
  expect(error.cause).toBe(cause);
});
