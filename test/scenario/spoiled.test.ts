/** Each file of test/scenarios fails when the app answers otherwise: a scenario that cannot fail proves nothing. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../core/adapters/system-clock.ts';
import type { GivenRule } from '../../core/contract/mock-app.ts';
import type { Scenario, Step } from '../../core/contract/scenario.ts';
import { startProduct } from '../../core/host/compose.ts';
import type { Product } from '../../core/host/compose.ts';
import { readOptions } from '../../core/host/options.ts';
import { prepareMock } from '../../core/scenario/prepare.ts';
import { readScenario } from '../../core/scenario/read-file.ts';
import type { Rpc } from '../../core/scenario/rpc.ts';
import { runSteps } from '../../core/scenario/run-steps.ts';
import { connect } from '../../core/testing/connect.ts';

const FOLDER = join(import.meta.dirname, '..', 'scenarios');
const FILES = readdirSync(FOLDER).map((name) => ({ name, scenario: read(join(FOLDER, name)) }));

function read(path: string): Scenario {
  const found = readScenario(readFileSync(path, 'utf8'));
  if (!found.ok) throw new Error(`${path}: ${JSON.stringify(found.mistakes)}`);
  return found.scenario;
}

/** The file with an app that answers the opposite, and is subscribed to everything. */
function spoiled({ subscriptions, ...scenario }: Scenario): Scenario {
  const wantsProcessed = scenario.steps.some((step) => 'expect' in step && step.state === 'processed');
  const isBulk = subscriptions?.some(({ bulkSubscribe }) => bulkSubscribe?.enabled === true) === true;
  const answer: GivenRule['answer'] = wantsProcessed
    ? { kind: 'respond', status: scenario.appProtocol === 'grpc' ? 501 : 404 }
    : isBulk
      ? { kind: 'respond-bulk', status: 200, statuses: 'all-success' }
      : { kind: 'respond', status: 200 };
  const hasSome = subscriptions !== undefined && subscriptions.length > 0;
  return { ...scenario, ...(hasSome ? { subscriptions } : {}), mock: [{ match: {}, answer }] };
}

/** A message that is missing once nothing is running does not come, so no wait is needed. */
function whenSettled(step: Step): readonly Step[] {
  if ('expect' in step || 'drop' in step || 'retry' in step || 'release' in step || 'edit' in step)
    return [{ settle: null }, { ...step, within: '0s' }];
  return [step];
}

describe.each(['http', 'grpc'] as const)('over %s', (protocol) => {
  let product: Product;
  let rpc: Rpc;
  beforeAll(async () => {
    const free = ['--sidecar-port', '--grpc-port', '--app-port', '--console-port'].flatMap((flag) => [
      flag,
      '0',
    ]);
    const flags = ['--headless', '--ephemeral', ...free, '--app-protocol', protocol, '--log-level', 'error'];
    product = await startProduct(readOptions(flags, {}));
    rpc = await connect(product.ready);
  });
  afterAll(async () => {
    rpc.close();
    await product.stop();
  });

  const own = FILES.filter(({ scenario }) => (scenario.appProtocol ?? 'http') === protocol);
  test.each(own)('$name', async ({ scenario }) => {
    for (const [key, value] of Object.entries(scenario.settings ?? {}))
      await rpc.call('settings.set', { key, value });
    await prepareMock(rpc, spoiled(scenario));
    const stage = {
      rpc,
      clock: systemClock(),
      publishGrpc: () => Promise.reject(new Error('no file publishes over gRPC')),
      // A restart keeps what there is, and what is spoiled is the answer.
      restart: () => Promise.resolve(),
    };
    const results = await runSteps(stage, { steps: scenario.steps.flatMap(whenSettled) });
    const failed = results.find(({ status }) => status === 'failed');
    expect(failed?.title).toMatch(/^(expect|drop|retry|release|edit) /);
    for (const key of Object.keys(scenario.settings ?? {}))
      await rpc.call('settings.set', { key, value: null });
    for (const { holdId } of (await rpc.call('holds.list', {})).items)
      await rpc.call('holds.remove', { holdId, release: true });
  });
});

test('there are at least 30 scenarios, and each expects something', () => {
  expect(FILES.length).toBeGreaterThanOrEqual(30);
  for (const { scenario } of FILES) expect(scenario.steps.some((step) => 'expect' in step)).toBe(true);
});
