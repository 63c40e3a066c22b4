// Flags inside a text are parts of their own, which are not broken.
import { expect, test } from 'vitest';
import { flagParts } from '../../renderer/components/WholeFlags.tsx';

test.each([
  ['check this address (--app-url, or appPort)', ['check this address (', '--app-url', ', or appPort)']],
  ['--profile dapr', ['', '--profile', ' dapr']],
  ['orders -- refunds, a-b', ['orders -- refunds, a-b']],
])('%s', (text, parts) => expect(flagParts(text)).toEqual(parts));
