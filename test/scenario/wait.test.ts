/** `sidelight wait`: what it waits for, what it tells when it waited in vain, and its exit statuses. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { UsageError } from '../../core/domain/usage-error.ts';
import { readCommandLine } from '../../core/host/options.ts';
import { waitCommand } from '../../core/host/wait-command.ts';
import { InstanceGone } from '../../core/scenario/rpc.ts';
import { connect } from '../../core/testing/connect.ts';
import { eventually, wholeProduct } from '../event-router/whole-product.ts';
import type { Whole } from '../event-router/whole-product.ts';

let whole: Whole;
beforeAll(async () => {
  whole = await wholeProduct({ set: ['delivery.retry={"maxAttempts":2,"firstDelayMs":1}'] });
  await whole.rpc('mockApp.setSubscriptions', {
    subscriptions: ['orders', 'failing', 'late', 'slow', 'unused'].map((topic) => ({
      pubsubname: 'pubsub',
      topic,
      routes: { default: `/${topic}` },
    })),
  });
  const respond = (topic: string, status: number) => ({
    enabled: true,
    match: { topic },
    answer: { kind: 'respond', status } as const,
  });
  const ask = { enabled: true, match: { topic: 'slow' }, answer: { kind: 'ask' } as const };
  await whole.rpc('mockApp.setRules', { rules: [respond('failing', 503), respond('orders', 200), ask] });
});
afterAll(() => whole.stop());

interface Run {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

async function run(argv: readonly string[], where?: readonly string[]): Promise<Run> {
  const { rpc, token } = whole.product.ready;
  let out = '';
  let err = '';
  const streams = { out: (text: string) => void (out += text), err: (text: string) => void (err += text) };
  const status = await waitCommand([...argv, ...(where ?? ['--rpc', rpc, '--token', token])], {}, streams);
  return { status, out, err };
}

async function publish(topic: string, data: unknown): Promise<string> {
  const { messageId } = await whole.rpc('messages.publish', { pubsubname: 'pubsub', topic, data });
  return messageId;
}

test('an existing message ends the wait, and one line says which matched', async () => {
  const first = await publish('orders', { orderId: 1 });
  const { status, out, err } = await run(['topic:orders', 'state:processed', 'data.orderId:1']);
  expect([status, err]).toEqual([0, '']);
  expect(out).toMatch(
    new RegExp(String.raw`^1 message matched after \d+m?s: message \d+ on orders \(processed, ${first}\)\n$`),
  );
  const newest = await publish('orders', { orderId: 1 });
  const both = await run(['data.orderId:1 state:processed', '--count', '2']);
  expect(both.out).toMatch(
    new RegExp(
      String.raw`^2 messages matched after \d+m?s: the newest is message \d+ on orders \(processed, ${newest}\)\n$`,
    ),
  );
});

test('the wait ends with the last of N messages, and not before', async () => {
  let isOver = false;
  const waiting = run(['topic:late state:processed', '--count', '3', '--json']).then((ended) => {
    isOver = true;
    return ended;
  });
  await publish('late', 1);
  await publish('late', 2);
  await eventually(async () => {
    const { total } = await whole.rpc('messages.list', { filter: 'topic:late state:processed' });
    return total === 2 ? true : undefined;
  }, 'two are processed');
  expect(isOver).toBe(false);
  await publish('late', 3);
  const { status, out } = await waiting;
  expect(status).toBe(0);
  const said: { items: readonly { topic: string }[] } = JSON.parse(out);
  expect(said).toMatchObject({ matched: true, count: 3 });
  expect(said).not.toHaveProperty('nearest');
  expect(said.items.map(({ topic }) => topic)).toEqual(['late', 'late', 'late']);
});

test('a state that a message reaches during the wait counts', async () => {
  const messageId = await publish('slow', {});
  const waiting = run(['topic:slow state:processed']);
  const deliveryId = await eventually(async () => {
    const { items } = await whole.rpc('mockApp.waiting', {});
    return items.find((each) => each.messageId === messageId)?.deliveryId;
  }, 'it waits for an answer');
  await whole.rpc('deliveries.answer', { deliveryId, answer: { kind: 'respond', status: 200 } });
  expect((await waiting).status).toBe(0);
});

test('--since now does not count earlier messages', async () => {
  await publish('orders', { orderId: 2 });
  await run(['topic:orders data.orderId:2 state:processed']);
  const { status, err } = await run(['topic:orders', '--since', 'now', '--timeout', '0']);
  expect(status).toBe(1);
  expect(err).toBe(
    'sidelight: after 0s 0 of 1 message accepted from then on matched: topic:orders\nseen: no message\n',
  );
  const waiting = run(['topic:orders', '--since', 'now', '--json']);
  await eventually(async () => {
    await publish('orders', { orderId: 3 });
    return Promise.race([
      waiting,
      new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined))),
    ]);
  }, 'a new one counts');
  expect((await waiting).status).toBe(0);
});

describe('a wait without a match', () => {
  test.each([
    ['#1', 'id:#1'],
    ['topic:order state:processed', 'topic:orders state:processed'],
    ['topic:ordres', 'topic:orders'],
    // No message of it has come, but a subscription names it.
    ['topic:unusde', 'topic:unused'],
  ])('of %s names the filter that was probably meant', async (filter, meant) => {
    await publish('orders', {});
    await run(['topic:orders state:processed']);
    const { status, err } = await run([filter, '--timeout', '0']);
    expect([status, err]).toEqual([
      1,
      expect.stringContaining(`matched: ${filter}\nDid you mean: ${meant}\n`),
    ]);
    const { out } = await run([filter, '--timeout', '0', '--json']);
    expect(JSON.parse(out)).toMatchObject({ meant });
  });

  test('of a state that no message has refuses the filter with the states that were probably meant', async () => {
    await expect(run(['state:failed'])).rejects.toThrow(/state:parked,dead-lettered,dropped/);
  });

  test('names no other filter where some messages match', async () => {
    await publish('orders', {});
    await run(['topic:orders state:processed']);
    const { err } = await run(['topic:orders', '--count', '9999', '--timeout', '0']);
    expect(err).not.toContain('Did you mean');
  });

  test('writes to stderr what was seen, the nearest messages, the failed condition, and the rules that stopped them', async () => {
    await publish('failing', { orderId: 9 });
    await run(['topic:failing state:parked']);
    const { status, out, err } = await run([
      'topic:failing state:processed data.orderId:9',
      '--timeout',
      '0',
      '--since',
      'start',
    ]);
    expect(status).toBe(1);
    expect(out).toBe('');
    const [first, seen, ...story] = err.trimEnd().split('\n');
    expect(first).toBe(
      'sidelight: after 0s 0 of 1 message matched: topic:failing state:processed data.orderId:9',
    );
    expect(seen).toMatch(/^seen: \d+ messages: 1 on failing \(1 parked\), \d+ on orders \(\d+ processed\)/);
    expect(story.slice(0, 8)).toEqual([
      expect.stringMatching(/^nearest, but not state:processed \(msg_\w+\):$/),
      expect.stringMatching(/^ {2}message \d+ on failing$/),
      '    to app at /failing: parked after 2 attempts',
      '      Accepted for the app. (queued by policy.accepted)',
      '      attempt 1: The app answered 503: to be retried. A warning was logged. (retrying by single.other, next after 1 ms)',
      '      attempt 2: The app answered 503; attempt 2 was the last one allowed. A warning was logged. (retrying by single.other)',
      '      All 2 attempts used; the last answer was 503. Parked: retry, replay or drop it. (parked by policy.exhausted)',
      expect.stringMatching(/^nearest, but not topic:failing data\.orderId:9 \(msg_\w+\):$/),
    ]);
  });

  test('writes the same with --json for a program', async () => {
    const messageId = await publish('failing', { orderId: 10 });
    await run(['data.orderId:10 state:parked']);
    const { status, out } = await run(['state:processed data.orderId:10', '--timeout', '0', '--json']);
    expect(status).toBe(1);
    const said: { nearest: readonly unknown[] } = JSON.parse(out);
    expect(said).toMatchObject({ matched: false, count: 0, items: [] });
    expect(said.nearest).toContainEqual({
      messageId,
      failed: ['state:processed'],
      why: ['policy.exhausted'],
    });
  });

  test('names an older message that fails one condition alone', async () => {
    const messageId = await publish('failing', { orderId: 500 });
    await run(['data.orderId:500 state:parked']);
    await Promise.all([...Array(210).keys()].map((n) => publish('orders', { newer: n })));
    const { out } = await run([
      '(topic:failing OR topic:x) data.orderId:500 state:processed',
      '--timeout',
      '0',
      '--json',
    ]);
    const said: { nearest: readonly unknown[] } = JSON.parse(out);
    expect(said.nearest[0]).toEqual({ messageId, failed: ['state:processed'], why: ['policy.exhausted'] });
  });

  test('has the story of a message of megabytes too', async () => {
    await publish('failing', { orderId: 11, text: 'x'.repeat(4_000_000) });
    await run(['data.orderId:11 state:parked']);
    const { status, err } = await run(['state:processed data.orderId:11', '--timeout', '0']);
    expect([status, err]).toEqual([1, expect.stringContaining('parked by policy.exhausted')]);
  });

  test('includes one with too few matches, and counts those', async () => {
    const { status, err } = await run(['topic:failing state:parked', '--count', '99', '--timeout', '0']);
    expect(status).toBe(1);
    expect(err).toMatch(/^sidelight: after 0s [1234] of 99 messages matched: topic:failing state:parked\n/);
  });

  test('tells one message of each kind, and says when only the newest were looked at', async () => {
    for (const n of [1, 2, 3, 4]) await publish('failing', { alike: 'yes', n });
    await run(['data.alike:yes state:parked', '--count', '4']);
    const alike = await run(['topic:failing state:processed', '--timeout', '0']);
    expect(alike.err.match(/^nearest, but not state:processed \(msg_\w+\):$/gm)).toHaveLength(1);

    await Promise.all([...Array(200).keys()].map((n) => publish('orders', { many: n })));
    const { err } = await run(['topic:failing state:processed', '--timeout', '0']);
    expect(err).toContain('\nseen: the newest 200 messages: 200 on orders (');
  });
});

describe('a wait without an instance', () => {
  test.each([
    ['nothing listens there', ['--rpc', 'http://127.0.0.1:1/rpc', '--token', 'T'], 'nothing answers at'],
  ])('ends with 3 if %s', async (_what, where, text) => {
    const { status, err } = await run(['topic:x'], where);
    expect(status).toBe(3);
    expect(err).toContain(text);
  });

  test('a token may begin with dashes, as one of 64 does', async () => {
    for (const token of ['-Xy', '--Xy']) {
      const asked = run(['topic:x'], ['--rpc', whole.product.ready.rpc, '--token', token]);
      await expect(asked).rejects.toThrow('does not accept this token');
    }
  });

  test('ends with 3 if none is found', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sidelight-wait-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const { status, err } = await run(['topic:x'], ['--data-dir', folder]);
    expect(status).toBe(3);
    expect(err).toContain('no running instance was found');
  });

  test('ends with 3 if the instance ends during the wait', async () => {
    const other = await wholeProduct();
    const { rpc, token } = other.product.ready;
    const waiting = run(['topic:x', '--timeout', '60s'], ['--rpc', rpc, '--token', token]);
    await other.rpc('filter.check', { filter: '' });
    await other.stop();
    const { status, err } = await waiting;
    expect(status).toBe(3);
    expect(err).toMatch(/^sidelight: (the instance at|nothing answers at) /);
  });

  test('an address that takes the connection and answers nothing has no instance', async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    onTestFinished(() => server.close());
    const { port } = server.address() as AddressInfo;
    const asked = connect({ rpc: `http://127.0.0.1:${port}/rpc`, token: 'T' }, undefined, 50);
    await expect(asked).rejects.toThrow(InstanceGone);
    await expect(asked).rejects.toThrow(`nothing answers at http://127.0.0.1:${port}/rpc, which took`);
  });

  test('ends with 3 if the connection is cut', async () => {
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { status } = await run(['topic:x'], ['--rpc', `http://127.0.0.1:${port}/rpc`, '--token', 'T']);
    expect(status).toBe(3);
  });
});

test.each([
  [[], 'wait needs a filter'],
  [['topc:orders'], 'the filter cannot be read. Unknown key "topc" at 1–4. Did you mean "topic"?'],
  [
    ['state:failed'],
    'Expected a state after "state:" at 7, found "failed". Did you mean "state:parked,dead-lettered,dropped"?',
  ],
  [['status:RETRY'], 'Expected a number after "status:" at 8, found "RETRY". Did you mean "answer:RETRY"?'],
  [['topic:x', '--count', '0'], '--count must be a whole number of at least 1, got "0"'],
  [['topic:x', '--timeout', '10'], '--timeout must be a duration such as 500ms, 10s or 2m, got "10"'],
  [['topic:x', '--timeout=-1s'], '--timeout must be a duration'],
  [['topic:x', '--since', 'then'], '--since must be start or now, got "then"'],
  [['topic:x', '--cuont', '1'], 'unknown flag --cuont, did you mean --count?'],
])('%j is bad usage: %s', async (argv, text) => {
  const failing = run(argv);
  await expect(failing).rejects.toBeInstanceOf(UsageError);
  await expect(failing).rejects.toThrow(text);
});

test('a wrong token is bad usage', async () => {
  const { rpc } = whole.product.ready;
  await expect(run(['topic:x'], ['--rpc', rpc, '--token', 'wrong'])).rejects.toThrow(
    /does not accept this token/,
  );
});

test('--help lists the flags; the command line hands everything after the word over', async () => {
  expect((await run(['--help'])).out).toContain('--timeout DURATION');
  expect(readCommandLine(['wait', '-app:mock', '--json'], {})).toEqual({
    kind: 'wait',
    argv: ['-app:mock', '--json'],
  });
});
