/** A value of a cell as a term of the filter language, which reads it back unchanged. */
import { describe, expect, test } from 'vitest';
import type { LastAnswer } from '../../core/contract/message.ts';
import { withoutUndefined } from '../../core/contract/without-undefined.ts';
import { parseFilter } from '../../core/domain/filter/parse.ts';
import { cellTerm, filterValue } from '../../renderer/format/cell-term.ts';
import { shownColumns } from '../../renderer/format/columns.ts';
import { passes } from '../domain/filter-sample.ts';
import { rowNamed } from './samples.ts';

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
    const term = cellTerm(column, rowNamed('m1'), String(it)) ?? '';
    expect(passes(term, { data: { it } })).toBe(true);
    expect(passes(term, { data: { it: 'other' } })).toBe(false);
  });

  test('digits that are no number of JSON are a text alone', () => {
    if (column === undefined) throw new Error('the column is not shown');
    expect(cellTerm(column, rowNamed('m1'), '007')).toBe('data.it:"007"');
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
    [{ error: 'timeout' }, undefined],
  ])('%j', (lastAnswer, term) => {
    if (column === undefined) throw new Error('the column is not shown');
    const delivery = { deliveryId: 'd', appId: 'mail', state: 'parked', attempts: 1, lastAnswer } as const;
    expect(cellTerm(column, { ...rowNamed('m1'), deliveries: [delivery] }, null)).toBe(term);
    if (term === undefined) return;
    const { status = 0, word, protocol } = lastAnswer;
    const answered = { response: { status }, ...withoutUndefined({ word, protocol }) };
    expect(passes(term, { deliveries: [{ attempts: [answered] }] })).toBe(true);
    expect(passes(term, { deliveries: [{ attempts: [{ response: { status: 418 } }] }] })).toBe(false);
  });
});
