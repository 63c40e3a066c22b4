// A message to filter: give what a test is about, the rest is there already.
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import type { DeliveryRow, MessageRow } from '../../core/contract/message.ts';
import { compileFilter } from '../../core/domain/filter/evaluate.ts';
import type { Filter } from '../../core/domain/filter/ast.ts';
import { parseFilter } from '../../core/domain/filter/parse.ts';
import { buildSubject } from '../../core/domain/filter/subject.ts';
import type { DeliveryFacts, FilterSubject } from '../../core/domain/filter/subject.ts';
import type { Steps } from '../../core/domain/steps.ts';

/** One minute after the sample message. */
export const NOW_MS = Date.parse('2026-03-01T10:01:00.000Z');

export interface Sample {
  readonly row?: Partial<MessageRow>;
  readonly deliveries?: readonly (Omit<Partial<DeliveryRow>, 'attempts'> & Partial<DeliveryFacts>)[];
  readonly metadata?: Readonly<Record<string, string>>;
  readonly data?: unknown;
  readonly source?: string;
  /** Instead of an envelope around `data`. */
  readonly wire?: string | Uint8Array;
  readonly steps?: Steps | undefined;
}

export function sampleRow(row: Partial<MessageRow> = {}): MessageRow {
  return {
    messageId: 'msg_1f',
    number: 1,
    at: '2026-03-01T10:00:00.000Z',
    pubsubname: 'pubsub',
    topic: 'orders',
    appId: 'shop',
    source: 'http',
    contentType: 'application/json',
    sizeBytes: 1000,
    raw: false,
    deliveries: [],
    ...row,
  };
}

export function sampleSubject(sample: Sample = {}): FilterSubject {
  const rows = (sample.deliveries ?? []).map((delivery, index): DeliveryRow => ({
    deliveryId: `dlv_${index + 1}`,
    appId: 'mail',
    state: 'processed',
    ...delivery,
    attempts: delivery.attempts?.length ?? 1,
  }));
  const facts = (sample.deliveries ?? []).map(({ attempts = [], transitions = [] }): DeliveryFacts => ({
    attempts,
    transitions,
  }));
  const envelope = {
    specversion: '1.0',
    type: 'com.acme.order',
    source: sample.source ?? 'shop-web',
    data: sample.data,
  };
  return buildSubject(
    {
      row: sampleRow({ ...sample.row, deliveries: rows }),
      metadata: sample.metadata ?? {},
      wire: sample.wire ?? JSON.stringify(envelope),
    },
    facts,
    bufferCodec,
    sample.steps,
  );
}

/** Parses or fails the test with the mistake's sentence. */
export function filterOf(text: string): Filter {
  const parsed = parseFilter(text);
  if (!parsed.ok) throw new Error(`${text}: ${parsed.error.message}`);
  return parsed.filter;
}

export function passes(text: string, sample: Sample = {}): boolean {
  return compileFilter(filterOf(text))(sampleSubject(sample), NOW_MS);
}
