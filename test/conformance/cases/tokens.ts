/** API tokens both ways. Conformance cases 81 and 113. */
import assert from 'node:assert/strict';
import { one } from '../suite/case.ts';
import type { Case } from '../suite/case.ts';
import { accepted } from '../suite/checks.ts';
import { lost, otherDeliveryHeader, otherHeader, otherStatus, otherText } from '../suite/spoiler.ts';

export const API_TOKEN = 'conformance-api';
export const APP_TOKEN = 'conformance-app';

export const tokenCases: readonly Case[] = [
  ...(
    [
      ['POST', '/v1.0/publish/pubsub/t'],
      ['GET', '/v1.0/metadata'],
      ['POST', '/v1.0-alpha1/publish/bulk/pubsub/t'],
      ['POST', '/v1.0/bindings/x'],
      ['GET', '/v1.0/nowhere'],
      ['POST', '/v1.0/shutdown'],
    ] as const
  ).map(([method, target], at): Case => ({
    id: `113${'abcdef'.charAt(at)}`,
    title: `${method} ${target} without a token: 401 as text`,
    basis: 'R',
    rows: ['behaviour 7.4', 'behaviour 1.7'],
    run: async (context) => {
      for (const headers of [{}, { [context.names.tokenHeader]: 'wrong' }]) {
        const answer = await context.sidecar.send(target, { method, bare: true, headers });
        assert.deepEqual([answer.status, answer.text], [401, 'invalid api token\n']);
        assert.match(String(answer.headers['content-type']), /^text\/plain/);
      }
    },
    spoils: [otherStatus(204), otherText('invalid', 'no'), otherHeader('content-type', 'application/json')],
  })),
  {
    id: '113g',
    title: 'the health routes need none',
    basis: 'R',
    rows: ['behaviour 7.4'],
    run: async (context) => {
      accepted(await context.sidecar.send('/v1.0/healthz', { bare: true }));
      accepted(await context.sidecar.send('/v1.0/healthz/outbound', { bare: true }));
    },
    spoils: [otherStatus(401)],
  },
  {
    id: '113h',
    title: 'with the token: 204',
    basis: 'R',
    rows: ['behaviour 7.4'],
    subscriptions: one,
    run: async (context) => {
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      await context.event();
    },
    spoils: [otherStatus(401), lost],
  },
  {
    id: '81c',
    title: "deliveries and discovery carry the app's token",
    basis: 'R',
    rows: ['behaviour 5.1', 'behaviour 7.4'],
    subscriptions: one,
    run: async (context) => {
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      const [delivery] = await context.arrive();
      const header = context.names.tokenHeader;
      assert.equal(delivery?.headers[header], APP_TOKEN);
      assert.ok(context.app.discoveries().every((asked) => asked.headers[header] === APP_TOKEN));
    },
    spoils: [
      {
        name: 'deliveries have no token',
        delivered: (one_) =>
          otherDeliveryHeader('sidecar-api-token', undefined)
            .delivered?.(one_)
            .flatMap((two) => otherDeliveryHeader('dapr-api-token', undefined).delivered?.(two) ?? []) ?? [],
      },
    ],
  },
];
