/** The links in the panel of all facts: those of a message that is gone lead nowhere, so it has none. */
import { expect, test } from 'vitest';
import { KinInFull } from '../../renderer/components/detail/Kin.tsx';
import { drawn } from './drawn.tsx';
import { wholeDelivery, wholeMessage } from './samples.ts';

test('the copy on the dead-letter topic has a link while the message is kept', () => {
  const delivery = wholeDelivery({
    state: 'dead-lettered',
    deadLetter: { topic: 'orders-dead', messageId: 'msg_copy' },
  });
  const links = (isGone: boolean): string =>
    drawn(<KinInFull message={wholeMessage()} delivery={delivery} isGone={isGone} />, {});
  expect(links(false)).toContain('/messages?m=msg_copy');
  expect(links(true)).toBe('');
});
