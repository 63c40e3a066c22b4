/** How times, sizes and rows are written, and what may be done with them. */
import { reasonOf } from '../../renderer/components/ChoiceMenu.tsx';
import { describe, expect, test } from 'vitest';
import { allows, DELIVERY_ACTS } from '../../core/contract/acts.ts';
import { ATTENTION_ORDER } from '../../core/contract/attention.ts';
import { DELIVERY_STATES } from '../../core/contract/delivery.ts';
import { ACT_WHY } from '../../renderer/copy/acts.ts';
import { fill } from '../../renderer/copy/fill.ts';
import { deliveriesFor, whyNoDelivery, whyNot } from '../../renderer/format/act-targets.ts';
import { clockSpan, clockTime, dayAndTime, setTimeZone, utcTime } from '../../renderer/format/clock-time.ts';
import { count, counted, duration, rate, size } from '../../renderer/format/quantity.ts';
import { answerText, chipOf, chipText, rowName, triesOf, typeText } from '../../renderer/format/row.ts';
import type { DeliveryRow } from '../../core/contract/message.ts';
import { STAGES } from '../../core/contract/words.ts';
import { AT, deliveryIn, rowNamed } from './samples.ts';

describe('quantities', () => {
  test.each([
    [0, '0 ms'],
    [412, '412 ms'],
    [999.6, '1000 ms'],
    [3200, '3.2 s'],
    [60_000, '1 min'],
    [90_000, '1.5 min'],
    [7_200_000, '2 h'],
    [172_800_000, '2 d'],
  ])('%d ms is %s', (ms, text) => expect(duration(ms)).toBe(text));

  test.each([
    [0, '0 B'],
    [412, '412 B'],
    [1234, '1.2 kB'],
    [2000, '2 kB'],
    [4_200_000, '4.2 MB'],
  ])('%d bytes are %s', (bytes, text) => expect(size(bytes)).toBe(text));

  test('counts have thousands separators', () => {
    expect(count(86_310)).toBe('86,310');
    expect(counted(1, 'attempt', 'attempts')).toBe('1 attempt');
    expect(counted(2000, 'attempt', 'attempts')).toBe('2,000 attempts');
  });

  test.each([
    [0, '0'],
    [0.1, '0.1'],
    [9.94, '9.9'],
    [12.4, '12'],
    [1204, '1,204'],
    [0.04, '0'],
    [0.06, '0.1'],
    [9.96, '10'],
  ])('rate %d is %s', (n, text) => expect(rate(n)).toBe(text));

  test.each([
    [41_000, '00:41'],
    [59_999, '00:59'],
    [3_725_000, '1:02:05'],
    [-5, '00:00'],
  ])('a span of %d ms is %s', (ms, text) => expect(clockSpan(ms)).toBe(text));

  test('times are local with milliseconds, UTC in full; what is no time stays', () => {
    const local = new Date(AT);
    const two = (n: number): string => String(n).padStart(2, '0');
    expect(clockTime(AT)).toBe(`${two(local.getHours())}:${two(local.getMinutes())}:08.412`);
    expect(utcTime(AT)).toBe('2026-03-01 14:32:08.412 UTC');
    expect(clockTime('soon')).toBe('soon');
  });

  test('what may be of another day has its day before the time, in the chosen time zone', () => {
    const local = new Date(AT);
    const two = (n: number): string => String(n).padStart(2, '0');
    const day = `${local.getFullYear()}-${two(local.getMonth() + 1)}-${two(local.getDate())}`;
    expect(dayAndTime(AT)).toBe(`${day} ${two(local.getHours())}:${two(local.getMinutes())}:08`);
    setTimeZone('utc');
    expect(dayAndTime(AT)).toBe('2026-03-01 14:32:08');
    setTimeZone('local');
    expect(dayAndTime('soon')).toBe('soon');
  });
});

describe('rows', () => {
  test('every state has its place in the order of attention', () => {
    expect([...ATTENTION_ORDER].toSorted()).toEqual([...DELIVERY_STATES].toSorted());
  });

  test('the chip shows the delivery that needs attention most', () => {
    const deliveries = [deliveryIn('processed'), deliveryIn('parked'), deliveryIn('processed')];
    expect(chipOf({ deliveries })).toEqual({
      kind: 'parked',
      more: 2,
      name: 'Parked, 1 of 3 deliveries; 2 processed',
    });
    expect(chipOf({ deliveries: [deliveryIn('held')] })).toEqual({ kind: 'held', more: 0, name: 'Held' });
  });

  test('the chip has the attempts of the delivery that it shows, not the sum over all', () => {
    const once = [deliveryIn('processed'), deliveryIn('processed')];
    expect(triesOf({ deliveries: once })).toBe(1);
    expect(chipText({ deliveries: once })).toBe('Processed +1');
    const parked = [deliveryIn('processed'), deliveryIn('parked', { attempts: 10 })];
    expect(chipText({ deliveries: parked })).toBe('Parked ×10 +1');
    expect(triesOf({ deliveries: [] })).toBe(0);
  });

  test.each([
    [{ deliveries: [] }, 'none', 'No subscription'],
    [{ deliveries: [], stage: 'waiting' as const }, 'waiting', 'Waiting for app'],
    [{ deliveries: [], stage: 'refused' as const }, 'refused', 'Not published'],
    [{ deliveries: [], stage: 'held' as const }, 'held', 'Held'],
  ])('the chip of a message without deliveries: %o', (row, kind, name) => {
    expect(chipOf(row)).toEqual({ kind, more: 0, name });
  });

  test('a message that waits for its component names no app', () => {
    const text = 'Waiting for component pubsub to be ready';
    const row = { deliveries: [], stage: 'waiting', pubsubname: 'pubsub' } as const;
    expect(chipOf(row)).toEqual({ kind: 'queued', more: 0, name: text, meaning: text });
    expect(chipOf({ ...row, waitingFor: ['app'] })).toMatchObject({ kind: 'waiting' });
  });

  test('the name of a row has time, topic, type, state, attempts and last answer', () => {
    const row = rowNamed('m', {
      eventType: 'com.acme.order',
      deliveries: [deliveryIn('retrying', { attempts: 2, lastAnswer: { status: 503 } })],
    });
    expect(rowName(row, { unread: false })).toMatch(
      /^\d\d:32:08, orders, com\.acme\.order, Retrying, 2 attempts, last answer 503$/,
    );
    expect(rowName({ ...row, pinned: true }, { unread: true })).toMatch(/, Unread, Pinned$/);
    const raw = rowNamed('m', { raw: true, deliveries: [deliveryIn('processed')] });
    expect(rowName(raw, { unread: false })).toMatch(/, orders, raw, Processed, 1 attempt$/);
  });

  test('answers and types have short texts', () => {
    expect(answerText({ status: 200, word: 'RETRY' })).toBe('200 RETRY');
    expect(answerText({ status: 404 })).toBe('404');
    expect(answerText({ error: 'refused' })).toBe('no answer');
    expect(answerText(undefined)).toBe('');
    expect(typeText({ raw: false })).toBe('—');
    expect(typeText({ raw: true, eventType: 'x' })).toBe('—  raw');
    expect(typeText({ raw: true, eventType: 'x', source: 'binding' })).toBe('x');
    expect(typeText({ raw: true, source: 'binding' })).toBe('—  raw');
  });
});

describe('an act', () => {
  test('has the deliveries that it applies to, of the whole message or of one', () => {
    const row = rowNamed('m', {
      deliveries: [
        deliveryIn('parked', { deliveryId: 'a' }),
        deliveryIn('processed', { deliveryId: 'b' }),
        deliveryIn('parked', { deliveryId: 'c' }),
      ],
    });
    expect(deliveriesFor('retry', { row })).toEqual(['a', 'c']);
    expect(deliveriesFor('retry', { row, deliveryId: 'c' })).toEqual(['c']);
    expect(deliveriesFor('retry', { row, deliveryId: 'b' })).toEqual([]);
  });

  test('has the reason why it is not possible', () => {
    const of = (state: (typeof DELIVERY_STATES)[number]): ReturnType<typeof rowNamed> =>
      rowNamed('m', { deliveries: [deliveryIn(state)] });
    expect(whyNot('retry', { row: of('processed') })).toBe(
      'Retry now: the app has processed it. To send it again, use Replay.',
    );
    expect(whyNot('drop', { row: of('attempting') })).toBe(
      'The app already has it; wait for the answer or cancel the call.',
    );
    expect(whyNot('hold', { row: of('parked') })).toBe(
      'Hold: Sidelight sends a parked delivery only when you retry it, so there is nothing to hold.',
    );
    expect(whyNot('drop', { row: of('processed') })).toBe(
      'Drop: this delivery has ended, so there is nothing to drop.',
    );
    expect(whyNot('drop', { row: rowNamed('m') })).toBe(
      'Drop: no subscription matched this message, so it has no delivery.',
    );
    expect(reasonOf('Drop', 'Drop: it has no delivery.')).toBe('It has no delivery.');
    expect(reasonOf('Drop', 'The app already has it.')).toBe('The app already has it.');
    expect(whyNot('release', { row: rowNamed('m', { stage: 'held' }) })).toBeUndefined();
    expect(whyNot('retry', { row: of('parked') })).toBeUndefined();
  });

  test.each(DELIVERY_ACTS.flatMap((act) => DELIVERY_STATES.map((state) => [act, state] as const)))(
    '%s of a delivery that is %s is possible, or the reason says more than the state',
    (act, state) => {
      const why = whyNot(act, { row: rowNamed('m', { deliveries: [deliveryIn(state)] }) });
      expect(why === undefined).toBe(allows(act, { state }));
      expect(why ?? '').not.toMatch(/\b(?:it is|cannot be retried)\b|[{}]/);
    },
  );

  test.each(STAGES)('a message without a delivery that is %s says why it has none', (stage) => {
    expect(whyNoDelivery('Drop', rowNamed('m', { stage, waitingFor: ['shop'] }))).toBe(
      fill(ACT_WHY.withoutDelivery[stage], { title: 'Drop' }),
    );
  });

  test('on an observed delivery can only be a release', () => {
    const row = rowNamed('m', { tap: 'shop', deliveries: [deliveryIn('held', { deliveryId: 'a' })] });
    expect(deliveriesFor('release', { row })).toEqual(['a']);
    expect(deliveriesFor('drop', { row })).toEqual([]);
    expect(whyNot('deadLetter', { row })).toBe(
      'Dead-letter: only the sidecar of app shop can do that, because it makes this delivery.',
    );
  });

  test('on a delivery in the queue is not a retry, and what it waits for is said', () => {
    const queued = (more: Partial<DeliveryRow>) => ({
      row: rowNamed('m', { deliveries: [deliveryIn('queued', { attempts: 3, ...more })] }),
    });
    expect(whyNot('retry', queued({}))).toBe(
      'Retry now: this delivery is in the queue already. Sidelight sends it in its turn.',
    );
    const waitsFor = { pubsubname: 'pubsub', topic: 'orders' };
    expect(whyNot('retry', queued({ appId: 'shop', waitsFor }))).toBe(
      'Retry now: this delivery waits until app shop subscribes to its topic again.',
    );
  });

  test('names no missing subscription for a message that only a tap saw', () => {
    expect(chipOf(rowNamed('m')).name).toBe('No subscription');
    expect(chipOf(rowNamed('m', { tap: 'shop' })).name).toBe('Not seen here');
    expect(chipOf(rowNamed('m', { expectedBy: ['shop'] })).name).toBe('Not seen here');
  });

  test('on a held answer can be a release, and no cancellation', () => {
    const waiting = { row: rowNamed('m', { deliveries: [deliveryIn('attempting', { deliveryId: 'a' })] }) };
    const held = {
      row: rowNamed('m', { deliveries: [deliveryIn('attempting', { deliveryId: 'a', heldAt: 'response' })] }),
    };
    expect(deliveriesFor('release', held)).toEqual(['a']);
    expect(whyNot('release', waiting)).toBe('Release: no hold keeps this delivery back.');
    expect(whyNot('cancel', waiting)).toBeUndefined();
    expect(whyNot('cancel', held)).toBe(
      'The app has answered, and a hold keeps the answer back: release it.',
    );
    for (const act of ['retry', 'hold', 'drop', 'deadLetter'] as const)
      expect(whyNot(act, held)).toBe('The app has answered, and a hold keeps the answer back: release it.');
  });
});
