/** The server on a real port: body limit, broken requests, a port in use, orderly close. */
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { edgeOf, listeningEdge } from './fake-sidecar.ts';

async function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let got = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk) => (got += chunk.toString()));
    socket.on('close', () => resolve(got));
    socket.on('error', reject);
  });
}

describe('body limit', () => {
  test('a body of exactly the limit is accepted, and one byte more is answered with 400 as text', async () => {
    const { server, fake } = await listeningEdge();
    const url = `${server.url}/v1.0/publish/pubsub/orders`;
    const fits = await fetch(url, { method: 'POST', body: Buffer.alloc(4_194_304) });
    expect([fits.status, fake.published[0]?.body.length]).toEqual([204, 4_194_304]);
    const over = await fetch(url, { method: 'POST', body: Buffer.alloc(4_194_305) });
    expect(over.status).toBe(400);
    expect(over.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(await over.text()).toBe('error reading request body: stream too large\n');
    expect(fake.published).toHaveLength(1);
  });

  test('a body of unknown length has the limit too, which follows the setting, and 0 means none', async () => {
    let limit = 10;
    const { server, fake } = await listeningEdge({ maxBodyBytes: () => limit });
    const send = async (size: number): Promise<number> => {
      const stream = new ReadableStream({
        start(controller) {
          controller.enqueue(new Uint8Array(size));
          controller.close();
        },
      });
      const init: RequestInit & { duplex: 'half' } = { method: 'POST', body: stream, duplex: 'half' };
      return (await fetch(`${server.url}/v1.0/publish/pubsub/orders`, init)).status;
    };
    expect(await send(10)).toBe(204);
    expect(await send(11)).toBe(400);
    limit = 0;
    expect(await send(5_000_000)).toBe(204);
    expect(fake.published.map((one) => one.body.length)).toEqual([10, 5_000_000]);
  });
});

test('a client that sends Expect: 100-continue is told to continue', async () => {
  const { server, fake } = await listeningEdge();
  const got = await new Promise<string>((resolve, reject) => {
    let text = '';
    const socket = connect(server.port, '127.0.0.1');
    socket.write(
      'POST /v1.0/publish/a/b HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 2\r\nconnection: close\r\n\r\n',
    );
    socket.on('data', (chunk) => {
      if (text === '') socket.write('hi');
      text += chunk.toString();
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
  expect(got).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 204 /);
  expect(fake.published.map(({ body }) => body.toString())).toEqual(['hi']);
});

describe('requests that cannot be read', () => {
  test('are answered with 400 and leave the server as it was', async () => {
    const { server } = await listeningEdge();
    expect(await raw(server.port, 'HELLO\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
    const huge = `GET /v1.0/metadata HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`;
    expect(await raw(server.port, huge)).toMatch(/^HTTP\/1\.1 431 /);
    const cut =
      'POST /v1.0/publish/a/b HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\nconnection: close\r\n\r\nabcdefgh';
    expect(await raw(server.port, cut)).toMatch(/^HTTP\/1\.1 /);
    const absolute = 'GET http://x/v1.0//healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
    expect(await raw(server.port, absolute)).toMatch(/^HTTP\/1\.1 204 /);
    expect((await fetch(`${server.url}/v1.0/healthz`)).status).toBe(204);
  });

  test('publish nothing if the client disconnects in the middle of a body', async () => {
    const { server, fake } = await listeningEdge();
    const socket = connect(server.port, '127.0.0.1');
    socket.write('POST /v1.0/publish/a/b HTTP/1.1\r\nhost: x\r\ncontent-length: 500\r\n\r\nabc');
    await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
    socket.destroy();
    expect((await fetch(`${server.url}/v1.0/healthz`)).status).toBe(204);
    expect(fake.published).toEqual([]);
  });
});

describe('life', () => {
  test('a port in use rejects with its code', async () => {
    const first = await listeningEdge();
    const second = edgeOf({ port: first.server.port });
    await expect(second.server.start()).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await second.server.close();
  });

  test('a server has no address before its start, and its close waits for a running answer', async () => {
    const edge = edgeOf();
    expect(() => edge.server.url).toThrow(/does not listen/);
    let release: (() => void) | undefined;
    let asked: (() => void) | undefined;
    const reached = new Promise<void>((resolve) => (asked = resolve));
    edge.fake.view.publish = async () => {
      asked?.();
      await new Promise<void>((resolve) => (release = resolve));
      return { messageId: 'msg_1' };
    };
    await edge.server.start();
    const answer = fetch(`${edge.server.url}/v1.0/publish/pubsub/orders`, { method: 'POST', body: 'x' });
    await reached;
    const closed = edge.server.close();
    release?.();
    expect((await answer).status).toBe(204);
    await closed;
    await expect(fetch(`${edge.server.url}/v1.0/healthz`)).rejects.toThrow('fetch failed');
  });

  test('a close cuts requests that do not end', async () => {
    const edge = edgeOf();
    let asked: (() => void) | undefined;
    const reached = new Promise<void>((resolve) => (asked = resolve));
    edge.fake.view.publish = async () => {
      asked?.();
      return new Promise(() => undefined);
    };
    await edge.server.start();
    const answer = fetch(`${edge.server.url}/v1.0/publish/pubsub/orders`, { method: 'POST', body: 'x' });
    const outcome = answer.then(
      () => 'answered',
      () => 'cut',
    );
    await reached;
    await edge.server.close(1);
    expect(await outcome).toBe('cut');
  });
});
