/** A line that is cut at chosen bytes between a real console server and the renderer's own stores, and what both know then. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsoleEvent, Params, Result } from '../../core/contract/console.ts';
import { DELIVERY_STATES } from '../../core/contract/delivery.ts';
import type { MessageRow } from '../../core/contract/message.ts';
import type { ConsoleServer } from '../../core/console/server.ts';
import { createLink } from '../../renderer/client/link.ts';
import { createRpcClient } from '../../renderer/client/rpc-client.ts';
import { createStreamClient } from '../../renderer/client/stream-client.ts';
import { createConsole, type Console } from '../../renderer/state/console.ts';
import { withDelivery } from '../../renderer/state/row-window.ts';
import { listen } from '../console/carrier-makers.ts';
import { Line, pipeOver, seeded } from './cut-line.ts';
import type { FakeRuntime } from '../support/fake-runtime.ts';

const LIMIT_MS = 15_000;

/** A script's copy of everything: `scope: all`, folded by the rules of the stream. */
interface Copy {
  readonly rows: ReadonlyMap<string, MessageRow>;
  readonly isWhole: () => boolean;
  close(): void;
}

function followAll(line: Line, server: ConsoleServer): Copy {
  const link = createLink({ open: pipeOver(line, server) });
  const rpc = createRpcClient(link, { lost: 'lost', away: 'away', noAnswer: 'no answer' });
  const rows = new Map<string, MessageRow>();
  /** Events that come while the list is read again. */
  let waiting: ConsoleEvent[] | undefined;

  function apply(event: ConsoleEvent): void {
    if (event.type === 'message.added') rows.set(event.row.messageId, event.row);
    if (event.type === 'delivery.changed') {
      const row = rows.get(event.messageId);
      if (row !== undefined) rows.set(event.messageId, withDelivery(row, event.delivery));
    }
    // Which ones went is the host's to know: unfinished ones stay.
    if (event.type === 'messages.pruned') again = true;
  }

  async function readAll(): Promise<void> {
    const mine: ConsoleEvent[] = [];
    waiting = mine;
    const found: MessageRow[] = [];
    let cursor: string | undefined;
    try {
      do {
        const page = await rpc.call('messages.list', {
          order: 'oldest',
          limit: 500,
          ...(cursor === undefined ? {} : { cursor }),
        });
        found.push(...page.items);
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
    } catch (reason) {
      // Cut while reading: read again once there is a line.
      if (waiting === mine) again = true;
      else throw reason;
      return;
    }
    if (waiting !== mine) return;
    waiting = undefined;
    rows.clear();
    for (const row of found) rows.set(row.messageId, row);
    for (const event of mine) apply(event);
    readAgain();
  }

  function readAgain(): void {
    if (!again) return;
    again = false;
    void readAll();
  }

  let again = false;
  const stream = createStreamClient(
    rpc,
    link,
    {
      events: (events) => {
        if (waiting === undefined) events.forEach(apply);
        else waiting.push(...events);
        readAgain();
      },
      reset: () => void readAll(),
      failed: () => undefined,
    },
    'all',
  );
  const stop = link.onState(({ status }) => {
    if (status === 'lost') queueMicrotask(() => link.tryNow());
    if (status === 'open') readAgain();
  });
  return {
    rows,
    isWhole: () => waiting === undefined && !again && link.state().status === 'open',
    close() {
      stop();
      stream.close();
      rpc.close();
      link.close();
    },
  };
}

const BAR = {
  location: { hash: '#/messages' },
  history: { pushState: () => undefined, replaceState: () => undefined },
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
};

/** One random change of the history. */
async function change(runtime: FakeRuntime, ids: string[], random: () => number): Promise<void> {
  const known = ids[Math.floor(random() * ids.length)];
  const kind = random();
  if (known === undefined || kind < 0.55) {
    ids.push((await runtime.accept({ topic: `t${Math.floor(random() * 5)}` })).messageId);
  } else if (kind < 0.99) {
    const state = DELIVERY_STATES[Math.floor(random() * DELIVERY_STATES.length)] ?? 'queued';
    await runtime.move(known, state, random() < 0.5);
  } else {
    await runtime.prune(Math.max(1, ids.length - 3));
  }
}

/** The history as `messages.list` gives it past the line. */
async function truth({ url, token }: ConsoleServer): Promise<readonly MessageRow[]> {
  const rows: MessageRow[] = [];
  let cursor: string | null = null;
  do {
    const params: Params<'messages.list'> = {
      order: 'oldest',
      limit: 500,
      ...(cursor === null ? {} : { cursor }),
    };
    const answer: Response = await fetch(`${url}/rpc`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'messages.list', params }),
    });
    const { result }: { readonly result: Result<'messages.list'> } = await answer.json();
    rows.push(...result.items);
    cursor = result.nextCursor;
  } while (cursor !== null);
  return rows;
}

async function until(what: string, holds: () => boolean): Promise<void> {
  const end = performance.now() + LIMIT_MS;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`waited in vain: ${what}`);
    await sleep(5);
  }
}

export interface CutRun {
  readonly cuts: number;
  /** Rows of the journal. */
  readonly host: readonly MessageRow[];
  /** Rows of the console's list, by index. */
  readonly list: readonly (MessageRow | undefined)[];
  /** Rows of a script with `scope: all`. */
  readonly copy: readonly MessageRow[];
}

/** Cuts the line `cuts` times at random bytes while the history goes on changing; then looks at all three. */
export async function runCuts(cuts: number, seed: number): Promise<CutRun> {
  const random = seeded(seed);
  const { bench, server, remove } = await listen();
  const line = await Line.to(server.port);
  const console: Console = createConsole({
    open: pipeOver(line, server),
    bar: BAR,
    frame: (run) => {
      const timer = setImmediate(run);
      return () => clearImmediate(timer);
    },
  });
  const stop = console.connection.subscribe(({ link }) => {
    if (link.status === 'lost') queueMicrotask(() => console.link.tryNow());
  });
  const copy = followAll(line, server);
  try {
    const ids: string[] = [];
    await console.messages.open('');
    while (line.cuts < cuts) {
      const before = line.cuts;
      line.cutAfter(Math.floor(random() * random() * 40_000));
      for (let n = 0; n < 400 && line.cuts === before; n += 1) {
        await change(bench.runtime, ids, random);
        const { total } = console.messages.rows;
        if (random() < 0.2) console.messages.ensure(Math.max(0, total - 200), total);
        if (random() < 0.3) await sleep(random() * 4);
      }
    }
    line.cutAfter(Infinity);
    const host = await truth(server);
    await until(
      'the line is whole',
      () => copy.isWhole() && console.connection.getState().link.status === 'open',
    );
    const shown = (): readonly (MessageRow | undefined)[] => {
      const { rows } = console.messages;
      console.messages.ensure(0, rows.total);
      return Array.from({ length: rows.total }, (_, place) => rows.rowAt(place));
    };
    const want = JSON.stringify(host);
    await until('both have everything', () => {
      const all = [...copy.rows.values()].toSorted((a, b) => a.number - b.number);
      return JSON.stringify(shown()) === want && JSON.stringify(all) === want;
    }).catch(() => undefined);
    return {
      cuts: line.cuts,
      host,
      list: shown(),
      copy: [...copy.rows.values()].toSorted((a, b) => a.number - b.number),
    };
  } finally {
    stop();
    console.dispose();
    copy.close();
    await line.close();
    await server.close();
    await remove();
  }
}
