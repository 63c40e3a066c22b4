/** A test out of recorded messages, with their secrets taken out first. */
import type { Codec } from '../codec.ts';
import { hideSecrets } from './hide-secrets.ts';
import { maskMessage } from './mask.ts';
import type { RecordedMessage } from './recorded.ts';
import { makeTest } from './to-test.ts';
import type { MadeTest, TestFacts } from './to-test.ts';

export interface TestOrder {
  readonly facts: TestFacts;
  /** Values that must not stand anywhere in the test. */
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
