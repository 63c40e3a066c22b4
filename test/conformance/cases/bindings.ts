/** Bindings behind the port, tried with local ones. Behaviour 8; conformance cases 116 to 118, 121, 122. */
import assert from 'node:assert/strict';
import type { Case, Context } from '../suite/case.ts';
import { refused } from '../suite/checks.ts';
import type { Delivery } from '../suite/deliveries.ts';
import {
  otherDelivery,
  otherDeliveryHeader,
  otherHeader,
  otherRequest,
  otherStatus,
  otherText,
} from '../suite/spoiler.ts';
import type { Spoil } from '../suite/spoiler.ts';

const invoke = async (
  context: Context,
  body: Readonly<Record<string, unknown>>,
): ReturnType<Context['sidecar']['send']> =>
  context.sidecar.send('/v1.0/bindings/hook', { method: 'POST', body: JSON.stringify(body) });

/** The first call at `path` from now on for which `wanted` holds. */
const next = async (
  context: Context,
  path: string,
  wanted: (delivery: Delivery) => boolean,
): Promise<Delivery> => {
  const before = context.app.log.at(path).length;
  const seen = await context.app.log.until(
    path,
    (all) => all.slice(before).some(wanted),
    'the call',
    context.patienceMs,
  );
  return seen.slice(before).find(wanted) ?? assert.fail();
};
const isPost = (delivery: Delivery): boolean => delivery.method === 'POST';

/** Calls of the app are hidden from the suite. */
const hidden: Spoil = {
  name: 'nothing reaches the app',
  delivered: () => [],
};

export const bindingCases: readonly Case[] = [
  {
    id: '116b',
    title: 'create hands data to the component, which calls its endpoint',
    basis: 'R',
    rows: ['behaviour 8.1'],
    run: async (context) => {
      const mark = context.topic();
      context.app.script('/hook', { status: 200, headers: { 'x-more': 'yes' }, body: '{"done":1}' });
      const answer = await invoke(context, { operation: 'create', data: { mark } });
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.headers['content-type'], 'application/json');
      assert.equal(answer.text, '{"done":1}');
      assert.equal(answer.headers['metadata.x-more'], 'yes');
      assert.ok(context.app.log.at('/hook').some((one) => one.text === JSON.stringify({ mark })));
    },
    spoils: [
      otherStatus(204),
      otherText('done', 'gone'),
      hidden,
      otherRequest('the data are lost', (request) => ({
        ...request,
        body: Buffer.from('{"operation":"create"}'),
      })),
    ],
  },
  {
    id: '116c',
    title: 'an answer without a body is 200; a text arrives with its quotes',
    basis: 'R',
    rows: ['behaviour 8.1'],
    run: async (context) => {
      const mark = context.topic();
      context.app.script('/hook', { status: 200 });
      const answer = await invoke(context, { operation: 'create', data: mark });
      assert.deepEqual([answer.status, answer.text], [200, '']);
      assert.ok(context.app.log.at('/hook').some((one) => one.text === JSON.stringify(mark)));
    },
    spoils: [otherStatus(204), hidden],
  },
  {
    id: '116d',
    title: 'create without data sends null; delete and options send nothing; trace is an operation',
    basis: 'R',
    rows: ['behaviour 8.1'],
    run: async (context) => {
      context.app.script('/hook', { status: 200 });
      const sent: (readonly [string, string])[] = [];
      for (const operation of ['create', 'delete', 'options', 'trace']) {
        const before = context.app.log.at('/hook').length;
        const data = operation === 'create' ? {} : { data: { n: 1 } };
        assert.equal((await invoke(context, { operation, ...data })).status, 200, operation);
        const call = context.app.log.at('/hook')[before];
        sent.push([call?.method ?? '', call?.text ?? '']);
      }
      const wanted = [
        ['POST', 'null'],
        ['DELETE', ''],
        ['OPTIONS', ''],
        ['TRACE', ''],
      ];
      assert.deepEqual(sent, wanted);
    },
    spoils: [otherStatus(500), hidden, otherDelivery('null', '')],
  },
  {
    id: '116e',
    title: 'redirects are followed: 302 with GET, 307 with the same call',
    basis: 'R',
    rows: ['behaviour 8.1'],
    run: async (context) => {
      const place = context.path();
      for (const [status, method, text] of [
        [302, 'GET', ''],
        [307, 'POST', '{"n":1}'],
      ] as const) {
        context.app.script('/hook', { status, headers: { location: place } });
        context.app.script(place, { status: 200, body: 'there' });
        const answer = await invoke(context, { operation: 'create', data: { n: 1 } });
        assert.deepEqual([answer.status, answer.text], [200, 'there']);
        const call = context.app.log.at(place).at(-1);
        assert.deepEqual([call?.method, call?.text], [method, text]);
      }
    },
    spoils: [otherStatus(500), otherText('there', 'here'), hidden],
  },
  {
    id: '117c',
    title: 'errorIfNot2XX "false" in a call: 200 with the body of any status',
    basis: 'R',
    rows: ['behaviour 8.1'],
    run: async (context) => {
      context.app.script('/hook', { status: 418, body: 'teapot' });
      const metadata = { errorIfNot2XX: 'false' };
      const answer = await invoke(context, { operation: 'create', metadata });
      assert.deepEqual([answer.status, answer.text], [200, 'teapot']);
      assert.equal(answer.headers['metadata.statuscode'], '418');
    },
    spoils: [otherStatus(500), otherText('teapot', ''), otherHeader('metadata.statuscode', '200')],
  },
  {
    id: '117b',
    title: 'an endpoint that answers 400: 500 with the reason',
    basis: 'R',
    rows: ['behaviour 8.1'],
    run: async (context) => {
      context.app.script('/hook', { status: 400 });
      const answer = await invoke(context, { operation: 'create', data: 1 });
      const body = refused(answer, 500, 'ERR_INVOKE_OUTPUT_BINDING');
      assert.match(String(body['message']), /^error invoking output binding hook: .*400/);
    },
    spoils: [otherStatus(204), otherText('400', '200')],
  },
  {
    id: '118i',
    title: 'an operation it does not have: 500, listing those it has',
    basis: 'R',
    rows: ['behaviour 8.1'],
    run: async (context) => {
      const answer = await invoke(context, { operation: 'nonsense' });
      const body = refused(answer, 500, 'ERR_INVOKE_OUTPUT_BINDING');
      const start =
        'error invoking output binding hook: binding hook does not support operation nonsense. supported operations:';
      assert.ok(String(body['message']).startsWith(`${start}create`), String(body['message']));
    },
    spoils: [otherStatus(204), otherText('operations:', 'operations: ')],
  },
  {
    id: '121b',
    title: 'an input binding: OPTIONS asks, then POSTs at the name of the component',
    basis: 'R',
    rows: ['behaviour 8.2'],
    run: async (context) => {
      const event = await next(context, '/tick', isPost);
      assert.equal(context.app.log.at('/tick')[0]?.method, 'OPTIONS');
      assert.equal(event.headers['content-type'], 'application/json');
      assert.equal(typeof event.headers['readtimeutc'], 'string');
    },
    spoils: [
      otherDeliveryHeader('content-type', 'text/plain'),
      otherDeliveryHeader('readtimeutc', undefined),
      hidden,
    ],
  },
  {
    id: '122a',
    title: 'an app that answers the probe with 404 is not called',
    basis: 'R',
    rows: ['behaviour 8.2'],
    run: async (context) => {
      // The other binding ticks at the same interval.
      for (let n = 0; n < 3; n += 1) await next(context, '/tick', isPost);
      assert.deepEqual(
        context.app.log.at('/refused').map((one) => one.method),
        ['OPTIONS'],
      );
    },
    spoils: [{ name: 'it is called all the same', delivered: (one) => [one, { ...one, path: '/refused' }] }],
  },
  {
    id: '122b',
    title: 'the probe answered 405 counts as yes; direction input asks nothing; route is used',
    basis: 'R',
    rows: ['behaviour 8.2'],
    run: async (context) => {
      await next(context, '/with-405', isPost);
      await next(context, '/routed', isPost);
      assert.ok(context.app.log.at('/routed').every(isPost));
      assert.deepEqual(context.app.log.at('/direct'), []);
    },
    spoils: [{ name: 'it is asked all the same', delivered: (one) => [{ ...one, method: 'OPTIONS' }] }],
  },
];
