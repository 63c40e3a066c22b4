/** Two apps with a sidecar each in one product. */
import assert from 'node:assert/strict';
import type { Case, SecondApp } from '../suite/case.ts';
import { one } from '../suite/case.ts';
import type { Context } from '../suite/case.ts';
import { accepted } from '../suite/checks.ts';
import { lost, otherStatus, twice } from '../suite/spoiler.ts';

const secondOf = (context: Context): SecondApp => context.second ?? assert.fail('there is no second app');

export const twoAppCases: readonly Case[] = [
  {
    id: 'x9',
    title: 'every app that subscribes gets every message, whichever sidecar took it',
    basis: 'S',
    rows: ['publish.every-consumer'],
    subscriptions: one,
    run: async (context) => {
      const second = secondOf(context);
      accepted(await context.sidecar.publish(context.topic(), 'by the first'));
      accepted(await second.sidecar.publish(context.topic(), 'by the second'));
      for (const app of [context.app, second.app]) {
        const seen = await app.log.until(
          context.path(),
          (found) => found.length >= 2,
          'both messages',
          context.patienceMs,
        );
        assert.deepEqual(seen.map((delivery) => String(delivery.json()['data'])).toSorted(), [
          'by the first',
          'by the second',
        ]);
      }
    },
    spoils: [otherStatus(404), lost, twice],
  },
  {
    id: 'x10',
    title: 'an answer of one app concerns its own delivery only',
    basis: 'S',
    rows: ['publish.every-consumer', 'single.other'],
    subscriptions: one,
    run: async (context) => {
      const second = secondOf(context);
      second.app.script(context.path(), { status: 500 }, { status: 200 });
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      await second.app.log.until(context.path(), (found) => found.length >= 2, 'a retry', context.patienceMs);
      await context.fence();
      assert.equal(context.seen().length, 1);
    },
    spoils: [lost, twice],
  },
];
