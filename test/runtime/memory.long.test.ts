/** Memory does not grow with the number of messages that went through: ten times the history, twice over. */
import { expect, test } from 'vitest';
import { heaps } from './memory-run.ts';

const [FEW, MANY, KEPT] = [20_000, 200_000, 10_000];
/** Difference of two heap measurements without a leak. */
const NOISE_BYTES = 6 * 1024 * 1024;

test(`${MANY} messages need no more room than ${FEW}`, async () => {
  const { few, many, published } = await heaps({ few: FEW, many: MANY, kept: KEPT });
  expect(published).toBe(MANY);
  expect(many).toBeLessThan(few * 1.25 + NOISE_BYTES);
}, 1_200_000);
