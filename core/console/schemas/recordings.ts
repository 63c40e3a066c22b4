/** What the methods on recordings and jobs take. */
import {
  Array as List,
  Boolean as Bool,
  Integer,
  Literal,
  Number as Num,
  Optional,
  String as Text,
  Union,
  Unsafe,
} from 'typebox';
import type { DeliveryState } from '../../contract/delivery.ts';
import { DELIVERY_STATES } from '../../contract/delivery.ts';
import { CSV_COLUMNS } from '../../contract/recording.ts';
import type { CsvColumn } from '../../contract/recording.ts';
import { filter, id, name, none, params } from './shapes.ts';

const choice = {
  filter: Optional(filter),
  messageIds: Optional(List(id, { minItems: 1, maxItems: 10_000 })),
  recordingId: Optional(id),
};
const column = Unsafe<CsvColumn>(Union(CSV_COLUMNS.map((each) => Literal(each))));
const state = Unsafe<DeliveryState>(Union(DELIVERY_STATES.map((each) => Literal(each))));

export const RECORDINGS = {
  'recordings.export': params({
    ...choice,
    format: Optional(
      Union([Literal('recording'), Literal('ndjson'), Literal('bulk'), Literal('csv'), Literal('har')]),
    ),
    maskHeaders: Optional(Bool()),
    maskPaths: Optional(List(Text({ minLength: 1, maxLength: 1000 }), { maxItems: 100 })),
    columns: Optional(List(column, { minItems: 1, maxItems: CSV_COLUMNS.length })),
  }),
  'recordings.read': params({ jobId: id, part: Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) }),
  'recordings.import': params({
    name: Optional(name),
    text: Text(),
    recordingId: Optional(id),
    isLast: Optional(Bool()),
  }),
  'recordings.list': none,
  'recordings.close': params({ recordingId: id }),
  'recordings.replay': params({
    ...choice,
    recordingId: id,
    ratePerSecond: Optional(Num({ minimum: 0.01, maximum: 10_000 })),
  }),
  'recordings.toTest': params({
    ...choice,
    target: Optional(Union([Literal('vitest'), Literal('playwright'), Literal('shell')])),
    name: Optional(name),
    expect: Optional(Unsafe<Record<string, DeliveryState>>({ type: 'object', additionalProperties: state })),
  }),
};
