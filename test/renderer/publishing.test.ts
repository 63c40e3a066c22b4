/** Requests and refusals of the publish form, and copied code. */
import { describe, expect, test } from 'vitest';
import { publishCurl, receivedCurl } from '../../renderer/format/repeat-request.ts';
import type { JsonMistake } from '../../core/contract/json-position.ts';
import { readText } from '../../renderer/format/text-facts.ts';
import { shellQuote } from '../../core/contract/shell-quote.ts';
import { publishAgain, publishUrl } from '../../renderer/format/curl.ts';
import { EMPTY_SINGLE, type SingleDraft } from '../../renderer/state/publish-drafts.ts';
import { changesOf, editableOf, layOut, readLines } from '../../renderer/views/act-dialogs/edit-message.ts';
import { filterFor } from '../../renderer/format/filter-for.ts';
import {
  blockingMistakes,
  dataQuestion,
  nothingSent,
  previewOf,
  requestOf,
} from '../../renderer/views/publish/single-request.ts';
import { attemptWith, wholeMessage } from './samples.ts';

function draft(change: Partial<SingleDraft> = {}): SingleDraft {
  return { ...EMPTY_SINGLE, pubsubname: 'pubsub', topic: 'orders', data: '{"a":1}', ...change };
}

function mistakeOf(change: Partial<SingleDraft>): JsonMistake | undefined {
  const question = dataQuestion(draft(change));
  return question === undefined ? undefined : readText(question).mistake;
}

const NOW = '2026-03-01T00:00:00.000Z';

describe('request of a draft', () => {
  test('the data goes as text, with its content type and metadata', () => {
    expect(requestOf(draft({ ttl: '60', metadata: [{ id: 1, key: 'x', value: 'y' }] }), 'id', NOW)).toEqual({
      pubsubname: 'pubsub',
      topic: 'orders',
      data: '{"a":1}',
      contentType: 'application/json',
      metadata: { x: 'y', ttlInSeconds: '60' },
    });
  });

  test.each([
    [{}, 'text'],
    [{ contentType: '' }, 'text'],
    [{ contentType: 'application/vnd.x+json' }, 'text'],
    [{ contentType: 'Application/Octet-Stream; x=1' }, 'bytes'],
    [{ contentType: 'application/cloudevents+json' }, 'event'],
    [{ envelope: 'own' }, 'none'],
    [{ envelope: 'raw' }, 'raw'],
  ] as const)('empty data with %j is %s', (change, nothing) => {
    expect(nothingSent(draft({ ...change, data: '' }))).toBe(nothing);
  });

  test('no content type means none is sent', () => {
    expect(requestOf(draft({ contentType: '' }), 'id', NOW)).not.toHaveProperty('contentType');
  });

  test('raw sets rawPayload, seen in the preview too', () => {
    const raw = draft({ envelope: 'raw' });
    expect(requestOf(raw, 'id', NOW).metadata).toEqual({ rawPayload: 'true' });
    expect(previewOf(raw)).toBe('POST /v1.0/publish/pubsub/orders?metadata.rawPayload=true');
  });

  test('an own CloudEvent is put together from its fields', () => {
    const own = draft({
      envelope: 'own',
      attributes: { ...EMPTY_SINGLE.attributes, source: '/shop', type: 'order' },
      extensions: [{ id: 1, key: 'correlationid', value: 'c' }],
    });
    const request = requestOf(own, 'new-id', NOW);
    expect(request.contentType).toBe('application/cloudevents+json');
    expect(JSON.parse(String(request.data))).toEqual({
      specversion: '1.0',
      id: 'new-id',
      source: '/shop',
      type: 'order',
      time: NOW,
      datacontenttype: 'application/json',
      correlationid: 'c',
      data: { a: 1 },
    });
  });
});

describe('problems of a draft that prevent its publish', () => {
  test.each([
    [draft(), []],
    [draft({ pubsubname: '' }), ['Choose a pub/sub component.']],
    [draft({ topic: '' }), ['Name a topic.']],
    [draft({ ttl: '0' }), ['TTL must be a whole number of seconds from 1.']],
    [draft({ ttl: '1.5' }), ['TTL must be a whole number of seconds from 1.']],
    [
      draft({
        metadata: [
          { id: 1, key: 'x', value: '1' },
          { id: 2, key: 'x', value: '2' },
        ],
      }),
      ['The key "x" occurs twice.'],
    ],
    [draft({ envelope: 'own', attributes: { ...EMPTY_SINGLE.attributes, source: 's' } }), ['Missing: type']],
    [draft({ data: '{' }), []],
  ])('are found in case %#', (given, mistakes) =>
    expect(blockingMistakes(given).map(({ text }) => text)).toEqual(mistakes),
  );

  test('data that is no JSON is only a warning, with its place', () => {
    expect(mistakeOf({ data: '{"a" 1}' })).toMatchObject({ line: 1, column: 6 });
    expect(mistakeOf({ data: '<a>', contentType: 'application/xml' })).toMatchObject({ line: 1, column: 4 });
    expect(mistakeOf({ data: '{"a" 1}', contentType: 'text/plain' })).toBeUndefined();
    expect(mistakeOf({ data: '{"a" 1}', envelope: 'raw' })).toBeUndefined();
  });
});

describe('copied commands', () => {
  test('a shell reads back what was quoted', () => {
    expect(shellQuote('plain-word')).toBe('plain-word');
    expect(shellQuote("it's $HOME")).toBe("'it'\\''s $HOME'");
  });

  test('addresses keep slashes of a topic and escape the rest', () => {
    expect(publishUrl('http://h:1/', { pubsubname: 'p s', topic: 'a/b c' }, { k: 'v&w' })).toBe(
      'http://h:1/v1.0/publish/p%20s/a/b%20c?metadata.k=v%26w',
    );
  });

  test('a message is copied as curl', () => {
    expect(publishCurl({ address: 'http://h:1' }, publishAgain(wholeMessage()))).toBe(
      `curl -g -X POST http://h:1/v1.0/publish/pubsub/orders -H 'Content-Type: application/json' --data-raw '{"orderId":1}'`,
    );
  });

  test('an own CloudEvent is published again as one', () => {
    const envelope = { id: '1', data: { a: 1 } };
    const message = wholeMessage({ contentType: 'application/cloudevents+json', envelope });
    expect(publishAgain(message)).toMatchObject({
      data: envelope,
      contentType: 'application/cloudevents+json',
    });
  });

  test('keys in headers are masked', () => {
    const request = {
      method: 'POST',
      url: 'http://h/x',
      headers: { authorization: 'Bearer secret', 'content-length': '2', 'x-a': 'b' },
      body: '{}',
    };
    const text = receivedCurl(attemptWith({ request }));
    expect(text).toBe(
      `curl -g -X POST http://h/x -H 'authorization: ***' -H 'x-a: b' -H Content-Type: --data-raw '{}'`,
    );
  });
});

describe('edited messages', () => {
  test('only what differs is sent', () => {
    const before = editableOf(
      wholeMessage({ envelope: { id: '1', type: 't', data: {} }, metadata: { a: '1' } }),
      layOut('{"total":1}'),
    );
    expect(before.data).toBe('{\n  "total": 1\n}');
    expect(layOut('no json')).toBe('no json');
    expect(changesOf(before, before)).toEqual({});
    const after = {
      ...before,
      topic: 'refunds',
      data: '{"total":999}',
      attributes: 'id: 1',
      metadata: 'a: 2',
    };
    expect(changesOf(before, after)).toEqual({
      topic: 'refunds',
      data: '{"total":999}',
      metadata: { a: '2' },
      attributes: { type: null },
    });
    expect(changesOf(before, { ...before, data: '{' })).toEqual({ data: '{' });
  });

  test('have lines of key and value', () => {
    expect(readLines('a: b: c\n\n x :y\nalone')).toEqual({ a: 'b: c', x: 'y', alone: '' });
  });
});

describe('filter within the chosen app', () => {
  test.each([
    ['', '', ''],
    [' topic:a ', '', 'topic:a'],
    ['', 'orders', 'app:orders'],
    ['a OR b', 'orders', 'app:orders (a OR b)'],
    ['', 'my app', 'app:"my app"'],
    ['', 'tab\tapp', 'app:"tab\tapp"'],
  ])('the filter %j within app %j is complete', (typed, app, filter) =>
    expect(filterFor(typed, app)).toBe(filter),
  );
});
