/** Formats of samples and requests on the Event router screen. */
import { describe, expect, test } from 'vitest';
import { curlOf } from '../../renderer/views/event-router/curl.ts';
import { eventsIn, sampleText, samplesOf } from '../../renderer/views/event-router/samples.ts';
import { createUiStore } from '../../renderer/state/ui.ts';

describe('samples', () => {
  test('are events at first, one alone and several as an array', () => {
    const one = eventsIn(sampleText(1));
    const three = eventsIn(sampleText(3));
    expect(one).toMatchObject({ ok: true, isArray: false, events: [{ specversion: '1.0' }] });
    expect(three).toMatchObject({ ok: true, isArray: true });
    const ids = three.ok ? three.events.map(({ id }) => id) : [];
    expect(new Set(ids).size).toBe(3);
  });

  test.each([
    ['{', /^line 1, column \d+/],
    ['[]', 'an object, or an array of objects'],
    ['[{}, 1]', 'an object, or an array of objects'],
    ['null', 'an object, or an array of objects'],
  ])('%j is not sent', (text, message) => {
    expect(eventsIn(text)).toEqual({ ok: false, message: expect.stringMatching(message) });
  });

  test('may be invalid events, which are sent unchanged to test the webhook', () => {
    expect(eventsIn('{"id":1}')).toEqual({ ok: true, isArray: false, events: [{ id: 1 }] });
  });

  test('stored values of another build that are no samples are left out', () => {
    const kept = { routerSamples: [{ name: 'a', text: '{}' }, { name: 1 }, null, 'x'] };
    expect(samplesOf(kept.routerSamples)).toEqual([{ name: 'a', text: '{}' }]);
    const store = createUiStore({ getItem: () => JSON.stringify(kept), setItem: () => undefined });
    expect(store.getState().routerSamples).toEqual([{ name: 'a', text: '{}' }]);
  });
});

test('a request becomes a command that is quoted for a shell, without what the client makes itself', () => {
  const text = curlOf({
    method: 'POST',
    url: 'https://localhost:9443/api/events?x=1',
    headers: {
      Host: 'localhost',
      'content-length': '2',
      'content-type': 'application/json',
      authorization: '***',
      'x-a': "it's",
    },
    body: '{"a":"$HOME `x`"}',
  });
  expect(text.split(' \\\n  ')).toEqual([
    'curl --cacert ca.pem -g',
    "-X POST 'https://localhost:9443/api/events?x=1'",
    "-H 'content-type: application/json'",
    "-H 'authorization: ***'",
    "-H 'x-a: it'\\''s'",
    `--data-raw '{"a":"$HOME \`x\`"}'`,
  ]);
});
