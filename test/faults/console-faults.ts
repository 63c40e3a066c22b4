/** Consoles that are cut or do not read, and ten thousand messages that are held, while the product works. */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { vi } from 'vitest';
import { WebSocket } from 'ws';
import { rssMB, tell } from './app-faults.ts';
import type { Figures, FaultStand } from './app-faults.ts';

const WAIT = { timeout: 1_200_000, interval: 50 };

interface Frame {
  readonly method?: string;
  readonly result?: {
    readonly epoch: string;
    readonly sequence: number;
    readonly missed?: readonly ConsoleEvent[];
    readonly snapshot?: unknown;
  } | null;
  readonly params?: { readonly from: number; readonly to: number; readonly events: readonly ConsoleEvent[] };
}

interface ConsoleEvent {
  readonly sequence: number;
  readonly type: string;
  readonly row?: { readonly messageId: string };
}

/** A hold catches all of them, memory is looked at, one act lets all of them go. */
export async function held(stand: FaultStand, count: number): Promise<Figures> {
  const before = await stand.count('topic:orders state:processed');
  const rssBefore = rssMB(stand.running.pid);
  const hold = (await stand.running.call('holds.add', { at: 'delivery', filter: 'topic:orders' })) as {
    holdId: string;
  };
  const tried = await stand.publish(count, 'orders', 'held');
  await vi.waitUntil(async () => (await stand.count('state:held')) === tried, WAIT);
  const rssHeld = rssMB(stand.running.pid);
  const { changed } = (await stand.running.call('deliveries.release', { filter: 'state:held' })) as {
    changed: number;
  };
  await stand.running.call('holds.remove', { holdId: hold.holdId });
  await stand.ended('orders');
  const processed = (await stand.count('topic:orders state:processed')) - before;
  return tell('held messages', {
    tried,
    survived: await stand.isAlive(),
    lost: tried - processed,
    released: changed,
    rssGrowthMB: rssHeld - rssBefore,
  });
}

/** A follower whose connection is cut at a byte, often inside a frame, and who goes on from its last number. */
export async function socketCut(
  stand: FaultStand,
  { cuts, each }: { readonly cuts: number; readonly each: number },
): Promise<Figures> {
  const cutter = await startCutter(Number(new URL(stand.running.console).port));
  const seen = new Set<string>();
  let [epoch, last, gaps, resets, connects] = ['', 0, 0, 0, 0];
  let isOver = false;
  const take = (events: readonly ConsoleEvent[] | undefined): void => {
    for (const { type, row } of events ?? [])
      if (type === 'message.added' && row !== undefined) seen.add(row.messageId);
  };
  const follow = async (): Promise<void> => {
    while (!isOver) {
      // Some bytes in, the connection goes; the last one stays.
      cutter.budget = connects < cuts ? 2_000 + ((connects * 7919) % 20_000) : Number.POSITIVE_INFINITY;
      connects += 1;
      const socket = new WebSocket(`ws://127.0.0.1:${cutter.port}/stream`, {
        headers: {
          authorization: `Bearer ${stand.running.token}`,
          host: new URL(stand.running.console).host,
        },
      });
      socket.on('error', () => undefined);
      socket.on('open', () => {
        const params = epoch === '' ? {} : { epoch, since: last };
        socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'stream.open', params }));
      });
      socket.on('message', (data: Buffer) => {
        const { method, result, params }: Frame = JSON.parse(data.toString());
        if (result?.epoch !== undefined) {
          if (epoch !== '' && result.snapshot !== undefined) resets += 1;
          epoch = result.epoch;
          take(result.missed);
          last = result.sequence;
        } else if (method === 'stream.batch' && params !== undefined) {
          if (params.from !== last + 1) gaps += 1;
          take(params.events);
          last = params.to;
          socket.send(
            JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'stream.ack', params: { sequence: last } }),
          );
        }
      });
      stopping = () => socket.terminate();
      await once(socket, 'close');
    }
  };
  let stopping = (): void => undefined;
  const following = follow();
  await vi.waitUntil(() => epoch !== '', WAIT);
  const tried = await stand.publish(each * cuts, 'orders', `cut-${cuts}`);
  await stand.ended('orders');
  await vi.waitUntil(() => seen.size >= tried, WAIT);
  isOver = true;
  stopping();
  await following;
  await cutter.close();
  return tell('console socket cut', {
    tried,
    survived: await stand.isAlive(),
    lost: tried - seen.size,
    cuts: connects - 1,
    gaps,
    resets,
  });
}

/** Consoles that open the stream and never read: the runtime goes on, and what is kept for them has a bound. */
export async function slowClients(stand: FaultStand, clients: number, count: number): Promise<Figures> {
  const alone = await timed(() => stand.run('no slow consoles', count, 'orders'));
  const rssBefore = rssMB(stand.running.pid);
  const sockets = await Promise.all(Array.from({ length: clients }, () => deaf(stand)));
  const before = await stand.count('topic:orders state:processed');
  const beside = await timed(async () => {
    const tried = await stand.publish(count, 'orders', 'slow');
    await stand.ended('orders');
    return tried;
  });
  const rssGrowthMB = rssMB(stand.running.pid) - rssBefore;
  for (const socket of sockets) socket.terminate();
  const processed = (await stand.count('topic:orders state:processed')) - before;
  return tell('slow consoles', {
    tried: beside.value,
    survived: await stand.isAlive(),
    lost: beside.value - processed,
    clients,
    perSecondAlone: Math.round(count / alone.seconds),
    perSecondBeside: Math.round(count / beside.seconds),
    rssGrowthMB,
  });
}

async function deaf({ running }: FaultStand): Promise<WebSocket> {
  const socket = new WebSocket(`${running.console.replace(/^http/, 'ws')}/stream`, {
    headers: { authorization: `Bearer ${running.token}` },
  });
  socket.on('error', () => undefined);
  await once(socket, 'open');
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'stream.open', params: {} }));
  await once(socket, 'message');
  socket.pause();
  return socket;
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly seconds: number }> {
  const from = performance.now();
  const value = await work();
  return { value, seconds: (performance.now() - from) / 1000 };
}

interface Cutter {
  readonly port: number;
  /** Bytes from the product that the next connection lets through. */
  budget: number;
  close(): Promise<void>;
}

/** A proxy in front of a port that cuts each connection after its bytes. */
async function startCutter(target: number): Promise<Cutter> {
  let budget = Number.POSITIVE_INFINITY;
  const server: Server = createServer((client) => {
    let left = budget;
    const product = connect(target, '127.0.0.1');
    const cut = (): void => {
      client.destroy();
      product.destroy();
    };
    client.on('error', cut).on('close', cut).pipe(product);
    product.on('error', cut).on('close', cut);
    product.on('data', (bytes: Buffer) => {
      client.write(bytes.subarray(0, Math.min(left, bytes.length)));
      left -= bytes.length;
      if (left <= 0) client.end(cut);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get budget() {
      return budget;
    },
    set budget(bytes: number) {
      budget = bytes;
    },
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}
