/** Trouble of a running router: a certificate near its end, a full disk, an endpoint that is down for longer than the schedule. */
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import tls from 'node:tls';
import { Agent, request } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Cancel } from '../../core/ports/clock.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { mountTmpfs } from '../support/small-disk.ts';
import { engineStand, event, noAnswer } from './engine-stand.ts';
import { cloudEvent, wireStand } from './wire-stand.ts';
import type { WireStand } from './wire-stand.ts';

const DAY_S = 86_400;
const DEAD_LETTER = {
  deadLetterDestination: { endpointType: 'StorageBlob', properties: { blobContainerName: 'dead' } },
};

/** Days may pass without each of their hours. */
class LeapingClock extends ManualClock {
  leapMs = 0;

  override now(): number {
    return super.now() + this.leapMs;
  }

  override at(dueMs: number, run: () => void): Cancel {
    return super.at(dueMs - this.leapMs, run);
  }
}

/** Fingerprint of the certificate that a new connection is shown. */
function shownTo(address: string, ca: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const port = Number(new URL(address).port);
    const socket = tls.connect({ port, host: '127.0.0.1', servername: 'localhost', ca }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

describe('F03 a certificate with fewer than 30 days left', () => {
  test('is renewed by the router itself, once', async () => {
    const clock = new LeapingClock();
    const { parts, settle } = await engineStand({ clock });
    const leaf = (): string => parts.certificates.leaf.cert;
    const afterDays = async (days: number): Promise<void> => {
      clock.leapMs += days * DAY_S * 1000;
      clock.advance(3_600_000);
      await settle();
    };
    const first = leaf();
    await afterDays(59);
    expect(leaf()).toBe(first);
    await afterDays(2);
    await expect.poll(leaf).not.toBe(first);
    const second = leaf();
    await afterDays(2);
    expect(leaf()).toBe(second);
  });

  test('is shown to new connections, and no connection is dropped for it', async () => {
    const stand = await wireStand();
    await stand.subscribe();
    const { router, ingress } = stand.router.addresses();
    const ca = stand.router.certificates.caPem();
    const before = [await shownTo(router, ca), await shownTo(ingress, ca)];
    const lost: string[] = [];
    const pool = new Agent({ connect: { ca }, connections: 1, allowH2: false });
    onTestFinished(() => pool.close());
    pool.on('disconnect', (origin) => void lost.push(origin.href));
    // One connection to each, one of them with a request that is being answered while the certificate changes.
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    stand.hook.script.respond = (_request, response) => void held.then(() => response.end());
    const call = async (url: string): Promise<number> => {
      const answer = await request(url, { method: 'OPTIONS', dispatcher: pool });
      await answer.body.dump();
      return answer.statusCode;
    };
    const slow = call(`${ingress}/api/events`);
    await call(`${router}/topics/orders/api/events`);
    await expect.poll(() => stand.hook.seen.length).toBeGreaterThan(1);
    const renewed = await stand.router.certificates.renewLeaf();
    goOn();
    expect(await slow).toBe(200);
    expect(await call(`${ingress}/api/events`)).toBe(200);
    expect(await call(`${router}/topics/orders/api/events`)).toBe(204);
    expect(lost).toEqual([]);
    const after = [await shownTo(router, ca), await shownTo(ingress, ca)];
    expect(new Set(after)).toEqual(new Set([renewed.fingerprint]));
    expect(before).not.toContain(renewed.fingerprint);
    expect((await stand.publish(cloudEvent())).status).toBe(200);
    await expect.poll(() => stand.stored()[0]?.state).toBe('processed');
  });
});

describe('F05 a full disk', () => {
  const disk = mountTmpfs(6);
  test.skipIf(disk === undefined)('publishers get 503, and nothing that was accepted is lost', async () => {
    if (disk === undefined) throw new Error('there is no small disk');
    onTestFinished(() => disk.unmount());
    const folder = path.join(disk.folder, 'router');
    const stand = await wireStand({ folder });
    await stand.subscribe();
    await stand.router.ingress.setFault('503');
    const ballast = path.join(disk.folder, 'ballast');
    const accepted: string[] = [];
    const publish = async (id: string): Promise<number> => {
      const { status } = await stand.publish(cloudEvent(id, { data: 'x'.repeat(20_000) }));
      if (status === 200) accepted.push(id);
      return status;
    };
    for (let n = 0; n < 5; n += 1) expect(await publish(`before-${n}`)).toBe(200);
    const { bavail, bsize } = statfsSync(disk.folder);
    writeFileSync(ballast, Buffer.alloc(Math.max(0, (bavail - 8) * bsize)));
    const statuses: number[] = [];
    for (let n = 0; n < 20 && statuses.at(-1) !== 503; n += 1) statuses.push(await publish(`full-${n}`));
    expect(statuses.at(-1)).toBe(503);
    expect(new Set(statuses.slice(0, -1))).toEqual(statuses.length > 1 ? new Set([200]) : new Set());
    const refused = await stand.publish(cloudEvent('refused', { data: 'x'.repeat(20_000) }));
    expect(refused.text).toMatch(/could not be stored/);
    rmSync(ballast);
    // The router finds the space by itself; who was refused sends again.
    await expect.poll(() => publish('after'), { timeout: 5_000 }).toBe(200);
    await stand.router.ingress.setFault('none');
    await expect.poll(() => unfinished(stand), { timeout: 8_000 }).toBe(0);
    const delivered = stand.hook.events().map(({ body }) => (JSON.parse(body) as { id: string }).id);
    expect(new Set(delivered)).toEqual(new Set(accepted));
    await stand.router.stop();
    const later = await wireStand({ folder });
    expect(new Set(later.stored().map(({ eventId }) => eventId))).toEqual(new Set(accepted));
  });
});

function unfinished(stand: WireStand): number {
  return stand.stored().filter(({ state }) => state !== 'processed').length;
}

describe('an endpoint that is away for longer than the whole schedule', () => {
  test('the event is expired, counted, listed with every attempt, and goes out when a person retries it', async () => {
    const stand = await engineStand();
    await stand.subscribe();
    stand.script.reply = () => ({ ...noAnswer('SocketError'), evr: 'EVR-NET-10' });
    await stand.publish(event());
    await stand.pass(DAY_S + 3600);
    const row = stand.delivery1();
    expect(row).toMatchObject({ state: 'expired', rule: 'router.expired', lastOutcome: 'SocketError' });
    expect(row.history).toHaveLength(row.attempts);
    expect(row.history.every(({ error }) => error?.evr === 'EVR-NET-10')).toBe(true);
    expect(stand.delivery.ledger.counts()).toMatchObject({ expired: 1 });
    stand.script.reply = () => 200;
    await stand.delivery.service.act(row.deliveryId, 'retry');
    await stand.settle();
    expect(stand.delivery1()).toMatchObject({ state: 'processed' });
  });

  test('with a dead-letter destination the event is in a file that can be replayed', async () => {
    const stand = await engineStand();
    await stand.subscribe('ordersin', DEAD_LETTER);
    stand.script.reply = () => 500;
    await stand.publish(event());
    await stand.pass(DAY_S + 3600);
    const row = stand.delivery1();
    expect(row).toMatchObject({ state: 'dead-lettered', deadLetter: { reason: 'TimeToLiveExceeded' } });
    expect(stand.delivery.service.deadLetters()).toMatchObject([
      { deliveryId: row.deliveryId, attempts: row.attempts },
    ]);
    stand.script.reply = () => 200;
    await stand.delivery.service.resend(row.deliveryId);
    await stand.settle();
    expect(stand.states().toSorted()).toEqual(['dead-lettered', 'processed']);
  });
});
