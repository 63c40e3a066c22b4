/** What stands in the place of a payload that is being read, that was given up, or that cannot be read. */
import { expect, test } from 'vitest';
import { PayloadComing } from '../../renderer/components/PayloadComing.tsx';
import { drawn, wordsOf } from './drawn.tsx';

const again = (): void => undefined;

function said(reading: Parameters<typeof PayloadComing>[0]['reading']): string {
  return wordsOf(drawn(<PayloadComing reading={reading} bytes={5_300_000} />, {}));
}

test('a payload that was given up, or could not be read, says so and how it can be read', () => {
  expect(said({ state: 'stopped', again })).toBe('The payload was not read. Read 5.3 MB');
  expect(said({ state: 'failed', message: 'There is no message m.', again })).toContain(
    'The payload could not be read: There is no message m.',
  );
  expect(said({ state: 'known', payload: { kind: 'json', text: '1' } })).toBe('');
});

test('quick reading shows nothing, so that nothing flickers', () => {
  expect(said({ state: 'reading', share: 0.5, stop: again })).toBe('');
});
