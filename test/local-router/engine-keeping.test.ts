/** Persistence of the router: deliveries over a crash and a restart, dead letters, refusals while it cannot write (D21, D25). */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../support/manual-clock.ts';
import { engineStand, event } from './engine-stand.ts';

const DEAD_LETTER = {
  deadLetterDestination: { endpointType: 'StorageBlob', properties: { blobContainerName: 'dead' } },
};
function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'sidelight-router-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return path.join(made, 'router');
}

function many(count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, n) => event(`e${n}`));
}

describe('stored state', () => {
  test('D21 after a crash with five running attempts all five are made again', async () => {
    const data = folder();
    const clock = new ManualClock();
    const before = await engineStand({ folder: data, clock });
    await before.subscribe();
    before.script.reply = () => new Promise(() => undefined);
    await before.publish(...many(5));
    await before.settle();
    expect(before.states()).toEqual(Array.from({ length: 5 }, () => 'attempting'));
    // The first life is left as it is, as after a kill: its file is read by the second one.
    const after = await engineStand({ folder: data, clock });
    await after.settle();
    expect(after.seen).toHaveLength(5);
    expect(after.states()).toEqual(Array.from({ length: 5 }, () => 'processed'));
    expect(after.delivery1().transitions.map(({ rule }) => rule)).toContain('restart.requeued');
  });

  test('a wait continues after a restart', async () => {
    const data = folder();
    const clock = new ManualClock();
    const before = await engineStand({ folder: data, clock });
    await before.subscribe();
    before.script.reply = () => 500;
    await before.publish(event());
    await before.pass(12);
    expect(before.times()).toEqual([0, 10]);
    await before.stop();
    const after = await engineStand({ folder: data, clock });
    const startS = 17;
    await after.pass(60);
    expect(after.times().map((seconds) => seconds + startS)).toEqual([40]);
    expect(after.seen[0]?.headers['aeg-delivery-count']).toBe('2');
  });

  test('D25 a dead letter is an array in a tree by name and hour, with what happened to it', async () => {
    const data = folder();
    const stand = await engineStand({ folder: data });
    await stand.subscribe('ordersin', { retryPolicy: { maxDeliveryAttempts: 1 }, ...DEAD_LETTER });
    stand.script.reply = () => 500;
    await stand.publish(event());
    await stand.pass(1);
    const [file] = stand.delivery.service.deadLetters();
    expect(file?.file).toMatch(/^dead\/ORDERSIN\/2026\/1\/2\/3\/[0-9a-f-]+\.json$/);
    expect(JSON.parse(stand.delivery.service.deadLetter(file?.file ?? ''))).toEqual([
      {
        ...event(),
        deadletterreason: 'MaxDeliveryAttemptsExceeded',
        deliveryattempts: 1,
        lastdeliveryoutcome: 'Aborted',
        publishtime: '2026-01-02T03:04:05.000Z',
        lastdeliveryattempttime: '2026-01-02T03:04:05.000Z',
      },
    ]);
    const { mode } = statSync(path.join(data, 'dead-letters', file?.file ?? ''));
    expect(process.platform === 'win32' ? 0 : mode & 0o077).toBe(0);
    expect(() => stand.delivery.service.deadLetter('../ca.key')).toThrow(/no dead-letter file/);
    expect(await stand.delivery.service.removeDeadLetters()).toBe(1);
    expect(readdirSync(path.join(data, 'dead-letters/dead/ORDERSIN/2026/1/2/3'))).toEqual([]);
  });

  test('D25 has dead letters that can go to another topic, and on from there', async () => {
    const stand = await engineStand();
    stand.parts.topics.put({ name: 'poison' });
    const poison = stand.parts.topics.get('poison')?.resourceId ?? '';
    await stand.subscribe('ordersin', {
      retryPolicy: { maxDeliveryAttempts: 1 },
      deadLetterDestination: { endpointType: 'LocalTopic', properties: { topic: 'poison' } },
    });
    await stand.subscribe('poisonin', {}, {}, poison);
    stand.script.reply = ({ request }) => (request.url.endsWith('/ordersin') ? 500 : 200);
    await stand.publish(event());
    await stand.pass(1);
    expect(stand.seen[1]).toMatchObject({
      body: { id: 'e1', deadletterreason: 'MaxDeliveryAttemptsExceeded' },
    });
    expect(stand.states()).toEqual(['processed', 'dead-lettered']);
  });

  test('a store that cannot be written refuses events and loses none', async () => {
    const stand = await engineStand();
    await stand.subscribe();
    stand.parts.store.flush();
    stand.parts.store.read('PRAGMA query_only = ON');
    await expect(stand.publish(event('lost'))).rejects.toMatchObject({ status: 503 });
    stand.parts.store.read('PRAGMA query_only = OFF');
    await stand.publish(event('kept'));
    await stand.pass(5);
    expect(stand.seen.map(({ body }) => (body as { id: string }).id)).toEqual(['kept']);
    expect(stand.delivery.ledger.open).toBe(0);
  });

  test('beyond the backlog a publish is refused', async () => {
    const stand = await engineStand({ delivery: { backlog: 3 } });
    await stand.subscribe();
    stand.script.reply = () => 500;
    expect(stand.delivery.refuses()).toBeUndefined();
    await stand.publish(...many(3));
    await expect(stand.publish(event('one-more'))).rejects.toMatchObject({ status: 503 });
    expect(stand.delivery.refuses()).toBe("the event router's limit of 3 unfinished deliveries is reached");
  });
});
