/** The act that stands in the head of a message with several deliveries, none of which is chosen. */
import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { HeadActs } from '../../renderer/components/detail/HeadActs.tsx';
import { drawn, wordsOf } from './drawn.tsx';
import { deliveryIn, rowNamed } from './samples.ts';

test('it is that of the delivery that needs attention most, as the chip and the facts are', () => {
  const row = rowNamed('m1', { deliveries: [deliveryIn('processed'), deliveryIn('parked')] });
  const words = wordsOf(
    drawn(<HeadActs subject={{ row }} delivery={undefined} />, {
      commands: { store: createStore(() => ({ pending: new Set() })) },
      connection: createStore(() => ({ link: { status: 'open' } })),
    }),
  );
  expect(words).toMatch(/^Retry now /);
});
