/** Files that change while it runs, policies that are refused or run out, health that flaps, a stop in the middle of a call. */
import assert from 'node:assert/strict';
import type { Case, Context } from '../suite/case.ts';
import { accepted, listOf, objectOf, refused, staysAt } from '../suite/checks.ts';
import { consoleOf, deliveryOf, namedInComponents, untilState } from '../suite/console-checks.ts';
import { listing } from '../suite/configuration.ts';
import { ready } from '../suite/discovery.ts';
import { documentsOf } from '../suite/files.ts';
import { publish, went } from '../suite/grpc-checks.ts';
import {
  heardRetry,
  heardSuccess,
  lost,
  otherStatus,
  otherText,
  toldOtherwise,
  twice,
} from '../suite/spoiler.ts';

/** Routes of the case's topic in the metadata. */
const routesOf = async (context: Context): Promise<string> => {
  const body = objectOf((await context.sidecar.send('/v1.0/metadata')).json());
  const all = body['subscriptions'] === undefined ? [] : listOf(body['subscriptions']).map(objectOf);
  return JSON.stringify(all.filter(({ topic }) => topic === context.topic()));
};

const declaredAt = (context: Context, path: string): string => {
  const { declared } = documentsOf({ names: context.names, appUrl: '' });
  const spec = { pubsubname: context.component, topic: context.topic(), routes: { default: path } };
  return JSON.stringify(declared('v2alpha1', context.topic().toLowerCase().replaceAll('_', '-'), spec));
};

/** Cases of release 1.18 that need nothing but a component in memory. */
export const releaseBaseCases: readonly Case[] = [
  {
    id: 'V9',
    title: 'no topic: code and reason of the release',
    basis: 'R',
    rows: ['release.reasons'],
    run: async (context) => {
      const { isNewer, reasonPrefix } = context.names;
      const answer = await context.sidecar.send(`/v1.0/publish/${context.component}`, { method: 'POST' });
      const body = refused(answer, 404, isNewer ? 'ERR_TOPIC_NAME_EMPTY' : 'ERR_TOPIC_EMPTY');
      const reasons = listOf(body['details']).map((each) => objectOf(each)['reason']);
      assert.ok(reasons.includes(`${reasonPrefix}${isNewer ? 'TOPIC_NAME_EMPTY' : 'TOPICNAME_EMPTY'}`));
    },
    spoils: [otherStatus(400), otherText(/TOPIC_?NAME_EMPTY"/g, 'X"')],
  },
];

/** On the policies of `releaseFiles`. */
export const releasePolicyCases: readonly Case[] = [
  {
    id: 'V34',
    title: '404 under a policy of retries: one call',
    basis: 'R',
    rows: ['release.not-found'],
    subscriptions: (own) => [own.subscription('t', { pubsubname: 'five' })],
    run: async (context) => {
      context.app.script(context.path(), { status: 404 });
      accepted(await context.sidecar.publish(context.topic(), 'hi', { component: 'five' }));
      await staysAt(context, 1);
    },
    spoils: [heardRetry, twice],
  },
  {
    id: 'V57',
    title: 'an attempt that runs out of time: the copy on the dead-letter topic arrives all the same',
    basis: 'R',
    rows: ['behaviour 5.3'],
    subscriptions: (own) => [
      own.subscription('t', { pubsubname: 'hasty', deadLetterTopic: own.topic('dead') }),
      own.subscription('dead', { pubsubname: 'hasty' }),
    ],
    run: async (context) => {
      context.app.script(context.path(), 'hang');
      accepted(await context.sidecar.publish(context.topic(), 'hi', { component: 'hasty' }));
      await context.arrive(1, 'dead');
      assert.equal(context.seen().length, 1);
    },
    spoils: [heardSuccess, twice],
  },
];

/** On the components of `componentFiles`. */
export const changingFileCases: readonly Case[] = [
  {
    id: 'V31',
    title:
      'a subscription file that is added, changed and removed while it runs: each acts without a restart',
    basis: 'R',
    rows: ['behaviour 10'],
    needsFiles: true,
    run: async (context) => {
      const { files } = context;
      assert.ok(files !== undefined, 'no folder');
      const name = `${context.topic()}.yaml`;
      for (const part of ['one', 'two']) {
        await files.write(name, declaredAt(context, context.path(part)));
        const wanted = context.path(part);
        await context.poll(
          async () => routesOf(context),
          (text) => text.includes(wanted),
          `route ${wanted}`,
        );
        accepted(await context.sidecar.publish(context.topic(), part));
        await context.arrive(1, part);
      }
      await files.remove(name);
      await context.poll(
        async () => routesOf(context),
        (text) => text === '[]',
        'the end of the subscription',
      );
    },
    spoils: [lost, otherText(/one|two/g, 'three')],
  },
  {
    id: 'V32',
    title:
      'a policy that changes while a delivery retries holds for the next attempt, and the port stays open',
    basis: 'Take',
    rows: ['behaviour 5.3'],
    needsFiles: true,
    subscriptions: (own) => [
      own.subscription('t', { pubsubname: 'patient', deadLetterTopic: own.topic('dead') }),
      own.subscription('dead', { pubsubname: 'patient' }),
    ],
    run: async (context) => {
      const { files } = context;
      assert.ok(files !== undefined, 'no folder');
      const { resiliency } = documentsOf({ names: context.names, appUrl: '' });
      const policy = (maxRetries: number): string =>
        JSON.stringify({
          ...Object(
            resiliency({
              policies: { retries: { slow: { policy: 'constant', duration: '50ms', maxRetries } } },
              targets: { components: { patient: { inbound: { retry: 'slow' } } } },
            }),
          ),
          metadata: { name: 'patient' },
        });
      context.app.script(context.path(), { status: 500 });
      await files.write('patient.yaml', policy(-1));
      try {
        accepted(await context.sidecar.publish(context.topic(), 'hi', { component: 'patient' }));
        await context.arrive(3);
        await files.write('patient.yaml', policy(1));
        await context.arrive(1, 'dead');
        accepted(await context.sidecar.send('/v1.0/healthz'));
      } finally {
        await files.write('patient.yaml', policy(-1));
      }
    },
    spoils: [heardSuccess, otherStatus(500)],
  },
  ...(
    [
      ['V52a', 'odd-blanks', '500 - 599'],
      ['V52b', 'odd-number', '99'],
      ['V52c', 'odd-word', '5xx'],
    ] as const
  ).map(([id, component, value]): Case => ({
    id,
    title: `statuses "${value}" in a policy: it is refused, and the general policy holds`,
    basis: 'R',
    rows: ['release.matching'],
    subscriptions: (own) => [own.subscription('t', { pubsubname: component })],
    run: async (context) => {
      context.app.script(context.path(), { status: 400 });
      accepted(await context.sidecar.publish(context.topic(), 'hi', { component }));
      await staysAt(context, context.running.maxAttempts);
    },
    spoils: [heardSuccess, twice],
  })),
  {
    id: 'V52d',
    title: 'the refused policies are told with their values',
    basis: 'Take',
    rows: ['release.matching'],
    needsConsole: true,
    run: (context) => namedInComponents(context, ['500 - 599', '99', '5xx']),
    spoils: [toldOtherwise('5xx', '500')],
  },
  {
    id: 'V55',
    title: 'attempts used up, and the dead-letter topic is forbidden: parked, with that reason',
    basis: 'Take',
    rows: ['behaviour 5.3'],
    needsConsole: true,
    subscriptions: (own) => [
      own.subscription('t', { pubsubname: 'guarded-dead', deadLetterTopic: 'locked' }),
    ],
    run: async (context) => {
      context.app.script(context.path(), { status: 500 });
      accepted(await context.sidecar.publish(context.topic(), 'hi', { component: 'guarded-dead' }));
      const delivery = await deliveryOf(context, await untilState(context, 'parked'));
      const notes = listOf(delivery['transitions']).flatMap((each) => {
        const { note } = objectOf(each);
        return typeof note === 'string' ? [note] : [];
      });
      assert.ok(
        notes.some((note) => note.includes('not allowed')),
        notes.join(' | '),
      );
      assert.equal(context.seen().length, context.running.maxAttempts);
    },
    spoils: [heardSuccess, toldOtherwise('not allowed', 'fine')],
  },
  {
    id: 'V56',
    title:
      'DROP, and the dead-letter topic is forbidden: one call, dropped, and the history says why there is no copy',
    basis: 'Take',
    rows: ['behaviour 5.3'],
    needsConsole: true,
    subscriptions: (own) => [
      own.subscription('t', { pubsubname: 'guarded-dead', deadLetterTopic: 'locked' }),
    ],
    run: async (context) => {
      context.app.script(context.path(), { status: 200, body: '{"status":"DROP"}' });
      accepted(await context.sidecar.publish(context.topic(), 'hi', { component: 'guarded-dead' }));
      const delivery = await deliveryOf(context, await untilState(context, 'dropped'));
      assert.ok(JSON.stringify(delivery['transitions']).includes('could not be published'));
      await staysAt(context, 1);
    },
    spoils: [heardRetry, toldOtherwise('could not be published', 'was published')],
  },
];

/** Discovery answers 500, later the list; a file subscribes to `declared-alone`. */
export const secondDiscoveryCases: readonly Case[] = [
  {
    id: 'V23',
    title: 'discovery answers 500: the file counts from the start; when the app is back it is asked again',
    basis: 'Take',
    rows: ['release.empty-discovery'],
    run: async (context) => {
      const { app, names, component } = context;
      await ready(context);
      accepted(await context.sidecar.publish('declared-alone', 'hi'));
      await app.log.until('/declared-alone', (seen) => seen.length > 0, 'the message', context.patienceMs);
      await app.close();
      await context.later(600);
      const own = { pubsubname: component, topic: context.topic(), routes: { default: context.path() } };
      app.script(names.discoveryPath, listing([own]));
      await app.open(context.appPort);
      await context.poll(
        async () => routesOf(context),
        (text) => text.includes(context.path()),
        'the new subscription',
      );
    },
    spoils: [lost],
  },
];

/** A component name in two files. */
export const duplicateNameCases: readonly Case[] = [
  {
    id: 'V30',
    title: 'a component name in two files: the problem names both',
    basis: 'R',
    rows: ['behaviour 10'],
    needsConsole: true,
    run: (context) => namedInComponents(context, ['double', 'one.yaml', 'two.yaml']),
    spoils: [toldOtherwise('one.yaml', 'a.yaml')],
  },
];

/** Lines that a spoil has made up so far. */
let said = 0;

/** How often the log says by now that the app is not healthy. */
const unhealthyLines = async (context: Context): Promise<number> => {
  const { items } = await consoleOf(context).call('logs.list', { level: 'warn', limit: 200 });
  const texts = listOf(items).map((each) => String(objectOf(each)['text']));
  return texts.filter((text) => text.includes('is not healthy')).length;
};

/** Turns health checks on, with a good answer that is never late. A change of the setting is what the next probe comes by. */
const probeAgain = async (context: Context, turn: number): Promise<void> => {
  const value = {
    enabled: true,
    path: '/healthz',
    intervalMs: 60_000 + turn,
    timeoutMs: 60_000,
    threshold: 3,
  };
  await consoleOf(context).call('settings.set', { key: 'app.health', value });
};

/** Health checks that a person turns on. */
export const flappingCases: readonly Case[] = [
  {
    id: 'V46',
    title: 'failed and good probes in turn: the app stays healthy',
    basis: 'Take',
    rows: ['behaviour 5.5'],
    needsConsole: true,
    run: async (context) => {
      let [turn, probes] = [0, 0];
      const probed = async (times: number, status: (probe: number) => number): Promise<void> => {
        probes = 0;
        context.app.script('/healthz', () => ({ status: status((probes += 1)) }));
        await context.poll(
          async () => {
            await probeAgain(context, (turn += 1));
            return probes;
          },
          (count) => count >= times,
          `${times} probes`,
        );
      };
      try {
        // The answer to the first one has been heard when the second one comes.
        await probed(2, () => 200);
        const before = await unhealthyLines(context);
        await probed(9, (probe) => (probe % 2 === 1 ? 503 : 200));
        assert.equal(await unhealthyLines(context), before);
      } finally {
        context.app.script('/healthz', { status: 200 });
        await consoleOf(context).call('settings.set', { key: 'app.health', value: null });
      }
    },
    spoils: [
      {
        name: 'the log says each time once more that the app is not healthy',
        told: (result) => ({
          ...result,
          items: Array.from({ length: (said += 1) }, () => ({ text: 'App checkout is not healthy.' })),
        }),
      },
    ],
  },
];

/** Health checks of the app every 50 ms. */
export const unhealthyStreamCases: readonly Case[] = [
  {
    id: 'G83b',
    title: 'an app that is not healthy: streams go on',
    basis: 'R',
    rows: ['grpc.streams'],
    needsGrpc: true,
    run: async (context) => {
      const probes = (): number => context.app.log.at('/healthz').length;
      const from = probes();
      context.app.script('/healthz', { status: 503 });
      await context.poll(
        async () => Promise.resolve(probes() - from),
        (count) => count >= 5,
        'five probes',
      );
      const stream = context.grpc.stream();
      stream.send({ initial_request: { pubsub_name: context.component, topic: context.topic() } });
      went(await context.within(stream.next(), 'the first message of the stream'));
      went(await publish(context, 'hi'));
      const event = went(await context.within(stream.next(), 'the event'));
      assert.equal(event['kind'], 'event_message');
      stream.end();
      context.app.script('/healthz', { status: 200 });
    },
    spoils: [{ name: 'the sidecar ends every call', replied: (answer) => ({ ...answer, code: 'INTERNAL' }) }],
  },
];

/** The process is told to stop in the middle of a call. */
export const stopCases: readonly Case[] = [
  {
    id: 'V58',
    title: 'SIGTERM during a call that then goes well: no copy, no second call, and the process ends with 0',
    basis: 'R',
    rows: ['behaviour 7.3'],
    subscriptions: (own) => [
      own.subscription('t', { deadLetterTopic: own.topic('dead') }),
      own.subscription('dead'),
    ],
    run: async (context) => {
      const { ended, pid } = context.running;
      assert.ok(ended !== undefined && pid !== undefined, 'the process is not ours to watch');
      let answerNow: () => void = () => undefined;
      const wait = new Promise<void>((go) => (answerNow = go));
      context.app.script(context.path(), async () => {
        await wait;
        return { status: 200 };
      });
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      await context.arrive();
      process.kill(pid, 'SIGTERM');
      await context.later(100);
      answerNow();
      assert.equal(await context.within(ended, 'the end of the process'), 0);
      assert.deepEqual([context.seen().length, context.seen('dead').length], [1, 0]);
    },
    spoils: [twice],
  },
];

/** The Redis server is ended by the case; a policy tries publishes three times. */
export const outboundCases: readonly Case[] = [
  {
    id: 'V54',
    title: 'a publish while Redis is down: tried as often as its policy says, then 500',
    basis: 'R',
    rows: ['release.matching'],
    run: async (context) => {
      const { redis } = context;
      assert.ok(redis !== undefined, 'no Redis');
      await ready(context);
      await redis.kill();
      const from = performance.now();
      const body = refused(
        await context.sidecar.publish(context.topic(), 'hi', { component: 'tried-again' }),
        500,
        'ERR_PUBSUB_PUBLISH_MESSAGE',
      );
      assert.ok(String(body['message']).includes('tried-again'));
      // Two waits of 300 ms lie between three tries.
      assert.ok(performance.now() - from >= 590, 'it was not tried three times');
      // The component's policy waits longer than the suite does: only a single try is answered in time.
      const single = context.sidecar.publish(context.topic(), 'hi', { component: 'not-listed' });
      refused(await context.within(single, 'the refusal'), 500, 'ERR_PUBSUB_PUBLISH_MESSAGE');
    },
    spoils: [otherStatus(204), otherText('tried-again', 'other')],
  },
];
