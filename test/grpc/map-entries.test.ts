/** Entries of maps are counted in undecoded bytes: as many as the decoder would take, in whatever form they are written. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadProtocol } from '../../core/grpc-protocol/protocol.ts';
import type { BulkPublishRequest } from '../../core/grpc-protocol/messages.ts';
import { structOf } from '../../core/grpc-protocol/struct.ts';

const { publishEventRequest, bulkPublishRequest, streamRequest, topicEventRequest } = await loadProtocol();

type BulkHead = ReturnType<typeof bulkPublishRequest.decodeHead>;

const COUNT = 1001;
const metadata = Object.fromEntries(Array.from({ length: COUNT }, (_, n) => [`k${n}`, 'v']));
const text = (number: number, content: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([number * 8 + 2, content.length]), content]);
const entries = Object.keys(metadata).map((key) =>
  Buffer.concat([text(1, Buffer.from(key)), text(2, Buffer.from('v'))]),
);
/** A publish whose entries of metadata have this tag, behind these bytes. */
const written = (tag: readonly number[], before: readonly number[] = []): Buffer =>
  Buffer.concat([
    text(1, Buffer.from('pubsub')),
    Buffer.from(before),
    ...entries.map((entry) => Buffer.concat([Buffer.from([...tag, entry.length]), entry])),
  ]);
/** The tag of field 5 with a length before its content. */
const TAG = 5 * 8 + 2;

describe('what the decoder takes as an entry is counted', () => {
  test.each([
    ['as clients write it', written([TAG])],
    ['with a longer tag', written([TAG | 128, 128, 128, 0])],
    ['with bits beyond the 32nd in the tag', written([TAG | 128, 128, 128, 128, 0x10])],
    ['with a tag of ten bytes', written([TAG | 128, 128, 128, 128, 128, 1, 2, 3, 4, 5])],
    ['with another type in the tag', written([5 * 8])],
    ['behind a group', written([TAG], [0x83, 0x01, 0x08, 0x01, 0x84, 0x01])],
    ['behind a group in a group', written([TAG], [0x83, 0x01, 0x8b, 0x01, 0x8c, 0x01, 0x84, 0x01])],
    ['behind a number of 20 bytes', written([TAG], [0x78, ...Array.from({ length: 20 }, () => 128), 0])],
    ['behind a fixed number', written([TAG], [0x7d, 1, 2, 3, 4])],
  ])('%s', (_how, bytes) => {
    const decoded = publishEventRequest.decode(bytes);
    expect(Object.keys(decoded.metadata)).toHaveLength(COUNT);
    expect(publishEventRequest.mostEntries(bytes)).toBe(COUNT);
    const without = publishEventRequest.decode(publishEventRequest.withoutMaps(bytes));
    expect(without).toMatchObject({ pubsub_name: 'pubsub' });
    expect(Object.keys(without.metadata)).toEqual([]);
  });

  test('in the messages of a message', () => {
    const entry = { entry_id: '1', event: Buffer.from('1'), content_type: 'text/plain', metadata };
    const bulk = bulkPublishRequest.encode({
      pubsub_name: 'p',
      topic: 't',
      metadata: { a: 'b' },
      entries: [{ ...entry, metadata: {} }, entry],
    });
    expect(bulkPublishRequest.mostEntries(bulk)).toBe(COUNT);
    expect(bulkPublishRequest.decode(bulkPublishRequest.withoutMaps(bulk))).toMatchObject({
      pubsub_name: 'p',
      topic: 't',
    });
    const initial = { pubsub_name: 'p', topic: 't', metadata };
    expect(streamRequest.mostEntries(streamRequest.encode({ initial_request: initial }))).toBe(COUNT);
    const processed = { id: 'e', status: { status: 1 } };
    expect(streamRequest.mostEntries(streamRequest.encode({ event_processed: processed }))).toBe(0);
  });

  test('property: in any bytes that can be decoded', () => {
    const pieces = fc.oneof(
      fc.constantFrom<readonly number[]>([TAG], [0x28], [0x2b], [0x2c], [0x83, 0x01], [0x84, 0x01], [0x78]),
      fc.constantFrom<readonly number[]>([TAG | 128, 128, 128, 128, 0x10], [3, 0x0a, 1, 97], [0]),
      fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 4 }),
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        const bytes = Buffer.from(parts.flat());
        let keys: number;
        try {
          keys = Object.keys(publishEventRequest.decode(bytes).metadata).length;
        } catch {
          return;
        }
        expect(publishEventRequest.mostEntries(bytes)).toBeGreaterThanOrEqual(keys);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the entries of a bulk publish are decoded one after another', () => {
  const plain = (entries: Iterable<BulkPublishRequest['entries'][number]>): unknown[] =>
    [...entries].map(({ entry_id, event, content_type, metadata }) => ({
      ...{ entry_id, content_type, metadata: { ...metadata } },
      event: [...event],
    }));

  test('property: as the decoder does, from any bytes that it takes', () => {
    const part = fc.constantFrom<readonly number[]>(
      // Entries: empty, with an id, with an event, with metadata, and with a number as wire type.
      ...[
        [0x1a, 0],
        [0x1a, 3, 0x0a, 1, 97],
        [0x1a, 4, 0x12, 2, 1, 2],
        [0x1a, 4, 0x22, 2, 0x0a, 0],
        [0x18, 0],
      ],
      // Names, metadata and what no publish has.
      ...[
        [0x0a, 1, 112],
        [0x12, 1, 116],
        [0x22, 3, 0x0a, 1, 97],
        [0x28, 5],
        [0x2b, 0x2c],
      ],
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.boolean(), (parts, isCut) => {
        const all = Buffer.from(parts.flat());
        const bytes = isCut ? all.subarray(0, -1) : all;
        const readBy = (decode: () => BulkPublishRequest | BulkHead): unknown => {
          try {
            const { pubsub_name, topic, metadata, entries } = decode();
            return [pubsub_name, topic, { ...metadata }, entries.length, plain(entries)];
          } catch {
            return 'not decoded';
          }
        };
        expect(readBy(() => bulkPublishRequest.decodeHead(bytes))).toEqual(
          readBy(() => bulkPublishRequest.decode(bytes)),
        );
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the parts of a message are counted at all levels', () => {
  test('entries of a bulk publish with their metadata, up to the first one too many', () => {
    const entry = {
      entry_id: '1',
      event: Buffer.from('1'),
      content_type: 'text/plain',
      metadata: { a: '1' },
    };
    const bytes = bulkPublishRequest.encode({
      pubsub_name: 'p',
      topic: 't',
      metadata: { a: 'b', c: 'd' },
      entries: Array.from({ length: 500 }, () => entry),
    });
    expect(bulkPublishRequest.partsIn(bytes, 5000)).toBe(1002);
    expect(bulkPublishRequest.partsIn(bytes, 100)).toBe(101);
    expect(bulkPublishRequest.partsIn(Buffer.alloc(4_000_000).fill(Buffer.from([0x1a, 0])), 100)).toBe(101);
  });

  /** An event with this attribute. */
  const eventWith = (attribute: unknown): Buffer =>
    topicEventRequest.encode({
      ...{ id: '1', source: '', type: '', spec_version: '', data_content_type: '', data: Buffer.alloc(0) },
      ...{ topic: 't', pubsub_name: 'p', path: '/', extensions: structOf({ attribute }) },
    });

  test('values in the attributes of an event', () => {
    const event = eventWith(Array.from({ length: 200 }, (_, n) => n));
    // The struct, its entry, the list in it, and each of its values.
    expect(topicEventRequest.partsIn(event, 5000)).toBe(203);
    expect(topicEventRequest.partsIn(event, 10)).toBe(11);
    expect(topicEventRequest.partsIn(event.subarray(0, -5), 5000)).toBeLessThan(203);
  });

  test('messages nested too deep count as too many', () => {
    const delimited = (tag: number, content: Buffer): Buffer =>
      Buffer.concat([Buffer.from([tag, 128 | (content.length & 127), content.length >> 7]), content]);
    // A value that is a list of such a value, and so on.
    let value: Buffer = Buffer.alloc(0);
    for (let level = 0; level < 200; level += 1) value = delimited(0x32, delimited(0x0a, value));
    const entry = delimited(0x0a, Buffer.concat([text(1, Buffer.from('a')), delimited(0x12, value)]));
    const event = Buffer.concat([eventWith(1), delimited(0x52, entry)]);
    expect(topicEventRequest.partsIn(event, 100_000)).toBe(100_001);
    expect(() => topicEventRequest.decode(event)).toThrow('nesting depth exceeded');
  });
});
