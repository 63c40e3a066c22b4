/** A value of a cell as a term of the filter language, which reads it back unchanged. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { DELIVERY_STATES } from '../../core/contract/delivery.ts';
import type { DeliveryRow, LastAnswer, MessageRow } from '../../core/contract/message.ts';
import { withoutUndefined } from '../../core/contract/without-undefined.ts';
import { previewOf } from '../../core/domain/preview.ts';
import { parseFilter } from '../../core/domain/filter/parse.ts';
import { cellTerm, COLUMNS_WITHOUT_TERM, elseTerm, filterValue } from '../../renderer/format/cell-term.ts';
import { ALL_COLUMNS, shownColumns } from '../../renderer/format/columns.ts';
import { lineTerm } from '../../renderer/format/line-term.ts';
import { indexInLine, previewParts } from '../../renderer/format/preview.ts';
import { visible, visibleShort } from '../../renderer/format/visible-text.ts';
import { passes, type Sample } from '../domain/filter-sample.ts';
import { deliveryIn, rowNamed } from './samples.ts';

describe('a value that a click turns into a term is read as it was', () => {
  test.each([
    'orders',
    'a b',
    'a\tb',
    'a\nb',
    'say "hi"',
    String.raw`C:\new`,
    String.raw`\"`,
    '>5',
    'a,b',
    '(x)',
    '𝄞 é',
    '\u0001',
    '-',
  ])('the topic %j becomes a term and is read again', (topic) => {
    const expected = { key: 'topic', op: '=', values: [{ kind: 'string', value: topic }] };
    const parsed = parseFilter(`topic:${filterValue(topic)}`);
    expect(parsed).toMatchObject({ ok: true, filter: { root: expected } });
  });
});

describe('a value in a column of a path becomes a term that finds its message', () => {
  const [column] = shownColumns({ chosen: ['data.it'], listPx: 1000, severalApps: false });

  test.each([7, '7', '007', 1.5, true, 'true', 'null', '1..5', 'A-1', 'a b', '-x', 'x*'])('%j', (it) => {
    if (column === undefined) throw new Error('the column is not shown');
    const term = cellTerm(column, rowNamed('m1'), { own: String(it) }) ?? '';
    expect(passes(term, { data: { it } })).toBe(true);
    expect(passes(term, { data: { it: 'other' } })).toBe(false);
  });

  test('digits that are no number of JSON are a text alone', () => {
    if (column === undefined) throw new Error('the column is not shown');
    expect(cellTerm(column, rowNamed('m1'), { own: '007' })).toBe('data.it:"007"');
  });
});

describe('a click on a last answer finds the messages that got that answer', () => {
  const [column] = shownColumns({ chosen: ['answer'], listPx: 1000, severalApps: false });

  test.each<[LastAnswer, string | undefined]>([
    [{ status: 200, word: 'RETRY' }, 'answer:RETRY'],
    [{ status: 503 }, 'answer:503'],
    [{ status: 200, word: 'say "hi"' }, String.raw`answer:"say \"hi\""`],
    [{ status: 200, word: 'OK' }, 'answer:"OK"'],
    [{ protocol: 'grpc', status: 14, statusText: 'UNAVAILABLE' }, 'answer:unavailable'],
    [{ protocol: 'grpc', status: 0, statusText: 'OK', word: 'DROP' }, 'answer:DROP'],
    [{ protocol: 'grpc', status: 14 }, 'answer:unavailable'],
    [{ protocol: 'grpc', status: 17, statusText: 'CODE_17' }, 'answer:grpc-17'],
  ])('%j', (lastAnswer, term) => {
    if (column === undefined) throw new Error('the column is not shown');
    const delivery = { deliveryId: 'd', appId: 'mail', state: 'parked', attempts: 1, lastAnswer } as const;
    expect(cellTerm(column, { ...rowNamed('m1'), deliveries: [delivery] })).toBe(term);
    if (term === undefined) return;
    const { status = 0, word, protocol } = lastAnswer;
    const answered = { response: { status }, ...withoutUndefined({ word, protocol }) };
    expect(passes(term, { deliveries: [{ attempts: [answered] }] })).toBe(true);
    expect(passes(term, { deliveries: [{ attempts: [{ response: { status: 418 } }] }] })).toBe(false);
  });
});

describe('a click on a content type finds the messages that have it, with parameters and without', () => {
  const [column] = shownColumns({ chosen: ['contentType'], listPx: 1000, severalApps: false });
  const plain = 'application/json';
  const withCharset = 'application/json; charset=utf-8';

  test.each<[string, string, readonly string[]]>([
    [plain, 'contenttype:application/json*', [plain, withCharset]],
    [withCharset, 'contenttype:application/json*', [plain, withCharset]],
    ['json', 'contenttype:json', ['json']],
    ['a*/b', 'contenttype:"a*/b"', ['a*/b']],
  ])('%s', (contentType, term, found) => {
    if (column === undefined) throw new Error('the column is not shown');
    expect(cellTerm(column, { ...rowNamed('m1'), contentType })).toBe(term);
    for (const each of found) expect(passes(term, { row: { contentType: each } })).toBe(true);
    expect(passes(term, { row: { contentType: 'text/plain' } })).toBe(false);
  });
});

/** A row in which each column says something. */
const FULL: MessageRow = rowNamed('m1', {
  number: 29,
  eventId: 'A-1',
  eventType: 'order.created',
  subject: 'a b',
  batchId: 'bat_1',
  traceId: '0af7',
  expiresAt: '2026-03-01T14:40:00.000Z',
  broker: { id: '17-0', consumer: 'c1' },
  deliveries: [
    deliveryIn('retrying', {
      route: '/orders',
      rule: 'single.other',
      attempts: 2,
      lastDurationMs: 12.5,
      lastAnswer: { status: 503 },
      nextAttemptAt: '2026-03-01T14:33:00.000Z',
    }),
  ],
});

/** A message as filters see it, from what its row says. */
function sampleOf(row: MessageRow, more: Sample = {}): Sample {
  const deliveries = row.deliveries.map(({ attempts: _count, ...delivery }) => {
    const { status, word, protocol, error } = delivery.lastAnswer ?? {};
    const response = status === undefined ? undefined : { status };
    const said = withoutUndefined({ response, word, protocol });
    const attempt = error === undefined ? said : { error: { code: error, message: 'no answer' } };
    return { ...delivery, attempts: [attempt] };
  });
  return { row, deliveries, ...more };
}

describe('each column of the list', () => {
  const terms: Readonly<Record<string, string>> = {
    number: 'id:#29',
    time: `time:>=${FULL.at}`,
    app: 'app:app',
    pubsub: 'pubsub:pubsub',
    topic: 'topic:orders',
    type: 'type:order.created',
    eventId: 'id:A-1',
    subject: 'subject:"a b"',
    state: 'state:retrying',
    attempts: 'attempts:2',
    answer: 'answer:503',
    duration: 'took:>=12.5ms',
    cause: 'lastrule:single.other',
    size: 'size:412',
    contentType: 'contenttype:application/json*',
    route: 'route:/orders',
    origin: 'origin:http',
    batch: 'batch:bat_1',
    trace: 'trace:0af7',
  };

  test.each(ALL_COLUMNS.map((column) => [column.id, column] as const))(
    '%s gives a filter, or is known to give none',
    (id, column) => {
      expect(cellTerm(column, FULL)).toBe(terms[id]);
      const isKnown = id === 'preview' || COLUMNS_WITHOUT_TERM.some((each) => each === id);
      expect(terms[id] === undefined).toBe(isKnown);
    },
  );

  test('a payload gives a filter where the pointer is on it', () => {
    const preview = ALL_COLUMNS.find(({ id }) => id === 'preview');
    const spot = { line: '{"a":1}', at: 5 };
    expect(preview && cellTerm(preview, FULL, { spot })).toBe('data.a:1');
  });

  test('a cell without a value of its own finds the others without one', () => {
    const type = ALL_COLUMNS.find(({ id }) => id === 'type');
    if (type === undefined) throw new Error('no column Type');
    const raw = rowNamed('m1', { raw: true });
    expect(cellTerm(type, raw)).toBe('is:raw');
    const term = cellTerm(type, rowNamed('m1')) ?? '';
    expect(term).toBe('-type:*');
    expect(passes(term, sampleOf(rowNamed('m1')))).toBe(true);
    expect(passes(elseTerm(term), sampleOf(FULL))).toBe(true);
  });

  test('a message that waits for its component is found by that, though its chip says queued', () => {
    const state = ALL_COLUMNS.find(({ id }) => id === 'state');
    const row = rowNamed('m1', { stage: 'waiting' });
    expect(state && cellTerm(state, row)).toBe('state:waiting');
    expect(passes('state:waiting', sampleOf(row))).toBe(true);
  });
});

/** Texts that a careless term would read otherwise. */
const text = fc.oneof(
  fc.constantFrom('', '-', '>5', '1..5', '5xx', 'null', 'OK', '#7', 'a*', 'a,b', '(x)', 'AND', 'say "hi"'),
  fc.constantFrom(
    String.raw`C:\new`,
    String.raw`\"`,
    'a:b',
    'a b',
    'a\nb',
    '𝄞 é 🎉',
    'o\u202erders',
    '\u0001',
  ),
  fc.string({ maxLength: 12 }),
);
const answer: fc.Arbitrary<LastAnswer> = fc.oneof(
  fc.constantFrom<LastAnswer>({ error: 'timeout' }, { protocol: 'grpc', status: 0, statusText: 'OK' }),
  fc.record({ status: fc.constantFrom(200, 404, 503) }),
  fc.record({ status: fc.constant(200), word: text }),
  fc.record({ protocol: fc.constant('grpc' as const), status: fc.nat(20), statusText: fc.constant('NAME') }),
);
const delivery: fc.Arbitrary<DeliveryRow> = fc.record(
  {
    deliveryId: fc.constantFrom('dlv_1', 'dlv_2'),
    appId: text,
    state: fc.constantFrom(...DELIVERY_STATES),
    attempts: fc.constant(1),
    route: text,
    lastDurationMs: fc.double({ min: 0, max: 1e6, noNaN: true }),
    rule: fc.constantFrom('single.404', 'policy.exhausted', 'router.ttl'),
    lastAnswer: answer,
  },
  { requiredKeys: ['deliveryId', 'appId', 'state', 'attempts'] },
);
const row: fc.Arbitrary<MessageRow> = fc
  .record(
    {
      number: fc.integer({ min: 1, max: 1e9 }),
      pubsubname: text,
      topic: text,
      appId: text,
      contentType: text,
      sizeBytes: fc.nat(),
      raw: fc.boolean(),
      eventId: text,
      eventType: text,
      subject: text,
      batchId: text,
      traceId: text,
      stage: fc.constantFrom('held', 'waiting', 'refused', 'dropped', 'expired'),
      deliveries: fc.array(delivery, { maxLength: 3 }),
    },
    {
      requiredKeys: [
        'number',
        'pubsubname',
        'topic',
        'appId',
        'contentType',
        'sizeBytes',
        'raw',
        'deliveries',
      ],
    },
  )
  .map((change) => rowNamed('m1', change));

test('the filter of each cell finds the row of the cell, and its opposite does not', () => {
  fc.assert(
    fc.property(row, (each) => {
      for (const column of ALL_COLUMNS) {
        const term = cellTerm(column, each);
        if (term === undefined) continue;
        expect([term, passes(term, sampleOf(each))]).toEqual([term, true]);
        expect([term, passes(elseTerm(term), sampleOf(each))]).toEqual([term, false]);
      }
    }),
    { numRuns: 300 },
  );
});

describe('a place in a payload', () => {
  test.each<[string, string, string | undefined]>([
    ['{"order":{"id":7,"tags":["a","b c"]},"n":null}', '7', 'data.order.id:7'],
    ['{"order":{"id":7,"tags":["a","b c"]},"n":null}', 'b c', 'data.order.tags[1]:"b c"'],
    ['{"order":{"id":7,"tags":["a","b c"]},"n":null}', 'null', 'data.n:null'],
    ['{"order":{"id":7,"tags":["a","b c"]},"n":null}', '"id"', 'data.order.id:7'],
    ['{"order":{"id":7,"tags":["a","b c"]},"n":null}', '"tags"', 'data.order.tags:*'],
    ['{"order":{"id":7}}', '{"order', undefined],
    ['{"customer name":"Ada L"}', 'Ada', '"Ada"'],
    [String.raw`{"say it":"a\nb"}`, 'b"', '"b"'],
    ['{"a b":1.50}', '1.50', '"1.5"'],
    ['{"huge":1e999}', '1e999', '"null"'],
    ['{"id":12345…', '12345', '"12345"'],
    ['{"note":"a long te…', 'long', '"long"'],
    ['"hello world"', 'world', '"world"'],
    ['late fee: 7 EUR', 'fee', '"fee"'],
    ['late fee: 7 EUR', ': ', undefined],
    ['{no json', 'json', '"json"'],
    ['7b 22 0a', '22', undefined],
    ['', '', undefined],
  ])('in %s at %s becomes %s', (line, at, term) => {
    expect(lineTerm({ line, at: line.indexOf(at) })).toBe(term);
  });

  const value = fc.letrec<{ any: unknown }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 3 },
      fc.oneof(
        text,
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.constant(null),
      ),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(fc.oneof(text, fc.constantFrom('id', 'order', 'a-b', 'name')), tie('any'), {
        maxKeys: 4,
      }),
    ),
  })).any;
  const lineOf = (data: unknown): string =>
    previewOf(
      JSON.stringify({ specversion: '1.0', type: 't', source: 's', id: '1', data }),
      false,
      bufferCodec,
    );

  test('anywhere in a payload becomes a filter that finds the message', () => {
    fc.assert(
      fc.property(value, (data) => {
        const line = lineOf(data);
        const terms = Array.from(line, (_letter, at) => lineTerm({ line, at }) ?? '');
        expect(terms.filter((term) => !passes(term, { data }))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  /**
   * The line with each letter as often as the screen has signs for it: a hidden one has several, and the quotation marks of a plain name
   * have none.
   */
  function lettersBehind(line: string, drawn: string): string {
    const shown = visibleShort(line);
    let letters = '';
    for (const letter of line.split('')) {
      const signs = shown.startsWith(letter, letters.length) ? letter : visible(letter);
      expect(shown.startsWith(signs, letters.length)).toBe(true);
      letters += letter.repeat(signs.length);
    }
    let at = 0;
    return Array.from(shown.split(''), (sign, place) => {
      if (drawn.charAt(at) !== sign) return '';
      at += 1;
      return letters.charAt(place);
    }).join('');
  }

  test('is found again from the letter that is drawn', () => {
    fc.assert(
      fc.property(value, (data) => {
        const line = lineOf(data);
        const drawn = previewParts(visibleShort(line), [])
          .map((part) => part.text)
          .join('');
        const found = drawn.split('').map((_sign, at) => line.charAt(indexInLine(line, at)));
        expect(found.join('')).toBe(lettersBehind(line, drawn));
      }),
      { numRuns: 300 },
    );
  });

  test('with a hidden letter is the letter itself', () => {
    const line = 'a\u202eb c';
    expect(visibleShort(line)).toBe('a⟨U+202E⟩b c');
    expect(
      ['a', '⟨', '2', '⟩', 'b', 'c'].map((sign) => indexInLine(line, visibleShort(line).indexOf(sign))),
    ).toEqual([0, 1, 1, 1, 2, 4]);
  });
});
