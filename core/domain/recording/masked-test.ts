/** Makes a test from recorded messages, after removing their secrets. */
import type { Codec } from '../codec.ts';
import { hideSecrets } from './hide-secrets.ts';
import { maskMessage } from './mask.ts';
import type { RecordedMessage } from './recorded.ts';
import { makeTest } from './to-test.ts';
import type { MadeTest, TestFacts } from './to-test.ts';

export interface TestOrder {
  readonly facts: TestFacts;
  /** Values that must not appear in the test. */
  readonly secrets: readonly string[];
}

const MASKING = { headers: true, paths: [] };

export function makeMaskedTest(
  recorded: readonly RecordedMessage[],
  { facts, secrets }: TestOrder,
  codec: Codec,
): MadeTest {
  const hiding = hideSecrets(secrets, codec);
  const shown = recorded.map((each) => hiding.message(maskMessage(each, MASKING, codec)));
  return makeTest(shown, facts, codec);
}
