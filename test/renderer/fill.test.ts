/** Facts in texts: one of a thing is said in the singular, in every text that counts. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { fill } from '../../renderer/copy/fill.ts';

const COPY = fileURLToPath(new URL('../../renderer/copy/', import.meta.url));

test('a word follows the number that stands with it', () => {
  const text = '{n} {n:call waits|calls wait} for {who}';
  expect(fill(text, { n: 1, who: 'you' })).toBe('1 call waits for you');
  expect(fill(text, { n: '1', who: undefined })).toBe('1 call waits for –');
  expect(fill(text, { n: 0, who: 'you' })).toBe('0 calls wait for you');
  expect(fill(text, { n: '1,000', who: 'you' })).toBe('1,000 calls wait for you');
});

test('no text says "1 messages"', () => {
  const plural =
    /\{n\} (?:changed |pinned |new |newer )?(?:messages|deliveries|subscriptions|problems|warnings|entries|lines|attempts|calls|hits|errors|times)\b/;
  expect(plural.test("'{n} new messages'")).toBe(true);
  const found = readdirSync(COPY).flatMap((name) =>
    readFileSync(`${COPY}${name}`, 'utf8')
      .split('\n')
      .filter((line) => plural.test(line))
      .map((line) => `${name}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});
