/** Differences between releases of the reference in answers to a publish, and features of the newer one. Cases V1 to V20 and V70. */
import assert from 'node:assert/strict';
import { one } from '../suite/case.ts';
import type { Case, Context } from '../suite/case.ts';
import { accepted, delivered, listOf, nothingArrives, objectOf, refused, staysAt } from '../suite/checks.ts';
import type { Json } from '../suite/checks.ts';
import type { Answer } from '../suite/http-client.ts';
import {
  inventedDelivery,
  lost,
  otherDelivery,
  otherHeader,
  otherRequest,
  otherStatus,
  otherText,
  queryLost,
  twice,
} from '../suite/spoiler.ts';

const LIMIT = 4_194_304;
const FAR_TOO_MUCH = 5 * 1024 * 1024;

/** Expected value for the release that the profile follows. */
const by = <T>({ names }: Context, older: T, newer: T): T => (names.isNewer ? newer : older);

const plainText = (answer: Answer, status: number, text: RegExp): void => {
  assert.equal(answer.status, status);
  assert.match(String(answer.headers['content-type']), /^text\/plain/);
  assert.match(answer.text, text);
};

/** The members of the one detail of this type. */
const detail = (body: Json, type: 'ErrorInfo' | 'ResourceInfo'): Json => {
  const found = listOf(body['details'])
    .map(objectOf)
    .find((each) => String(each['@type']).endsWith(type));
  assert.ok(found, `there is no ${type}`);
  return found;
};

const stable = async (context: Context, target: string, body: string, method = 'POST'): Promise<Answer> =>
  context.sidecar.send(`/v1.0/publish/bulk/${target}`, {
    method,
    body,
    headers: { 'content-type': 'application/json' },
  });

const invoke = async (context: Context, body: string): Promise<Answer> =>
  context.sidecar.send('/v1.0/bindings/nope', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  });

export const releasePublishCases: readonly Case[] = [
  {
    id: 'V1',
    title: 'of a repeated metadata parameter the last value counts, or the first',
    basis: 'R',
    rows: ['release.repeated-metadata'],
    subscriptions: one,
    run: async (context) => {
      const query = 'metadata.cloudevent.type=a&metadata.cloudevent.type=b';
      assert.equal((await delivered(context, 'hi', { query }))['type'], by(context, 'b', 'a'));
    },
    spoils: [queryLost],
  },
  {
    id: 'V2',
    title: 'a metadata parameter with a semicolon is text, or left out',
    basis: 'R',
    rows: ['release.odd-parameter'],
    subscriptions: one,
    run: async (context) => {
      const query = 'metadata.cloudevent.type=x;y&metadata.cloudevent.source=s';
      const event = await delivered(context, 'hi', { query });
      assert.deepEqual([event['type'], event['source']], [by(context, 'x;y', context.names.eventType), 's']);
    },
    spoils: [queryLost, otherDelivery('"source":"s"', '"source":"t"')],
  },
  {
    id: 'V3',
    title: 'a body that is far too large, for an unknown component',
    basis: 'R',
    rows: ['release.too-large'],
    run: async (context) => {
      const body = 'x'.repeat(FAR_TOO_MUCH);
      const answer = await context.sidecar.publish(context.topic(), body, { component: 'nope' });
      if (context.names.isNewer) refused(answer, 404, 'ERR_PUBSUB_NOT_FOUND');
      else plainText(answer, 400, /too large/);
    },
    spoils: [otherStatus(413)],
  },
  {
    id: 'V3b',
    title: 'the same in a bulk publish: 400, as for any unknown component',
    basis: 'S',
    rows: ['release.too-large', 'bulk-publish.400'],
    run: async (context) => {
      const answer = await context.sidecar.bulk(context.topic(), 'x'.repeat(FAR_TOO_MUCH), {
        component: 'nope',
      });
      if (context.names.isNewer) refused(answer, 400, 'ERR_PUBSUB_NOT_FOUND');
      else plainText(answer, 400, /too large/);
    },
    spoils: [otherStatus(404)],
  },
  {
    id: 'V4',
    title: 'a body over the limit: a line of text, or an error of the publish',
    basis: 'R',
    rows: ['release.too-large'],
    subscriptions: one,
    run: async (context) => {
      const answer = await context.sidecar.publish(context.topic(), 'x'.repeat(LIMIT + 2));
      if (!context.names.isNewer) plainText(answer, 400, /^error reading request body: stream too large/);
      else {
        const body = refused(answer, 500, 'ERR_PUBSUB_PUBLISH_MESSAGE');
        const { component } = context;
        assert.equal(
          body['message'],
          `error when publishing to topic ${context.topic()} in pubsub ${component}: stream too large`,
        );
        assert.deepEqual(detail(body, 'ErrorInfo')['metadata'], {
          topic: context.topic(),
          error: 'stream too large',
        });
      }
      await nothingArrives(context);
    },
    spoils: [otherStatus(204), otherText('stream too large', 'too large'), inventedDelivery],
  },
  {
    id: 'V5',
    title: 'metadata.cloudevent.subject sets the subject of the envelope',
    basis: 'R',
    rows: ['release.subject'],
    subscriptions: one,
    run: async (context) => {
      const event = await delivered(context, 'hi', { query: 'metadata.cloudevent.subject=s' });
      assert.equal(event['subject'], 's');
    },
    spoils: [queryLost, otherDelivery('"subject":"s"', '"subject":"t"')],
  },
  {
    id: 'V5b',
    title: 'an empty subject is none',
    basis: 'R',
    rows: ['release.subject'],
    subscriptions: one,
    run: async (context) => {
      const event = await delivered(context, 'hi', { query: 'metadata.cloudevent.subject=' });
      assert.equal('subject' in event, false);
    },
    spoils: [otherDelivery('{', '{"subject":"",')],
  },
  {
    id: 'V5c',
    title: "a caller's own CloudEvent keeps its subject",
    basis: 'R',
    rows: ['release.subject'],
    subscriptions: one,
    run: async (context) => {
      const own = { specversion: '1.0', id: '1', source: 's', type: 't', subject: 'mine' };
      const event = await delivered(context, JSON.stringify(own), {
        contentType: 'application/cloudevents+json',
        query: 'metadata.cloudevent.subject=s',
      });
      assert.equal(event['subject'], 'mine');
    },
    spoils: [otherDelivery('"mine"', '"s"')],
  },
  {
    id: 'V6',
    title: 'without a traceparent the envelope and the call carry a valid one',
    basis: 'Take',
    rows: ['release.trace'],
    subscriptions: one,
    run: async (context) => {
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      const [delivery] = await context.arrive();
      for (const trace of [delivery?.json()['traceparent'], delivery?.headers['traceparent']]) {
        assert.match(String(trace), /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-0[01]$/);
      }
    },
    spoils: [
      otherDelivery(/"traceparent":"[^"]*"/, `"traceparent":"00-${'0'.repeat(32)}-${'0'.repeat(16)}-00"`),
    ],
  },
  {
    id: 'V7',
    title: 'a readable baggage header comes back with the answer',
    basis: 'Take',
    rows: ['release.baggage'],
    subscriptions: one,
    run: async (context) => {
      const answer = await context.sidecar.publish(context.topic(), 'hi', { headers: { baggage: 'k=v' } });
      accepted(answer);
      assert.equal(answer.headers['baggage'], 'k=v');
    },
    spoils: [otherHeader('baggage', 'k=w'), otherStatus(400)],
  },
  ...(['k', '=v', 'a b=v', 'k=%zz', 'a=b,,c=d', 'a=b;x y=1'] as const).map((baggage, at): Case => ({
    id: `V7${'bcdefg'.charAt(at)}`,
    title: `baggage: ${baggage} is not looked at, or refused before anything else`,
    basis: 'R',
    rows: ['release.baggage'],
    run: async (context) => {
      const answer = await context.sidecar.publish(context.topic(), 'hi', {
        component: 'nope',
        headers: { baggage },
      });
      if (context.names.isNewer) plainText(answer, 400, /^invalid baggage header: /);
      else refused(answer, 404, 'ERR_PUBSUB_NOT_FOUND');
    },
    spoils: [otherStatus(204)],
  })),
  {
    id: 'V10',
    title: 'a bulk publish to an unknown component is 400, with the reason of the release',
    basis: 'Take',
    rows: ['release.reasons', 'bulk-publish.400'],
    run: async (context) => {
      const answer = await context.sidecar.bulk(context.topic(), [], { component: 'nope' });
      const body = refused(answer, 400, 'ERR_PUBSUB_NOT_FOUND');
      const reason = by(context, 'TESTNOT_FOUND', 'TEST_NOT_FOUND');
      assert.equal(detail(body, 'ErrorInfo')['reason'], context.names.reasonPrefix + reason);
    },
    spoils: [otherStatus(404), otherText(/TEST_?NOT_FOUND/, 'NOT_FOUND')],
  },
  {
    id: 'V11',
    title: 'an unreadable CloudEvent of the caller is 500 in every release',
    basis: 'R',
    rows: ['release.reasons'],
    run: async (context) => {
      const answer = await context.sidecar.publish(context.topic(), '[]', {
        contentType: 'application/cloudevents+json',
      });
      assert.equal(
        refused(answer, 500, 'ERR_PUBSUB_CLOUD_EVENTS_SER')['message'],
        'cannot create cloudevent',
      );
    },
    spoils: [otherStatus(400), otherText('cannot', 'can')],
  },
  ...(
    [
      ['V12', 'text/plain', {}, 'mismatch between contentType and event'],
      ['V12b', 'application/octet-stream', '%%', 'unable to decode base64 application/octect-stream data: '],
    ] as const
  ).map(([id, contentType, event, cause]): Case => ({
    id,
    title: `an entry that cannot be converted (${contentType}): text and reason of the release`,
    basis: 'R',
    rows: ['release.entry-errors'],
    run: async (context) => {
      const { component } = context;
      const answer = await context.sidecar.bulk(context.topic(), [{ entryId: '1', contentType, event }]);
      const body = refused(answer, 400, 'ERR_PUBSUB_EVENTS_SER');
      const place = `topic ${context.topic()} pubsub ${component}`;
      const start = by(
        context,
        `error marshaling events to bytes for ${place}. error: error: ${cause}`,
        `error when marshalling cloud event envelope for ${place}: error: ${cause}`,
      );
      assert.ok(String(body['message']).startsWith(start), String(body['message']));
      const reason = by(context, 'MARSHAL_EVENTS', 'MARSHAL_ENVELOPE');
      assert.equal(detail(body, 'ErrorInfo')['reason'], context.names.reasonPrefix + reason);
    },
    spoils: [otherStatus(500), otherText('error: ', ''), otherText(/MARSHAL_(EVENTS|ENVELOPE)/, 'MARSHAL')],
  })),
  {
    id: 'V13',
    title: 'a repeated entryId: the description is without the cause, or the whole message',
    basis: 'R',
    rows: ['release.entry-errors'],
    run: async (context) => {
      const entry = { entryId: '1', contentType: 'text/plain', event: 'a' };
      const answer = await context.sidecar.bulk(context.topic(), [entry, entry]);
      const body = refused(answer, 400, 'ERR_PUBSUB_EVENTS_SER');
      const cause = '. error: entryId is duplicated or not present for entry';
      const start = `error marshaling events to bytes for topic ${context.topic()} pubsub ${context.component}`;
      assert.equal(body['message'], start + cause);
      assert.equal(detail(body, 'ResourceInfo')['description'], by(context, start, start + cause));
    },
    spoils: [otherStatus(204), otherText(/"description":"[^"]*"/, '"description":""')],
  },
  ...(
    [
      ['V14', '', 'unexpected end of JSON input', 'EOF'],
      ['V14b', '[{"entryId":"1"', 'unexpected end of JSON input', 'unexpected EOF'],
    ] as const
  ).map(([id, sent, older, newer]): Case => ({
    id,
    title: `a bulk body that ends too early (${sent === '' ? 'empty' : 'cut off'})`,
    basis: 'R',
    rows: ['release.end-of-json'],
    run: async (context) => {
      const body = refused(await context.sidecar.bulk(context.topic(), sent), 400, 'ERR_PUBSUB_EVENTS_SER');
      assert.ok(String(body['message']).endsWith(`: ${by(context, older, newer)}`), String(body['message']));
    },
    spoils: [otherStatus(204), otherText(/EOF|input/, 'end')],
  })),
  {
    id: 'V15',
    title: 'text after the entries is refused, or not looked at',
    basis: 'R',
    rows: ['release.text-after-json'],
    subscriptions: one,
    run: async (context) => {
      const entries = JSON.stringify([{ entryId: '1', contentType: 'text/plain', event: 'a' }]);
      const answer = await context.sidecar.bulk(context.topic(), `${entries} tail`);
      if (context.names.isNewer) {
        accepted(answer);
        assert.equal((await context.event())['data'], 'a');
      } else refused(answer, 400, 'ERR_PUBSUB_EVENTS_SER');
    },
    spoils: [otherStatus(500)],
  },
  {
    id: 'V16',
    title: 'a bulk body over the limit',
    basis: 'R',
    rows: ['release.too-large'],
    run: async (context) => {
      const entry = { entryId: '1', contentType: 'text/plain', event: 'x'.repeat(FAR_TOO_MUCH) };
      const answer = await context.sidecar.bulk(context.topic(), [entry]);
      if (context.names.isNewer) {
        const body = refused(answer, 400, 'ERR_PUBSUB_EVENTS_SER');
        assert.ok(String(body['message']).endsWith(': stream too large'), String(body['message']));
      } else plainText(answer, 400, /stream too large/);
    },
    spoils: [otherStatus(413), otherText('too large', 'large')],
  },
  {
    id: 'V16b',
    title: 'entries that are whole before the limit, with blanks up to far over it',
    basis: 'R',
    rows: ['release.too-large', 'release.text-after-json'],
    subscriptions: one,
    run: async (context) => {
      const entries = JSON.stringify([{ entryId: '1', contentType: 'text/plain', event: 'a' }]);
      const answer = await context.sidecar.bulk(context.topic(), entries + ' '.repeat(FAR_TOO_MUCH));
      if (context.names.isNewer) {
        accepted(answer);
        assert.equal((await context.event())['data'], 'a');
      } else plainText(answer, 400, /stream too large/);
    },
    spoils: [otherStatus(413)],
  },
  ...(
    [
      ['V17', '', 'unexpected end of JSON input', 'EOF'],
      ['V17c', '{"a"', 'unexpected end of JSON input', 'unexpected EOF'],
    ] as const
  ).map(([id, sent, older, newer]): Case => ({
    id,
    title: `a binding call whose body ends too early (${sent === '' ? 'empty' : 'cut off'})`,
    basis: 'R',
    rows: ['release.end-of-json'],
    run: async (context) => {
      const body = refused(await invoke(context, sent), 400, 'ERR_MALFORMED_REQUEST');
      assert.equal(body['message'], `failed deserializing HTTP body: ${by(context, older, newer)}`);
    },
    spoils: [otherStatus(500), otherText(/EOF|input/, 'end')],
  })),
  {
    id: 'V17b',
    title: 'a binding call over the limit',
    basis: 'R',
    rows: ['release.too-large'],
    run: async (context) => {
      const answer = await invoke(context, JSON.stringify({ data: 'x'.repeat(FAR_TOO_MUCH) }));
      if (context.names.isNewer) {
        const body = refused(answer, 400, 'ERR_MALFORMED_REQUEST');
        assert.equal(body['message'], 'failed deserializing HTTP body: stream too large');
      } else plainText(answer, 400, /stream too large/);
    },
    spoils: [otherStatus(500), otherText('too large', 'large')],
  },
  {
    id: 'V17d',
    title: 'text after the JSON of a binding call is refused, or not looked at',
    basis: 'R',
    rows: ['release.text-after-json'],
    run: async (context) => {
      const answer = await invoke(context, '{"operation":"create"} tail');
      if (context.names.isNewer) refused(answer, 500, 'ERR_INVOKE_OUTPUT_BINDING');
      else refused(answer, 400, 'ERR_MALFORMED_REQUEST');
    },
    spoils: [otherStatus(204)],
  },
  ...(['POST', 'PUT'] as const).map((method, at): Case => ({
    id: `V18${'ab'.charAt(at)}`,
    title: `bulk publish at its stable path, with ${method}`,
    basis: 'R',
    rows: ['release.stable-bulk'],
    subscriptions: (own) => [own.subscription('t', { topic: `${own.topic()}/b` })],
    run: async (context) => {
      const entries = ['1', '2'].map((entryId) => ({ entryId, contentType: 'text/plain', event: entryId }));
      accepted(
        await stable(context, `${context.component}/${context.topic()}/b`, JSON.stringify(entries), method),
      );
      const came = await staysAt(context, 2);
      assert.deepEqual(came.map((each) => each.json()['data']).toSorted(), ['1', '2']);
    },
    spoils: [otherStatus(404), lost, twice],
  })),
  {
    id: 'V70',
    title: 'a publish of a web page on this machine: the page may read the answer',
    basis: 'Take',
    rows: ['release.pages'],
    subscriptions: one,
    run: async (context) => {
      const origin = 'http://localhost:5173';
      const answer = await context.sidecar.publish(context.topic(), 'hi', { headers: { origin } });
      accepted(answer);
      assert.equal(answer.headers['access-control-allow-origin'], origin);
    },
    spoils: [otherHeader('access-control-allow-origin', '*'), otherStatus(403)],
  },
  {
    id: 'V70b',
    title: 'a publish of a foreign web page is 403',
    basis: 'Take',
    rows: ['release.pages'],
    subscriptions: one,
    run: async (context) => {
      const headers = { origin: 'https://evil.test' };
      assert.equal((await context.sidecar.publish(context.topic(), 'hi', { headers })).status, 403);
      await nothingArrives(context);
    },
    spoils: [
      otherRequest('the page is one of this machine', (request) => ({
        ...request,
        headers: { ...request.headers, origin: 'http://localhost:1' },
      })),
    ],
  },
];
