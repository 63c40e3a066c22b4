/** Lines of payloads: how they are drawn, what is marked in them, and how they are asked for. */
import { expect, test } from 'vitest';
import type { ConsoleEvent } from '../../core/contract/console.ts';
import { createLink } from '../../renderer/client/link.ts';
import { createRpcClient } from '../../renderer/client/rpc-client.ts';
import { needlesOf, previewParts } from '../../renderer/format/preview.ts';
import { Previews } from '../../renderer/state/previews.ts';
import { FakeHost, settle } from './fake-pipe.ts';
import { stand } from './list-host.ts';
import { deliveryIn, rowNamed, transitionBy } from './samples.ts';

test.each([
  ['late fee', ['late', 'fee']],
  ['topic:orders "Late fee" -gone NOT never', ['late fee']],
  ['data.total>100 data.sku:AB*,C data.x!=5 data.y>=6 data.n="A b"', ['ab', 'c', 'a b']],
  ['app:shop (-data.a:secret state:parked OR fee)', ['fee']],
  ['topic: late', ['late']],
  ['', []],
])('a filter marks its words in payloads: %s', (filter, needles) => {
  expect(needlesOf(filter)).toEqual(needles);
});

const drawn = (text: string, needles: readonly string[] = []): string =>
  previewParts(text, needles)
    .map(
      ({ kind, text: part, isMarked }) =>
        `${kind === 'name' ? 'n' : ''}${isMarked ? `[${part}]` : `<${part}>`}`,
    )
    .join('');

test('a preview separates names of members from values, and marks may span both', () => {
  expect(drawn('{"a":1,"b":"c:d"}')).toBe('<{>n<a:><1,>n<b:><"c:d"}>');
  expect(drawn('{"late":"A Late fee"}', ['late'])).toBe('<{>n[late]n<:><"A >[Late]< fee"}>');
  expect(drawn('{"a b":1}')).toBe('<{>n<"a b":><1}>');
  expect(drawn('say "late": now', ['now'])).toBe('<say "late": >[now]');
  expect(drawn('')).toBe('');
});

function previewsOf(host: FakeHost): Previews {
  const link = createLink({ open: host.open, after: () => () => undefined });
  return new Previews(createRpcClient(link, { lost: 'lost', away: 'away', noAnswer: 'none' }));
}

test('previews of visible rows are requested together and once, and again after a change', async () => {
  const host = new FakeHost({
    'messages.values': ({ numbers, preview }) => ({
      items: numbers
        .filter((number) => number !== 2)
        .map((number) => ({
          number,
          values: [],
          preview: `${preview} ${number}`,
          ...(number === 3 ? { edited: true as const } : {}),
        })),
    }),
  });
  const previews = previewsOf(host);
  const asked = (): unknown[] => host.called('messages.values').map(({ params }) => params);
  await settle();
  const told: number[] = [];
  const stops = [1, 2, 3].map((number) => previews.watch(number, () => void told.push(number)));
  await settle();
  expect([1, 2, 3].map((number) => previews.of(number))).toEqual([
    { line: 'true 1', isEdited: false },
    { line: '', isEdited: false },
    { line: 'true 3', isEdited: true },
  ]);
  expect(asked()).toEqual([{ numbers: [1, 2, 3], paths: [], preview: true }]);
  expect(told).toEqual([1, 2, 3]);

  stops[0]?.();
  previews.forget(1);
  previews.forget(3);
  previews.watch(2, () => undefined);
  await settle();
  expect(previews.of(1)).toBeUndefined();
  expect(asked().slice(1)).toEqual([{ numbers: [3], paths: [], preview: true }]);
});

test('a message that was changed before it was published has a new line, and new values in own columns', async () => {
  const { list, frames, messages } = await stand(3);
  let line = 'before';
  list.host.answers['messages.values'] = ({ numbers }) => ({
    items: numbers.map((number) => ({ number, values: [line], preview: line })),
  });
  messages.previews.watch(2, () => undefined);
  messages.own.want([2], ['data.total']);
  await settle();
  expect(messages.own.of(2)).toEqual(['before']);
  line = 'after';
  messages.onEvents([
    { type: 'message.added', sequence: 9, row: rowNamed('m2', { number: 2, sizeBytes: 7 }) },
  ]);
  frames.draw();
  await settle();
  expect(messages.previews.of(2)?.line).toBe('after');
  messages.own.want([2], ['data.total']);
  await settle();
  expect(messages.own.of(2)).toEqual(['after']);
});

test('a message whose delivery leaves its hold has a new line, because its release may have edited it', async () => {
  const { list, frames, messages } = await stand(3);
  let line = 'before';
  list.host.answers['messages.values'] = ({ numbers }) => ({
    items: numbers.map((number) => ({ number, values: [], preview: line })),
  });
  const held = deliveryIn('held', { deliveryId: 'd' });
  const row = rowNamed('m2', { number: 2, deliveries: [held] });
  messages.onEvents([{ type: 'message.added', sequence: 9, row }]);
  frames.draw();
  messages.previews.watch(2, () => undefined);
  await settle();
  line = 'after';
  const change = { type: 'delivery.changed', messageId: 'm2', deliveryId: 'd', attempts: 0 } as const;
  const to = (state: 'held' | 'queued', sequence: number): ConsoleEvent => ({
    ...change,
    sequence,
    transition: transitionBy('user.release', state),
    delivery: { ...held, state },
  });
  messages.onEvents([to('held', 10)]);
  frames.draw();
  await settle();
  expect(messages.previews.of(2)?.line).toBe('before');
  messages.onEvents([to('queued', 11)]);
  frames.draw();
  await settle();
  expect(messages.previews.of(2)?.line).toBe('after');
});
