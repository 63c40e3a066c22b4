// W3C trace context: valid values, and how a trace is continued.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { continueTrace, parseTraceparent, traceOfEvent } from '../../core/domain/trace.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const hex = (bytes: number): string => 'ab'.repeat(bytes);
const zero = (bytes: number): string => '00'.repeat(bytes);

describe('reading', () => {
  test.each([
    `00-${TRACE}-${SPAN}-01`,
    ` 00-${TRACE}-${SPAN}-01 `,
    `cc-${TRACE}-${SPAN}-01-what-the-future-brings`,
  ])('%s is a valid traceparent', (text) => {
    expect(parseTraceparent(text)).toEqual({ traceId: TRACE, parentId: SPAN, flags: '01' });
  });

  test.each([
    undefined,
    '',
    'x',
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}`,
  ])('%s is no traceparent', (text) => {
    expect(parseTraceparent(text)).toBeUndefined();
  });
});

test('property: the fast path reads the common form as the general one does', () => {
  const digits = (length: number): fc.Arbitrary<string> =>
    fc.oneof(
      fc.string({
        unit: fc.constantFrom(...Array.from('0123456789abcdef')),
        minLength: length,
        maxLength: length,
      }),
      fc.constantFrom(
        '0'.repeat(length),
        `${'0'.repeat(length - 1)}1`,
        'F'.repeat(length),
        'g'.repeat(length),
      ),
    );
  const text = fc
    .tuple(
      fc.constantFrom('00', 'cc', 'ff', '0'),
      digits(32),
      digits(16),
      digits(2),
      fc.constantFrom('', '-', '-x'),
    )
    .map(([version, trace, parent, flags, more]) => `${version}-${trace}-${parent}-${flags}${more}`);
  fc.assert(
    // Blanks around it are nothing that counts, and the form is not the first one then.
    fc.property(text, (one) => {
      expect(parseTraceparent(one)).toEqual(parseTraceparent(` ${one}`));
    }),
  );
});

describe('going on', () => {
  test('a continued trace keeps its id, flags and state, and has a new span', () => {
    expect(continueTrace({ traceparent: `00-${TRACE}-${SPAN}-00`, tracestate: 'a=1' }, hex)).toEqual({
      traceId: TRACE,
      traceparent: `00-${TRACE}-${'ab'.repeat(8)}-00`,
      tracestate: 'a=1',
    });
  });

  test('without an incoming trace a new one begins, which is sampled and has no state', () => {
    expect(continueTrace({ tracestate: 'a=1' }, hex)).toEqual({
      traceId: 'ab'.repeat(16),
      traceparent: `00-${'ab'.repeat(16)}-${'ab'.repeat(8)}-01`,
      tracestate: '',
    });
  });

  test('a state that cannot stand in a header is left out', () => {
    const { tracestate } = continueTrace(
      { traceparent: `00-${TRACE}-${SPAN}-00`, tracestate: 'a=1\r\nx: y' },
      hex,
    );
    expect(tracestate).toBe('');
  });

  test('reads the trace of an event, and ignores members that are no text', () => {
    expect(traceOfEvent({ traceparent: `00-${TRACE}-${SPAN}-01` }, hex).traceparent).toContain(TRACE);
    expect(traceOfEvent({ traceid: `00-${TRACE}-${SPAN}-01` }, hex).traceparent).toContain(TRACE);
    expect(traceOfEvent({ traceparent: 5, traceid: {}, tracestate: [] }, hex)).toEqual(
      continueTrace({}, hex),
    );
  });

  test('property: any input and any random numbers give a valid trace', () => {
    const supply = fc.constantFrom(hex, zero);
    fc.assert(
      fc.property(
        fc.option(fc.string(), { nil: undefined }),
        fc.string(),
        supply,
        (traceparent, tracestate, random) => {
          expect(
            parseTraceparent(continueTrace({ traceparent, tracestate }, random).traceparent),
          ).toBeDefined();
        },
      ),
    );
  });
});
