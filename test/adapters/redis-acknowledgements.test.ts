/** Acknowledgements to Redis: what is sent together, and when nothing is. */
import { expect, test } from 'vitest';
import { Acknowledgements } from '../../core/adapters/redis-streams/acknowledgements.ts';

/** Acknowledgements whose moment to go comes with `go`; notes what was sent. */
function bench() {
  const sent: (readonly string[])[] = [];
  const due: (() => void)[] = [];
  const acknowledgements = new Acknowledgements({
    send: (ids) => {
      sent.push(ids);
      return Promise.resolve();
    },
    soon: (go) => void due.push(go),
    onTrouble: () => undefined,
  });
  return { acknowledgements, sent, go: () => due.splice(0).forEach((each) => each()) };
}

test('acknowledgements of the same time are sent together', () => {
  const { acknowledgements, sent, go } = bench();
  acknowledgements.add('1-0', 1);
  acknowledgements.add('2-0', 2);
  go();
  expect(sent).toEqual([['1-0', '2-0']]);
});

test('no acknowledgement is sent twice after a flush', async () => {
  const { acknowledgements, sent, go } = bench();
  acknowledgements.add('1-0', 1);
  await acknowledgements.flush();
  go();
  expect(sent).toEqual([['1-0']]);
});

test('an entry whose id came again meanwhile is not acknowledged', () => {
  const { acknowledgements, sent, go } = bench();
  acknowledgements.add('1-0', 1);
  acknowledgements.forget('1-0');
  go();
  expect(sent).toEqual([]);
});
