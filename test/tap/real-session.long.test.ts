// A session with the real sidecar, recorded through a tap and made a scenario, passes offline on our own runtime.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ToTestResult } from '../../core/contract/recording.ts';
import { testCommand } from '../../core/host/test-command.ts';
import type { Product } from '../e2e/product.ts';
import { productInProcess } from '../support/in-process.ts';
import { redisFolder } from '../support/reference-redis.ts';
import { whyNoRedis } from '../support/redis-server.ts';
import { freeBase, startRealSidecar, WHY_NO_REFERENCE } from '../support/reference.ts';
import { exported } from './stand-in-sidecar.ts';
import { grpcSessionApp, httpSessionApp } from './real-session.ts';
import type { SessionApp } from './real-session.ts';

/** Redis hands a message over again after this time. */
const AGAIN_MS = 1_000;
const SILENT = 'a delivery of it is retrying, and its sidecar has not sent it again';

interface Session {
  readonly version: string;
  readonly resources: string | undefined;
  readonly app: SessionApp;
}

/** A tap between the app and a real sidecar. Resolves once everything was published and has come to its end. */
async function recordedSession({ version, resources, app }: Session): Promise<Product> {
  const port = await freeBase();
  const tap = await productInProcess({
    command: 'tap',
    flags: [
      ...['--ephemeral', '--app-id', 'shop', '--app-url', app.url, '--tap-app-port', '0'],
      ...['--sidecar-url', `http://127.0.0.1:${port}`, '--tap-sidecar-port', '0'],
      ...['--sidecar-grpc', `127.0.0.1:${port + 1_000}`, '--tap-grpc-port', '0'],
    ],
  });
  onTestFinished(() => tap.kill());
  const at = tap.ready.taps?.[0];
  if (at?.grpcPort === undefined) throw new Error('the ready line has no tap with gRPC');
  const { appPort, sidecarPort, grpcPort } = at;
  const real = await startRealSidecar({
    version,
    port,
    appPort,
    ...(resources === undefined ? {} : { resources }),
    flags: ['--app-protocol', app.protocol],
  });
  onTestFinished(() => real.stop());
  await tap.when('all subscriptions are served', async () => {
    const { items } = await tap.rpc('taps.list', {});
    return items[0]?.subscriptions.length === app.counts.subscriptions && items[0].problems.length === 0
      ? true
      : undefined;
  });
  expect(await app.publish({ sidecarPort, grpcPort })).toEqual([]);
  const { published, forNobody } = app.counts;
  await tap.when('everything has come to its end', async () => {
    const count = async (filter: string) => (await tap.rpc('messages.list', { filter })).total;
    const isOver =
      (await count('')) >= published &&
      (await count('state:unseen')) === forNobody &&
      (await count('state:retrying')) === leftBy(version, app) &&
      (await count('state:queued,attempting')) === 0;
    return isOver ? true : undefined;
  });
  return tap;
}

/** Messages that stay without an end: from 1.14 on a sidecar without a policy tries once. */
function leftBy(version: string, { counts }: SessionApp): number {
  return version === '1.13.6' ? 0 : counts.sentAgain;
}

/** Runs the files as `sidelight test` does. */
async function run(files: ToTestResult['files']): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sidelight-recorded-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const paths = files.map(({ name }) => join(folder, name));
  await Promise.all(files.map(({ name, text }) => writeFile(join(folder, name), text)));
  let said = '';
  const { signal } = new AbortController();
  const status = await testCommand(paths, { out: (text) => void (said += text), env: process.env, signal });
  return `exit ${status}\n${said}`;
}

/** The text of a test. A recording tells the release of its sidecar only where something came of it that another would not do. */
function withoutProfile({ text }: ToTestResult['files'][number]): string {
  return text.replace(/^profile: .*$/m, '');
}

describe.skipIf(WHY_NO_REFERENCE !== undefined)(
  `recorded beside the real sidecar${WHY_NO_REFERENCE === undefined ? '' : `: ${WHY_NO_REFERENCE}`}`,
  () => {
    const whyNot = whyNoRedis();
    const all = ['1.13.6', '1.18.3'].flatMap((version) =>
      (['in memory', 'Redis'] as const).flatMap((broker) =>
        (['HTTP', 'gRPC'] as const).map((protocol) => [version, broker, protocol] as const),
      ),
    );
    test.each(all.filter(([, broker]) => broker === 'in memory' || whyNot === undefined))(
      '%s, %s, %s: the same answers lead to the same ends offline',
      async (version, broker, protocol) => {
        const app = await (protocol === 'HTTP' ? httpSessionApp() : grpcSessionApp());
        const resources = broker === 'Redis' ? await redisFolder(AGAIN_MS) : undefined;
        const tap = await recordedSession({ version, resources, app });
        const text = await exported(tap);
        const later = await productInProcess();
        onTestFinished(() => later.kill());
        const { recordingId } = await later.rpc('recordings.import', { name: 'session', text });
        const reasons: string[] = [];
        // A test has at most 50 messages.
        for (const filter of ['topic:plain', 'NOT topic:plain']) {
          const made = await later.rpc('recordings.toTest', { recordingId, filter, name: 'Session' });
          const live = await tap.rpc('recordings.toTest', { filter, name: 'Session' });
          expect(made.files.map(withoutProfile)).toEqual(live.files.map(withoutProfile));
          expect(await run(made.files)).toContain('exit 0\nok   Session');
          reasons.push(...made.skipped.map(({ reason }) => reason));
        }
        expect(reasons).toEqual(Array.from({ length: leftBy(version, app) }, () => SILENT));
      },
      180_000,
    );
  },
);
