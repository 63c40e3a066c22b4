/** Lines of payloads: how they are drawn, what is marked in them, and how they are asked for. */
import { expect, test } from 'vitest';
import type { DeliveryRow } from '../../core/contract/message.ts';
import { createLink } from '../../renderer/client/link.ts';
import { createRpcClient } from '../../renderer/client/rpc-client.ts';
import {
  foundInId,
  freeTextsOf,
  needlesOf,
  payloadVersion,
  previewParts,
} from '../../renderer/format/preview.ts';
import { Previews } from '../../renderer/state/previews.ts';
import { FakeHost, settle } from './fake-pipe.ts';
import { stand } from './list-host.ts';
import { deliveryIn, rowNamed } from './samples.ts';

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

test.each([
  ['late "Fee" data.n:x topic:orders', ['late', 'fee']],
  ['-gone C3*', ['c3']],
  ['data.n:c3', []],
])('free texts of a filter: %s', (filter, texts) => {
  expect(freeTextsOf(filter)).toEqual(texts);
});

test('a row says in which id a free text was found, unless its payload shows it', () => {
  const row = {
    ...rowNamed('m1'),
    messageId: 'msg_01c3',
    eventId: 'e-7',
    deliveries: [{ deliveryId: 'dlv_9' }],
  };
  expect(foundInId(row, '{"n":1}', ['c3'])).toEqual({ kind: 'message', id: 'msg_01c3' });
  expect(foundInId(row, '{"n":1}', ['v_9'])).toEqual({ kind: 'delivery', id: 'dlv_9' });
  expect(foundInId(row, '{"n":"C3"}', ['c3'])).toBeUndefined();
  expect(foundInId(row, '{"n":1}', ['other'])).toBeUndefined();
  expect(foundInId(row, '{"n":1}', [])).toBeUndefined();
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

/** A host whose lines have the number of their request, and the number of requests until now. */
function countingHost(): { host: FakeHost; requests: () => number } {
  const host: FakeHost = new FakeHost({
    'messages.values': ({ numbers }) => ({
      items: numbers.map((number) => ({ number, values: [], preview: `answer ${requests()}` })),
    }),
  });
  const requests = (): number => host.called('messages.values').length;
  return { host, requests };
}

test('previews of visible rows are requested together and once, and again in another version', async () => {
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
  const watch = (number: number, version: string): (() => void) =>
    previews.watch(number, version, () => void told.push(number));
  const stops = [1, 2, 3].map((number) => watch(number, 'a'));
  await settle();
  expect([1, 2, 3].map((number) => previews.of(number))).toEqual([
    { line: 'true 1', isEdited: false },
    { line: '', isEdited: false },
    { line: 'true 3', isEdited: true },
  ]);
  expect(asked()).toEqual([{ numbers: [1, 2, 3], paths: [], preview: true }]);
  expect(told).toEqual([1, 2, 3]);

  for (const stop of stops) stop();
  watch(1, 'a');
  watch(3, 'b');
  await settle();
  expect(asked().slice(1)).toEqual([{ numbers: [3], paths: [], preview: true }]);
});

test('a line that was asked for before its message was edited is not kept', async () => {
  const { host, requests } = countingHost();
  const previews = previewsOf(host);
  await settle();
  host.holds = true;
  const stop = previews.watch(1, 'a', () => undefined);
  await settle();
  stop();
  const told: (string | undefined)[] = [];
  previews.watch(1, 'b', () => void told.push(previews.of(1)?.line));
  host.let();
  await settle();
  expect(requests()).toBe(2);
  expect(told).toEqual(['answer 2']);
});

test('a view that knows no version asks whenever it begins to show a line', async () => {
  const { host, requests } = countingHost();
  const previews = previewsOf(host);
  await settle();
  const stops = [previews.watch(1, undefined, () => undefined)];
  await settle();
  stops.push(previews.watch(1, undefined, () => undefined));
  await settle();
  expect(requests()).toBe(1);
  for (const stop of stops) stop();
  host.holds = true;
  previews.watch(1, undefined, () => undefined);
  await settle();
  expect(requests()).toBe(2);
  // What is known is shown meanwhile.
  expect(previews.of(1)?.line).toBe('answer 1');
});

test('the version of a payload changes with its edits, and with the edited delivery that is shown', () => {
  const versionOf = (...deliveries: readonly DeliveryRow[]): string =>
    payloadVersion(rowNamed('m', { deliveries }));
  const one = deliveryIn('processed', { deliveryId: 'one', edits: 1 });
  expect(versionOf({ ...one, edits: 2 })).not.toBe(versionOf(one));
  expect(versionOf({ ...one, state: 'attempting' })).toBe(versionOf(one));
  // The other one needs attention more, and sends the original.
  expect(versionOf(one, deliveryIn('parked', { deliveryId: 'two' }))).not.toBe(versionOf(one));
});

test('a message that was changed before it was published has new values in own columns, and another version', async () => {
  const { list, frames, messages } = await stand(3);
  let value = 'before';
  list.host.answers['messages.values'] = ({ numbers }) => ({
    items: numbers.map((number) => ({ number, values: [value] })),
  });
  messages.own.want([2], ['data.total']);
  await settle();
  expect(messages.own.of(2)).toEqual(['before']);
  value = 'after';
  messages.onEvents([
    { type: 'message.added', sequence: 9, row: rowNamed('m2', { number: 2, sizeBytes: 7 }) },
  ]);
  frames.draw();
  await settle();
  messages.own.want([2], ['data.total']);
  await settle();
  expect(messages.own.of(2)).toEqual(['after']);
  expect(payloadVersion(rowNamed('m2', { sizeBytes: 7 }))).not.toBe(payloadVersion(rowNamed('m2')));
});

test('another message under the number of one before has another version', () => {
  expect(payloadVersion(rowNamed('m2'))).not.toBe(payloadVersion(rowNamed('m')));
});

test('another history has no values in own columns of the one before', async () => {
  const { list, messages } = await stand(3);
  let value = 'before';
  list.host.answers['messages.values'] = ({ numbers }) => ({
    items: numbers.map((number) => ({ number, values: [value] })),
  });
  messages.own.want([2], ['data.total']);
  await settle();
  expect(messages.own.of(2)).toEqual(['before']);
  value = 'after';
  messages.reopen();
  expect(messages.own.of(2)).toEqual(['before']);
  messages.reopen(false);
  await settle();
  messages.own.want([2], ['data.total']);
  await settle();
  expect(messages.own.of(2)).toEqual(['after']);
});
