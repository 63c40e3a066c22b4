/** The product on a long history: how long it takes to open, what filters and pages cost, how much memory it has. */
import { readFile } from 'node:fs/promises';
import { eventIdOf } from './journal-fill.ts';
import { collectGarbage, inspectorFlags } from './inspected.ts';
import type { Product } from './processes.ts';
import { cpuMs, startProduct } from './processes.ts';
import { pause, RpcSocket } from './rpc-socket.ts';
import { median } from './stats.ts';

export interface FilterRow {
  readonly filter: string;
  readonly matches: number;
  /** Until the first 100 rows are there, ms. */
  readonly firstMs: number;
  /** Until the whole history was searched, ms. */
  readonly wholeMs: number;
  /** Processor time of it, all threads of the product together, ms: what other work the machine has makes little difference. */
  readonly cpuMs: number;
}

export interface HistoryReport {
  readonly messages: number;
  /** Start of the process until its ready line, with the history and with none, ms. */
  readonly openMs: number;
  readonly openEmptyMs: number;
  readonly filters: readonly FilterRow[];
  /** Rows 1 to 100, in the middle, and at the far end, ms. */
  readonly pagesMs: readonly number[];
  readonly textTotalMs: number;
  /** A simple call right after a search was given up, ms. */
  readonly afterCancelMs: number;
  readonly rssMb: number;
  readonly rssEmptyMb: number;
}

/** Indexed keys, keys where few or many match, payload paths, text; the last ones are never found. */
const FILTERS = [
  '',
  'topic:t3',
  'state:parked',
  'state:dropped',
  'topic:t3 state:dropped',
  `id:${eventIdOf(777_777)}`,
  'state:processed -topic:t3',
  'app:app',
  'type:com.example.*',
  'attempts:1',
  'status:200',
  'size:>400',
  'rule:policy.exhausted',
  'is:pinned',
  'data.total:>=990',
  'data.total:777',
  'data.customer:"customer 42"',
  'data.lines[0].sku:sku-7',
  'needle',
  'nothing',
  'customer-that-is-not-there',
  'data.total:5000',
];

const KEEP_ALL = [
  ['storage.maxMessages', '1000000'],
  ['storage.maxBytes', '1099511627776'],
  ['storage.maxDays', '0'],
].flatMap(([key, value]) => ['--set', `${key}=${value}`]);

const REPEATS = 3;

/**
 * @param folder with a history
 * @param empty a folder with none
 */
export async function measureHistory(
  entry: string,
  folder: string,
  empty: string,
  appUrl: string,
): Promise<HistoryReport> {
  const inspector = await inspectorFlags();
  const start = async (dataDir: string): Promise<{ product: Product; ms: number }> => {
    const from = performance.now();
    const product = await startProduct(appUrl, entry, ['--data-dir', dataDir, ...KEEP_ALL], inspector.flags);
    return { product, ms: performance.now() - from };
  };
  const openEmpty: number[] = [];
  const open: number[] = [];
  let rssEmptyMb = 0;
  for (let n = 0; n < REPEATS; n++) {
    const first = await start(empty);
    openEmpty.push(first.ms);
    await collectGarbage(inspector.port);
    rssEmptyMb = await rss(first.product.pid);
    await first.product.stop();
    const second = await start(folder);
    open.push(second.ms);
    if (n < REPEATS - 1) await second.product.stop();
    else
      return await look(second.product, inspector.port, {
        openMs: median(open),
        openEmptyMs: median(openEmpty),
        rssEmptyMb,
      });
  }
  throw new Error('unreachable: the loop returns');
}

async function look(
  product: Product,
  inspector: number,
  opened: Pick<HistoryReport, 'openMs' | 'openEmptyMs' | 'rssEmptyMb'>,
): Promise<HistoryReport> {
  const socket = await RpcSocket.open(product.console, product.token);
  try {
    await socket.call('stream.open', {});
    const filters: FilterRow[] = [];
    for (const filter of FILTERS) filters.push(await search(socket, filter, product.pid));
    const view = await socket.call<{ viewId: string; total: number }>('view.open', {});
    const pagesMs: number[] = [];
    for (const from of [0, Math.floor(view.total / 2), view.total - 100])
      pagesMs.push(await timed(() => socket.call('view.rows', { viewId: view.viewId, from, count: 100 })));
    const textTotalMs = await timed(() => socket.call('messages.list', { filter: 'needle', limit: 100 }));
    const given = await socket.call<{ viewId: string }>('view.open', { filter: 'cancelled-at-once' });
    await socket.call('view.close', { viewId: given.viewId });
    const afterCancelMs = await timed(() =>
      socket.call('view.rows', { viewId: view.viewId, from: 1000, count: 100 }),
    );
    await collectGarbage(inspector);
    return {
      ...opened,
      messages: view.total,
      filters,
      pagesMs,
      textTotalMs,
      afterCancelMs,
      rssMb: await rss(product.pid),
    };
  } finally {
    socket.close();
    await product.stop();
  }
}

async function search(socket: RpcSocket, filter: string, pid: number): Promise<FilterRow> {
  const cpuBefore = await cpuMs(pid);
  const from = performance.now();
  const { viewId } = await socket.call<{ viewId: string }>('view.open', { filter });
  const openedAt = performance.now();
  let endedAt: number | undefined;
  const ending = socket.ended(viewId, openedAt).then((at) => (endedAt = at));
  const first = async (): Promise<number> => {
    for (;;) {
      const { rows } = await socket.call<{ rows: readonly unknown[] }>('view.rows', {
        viewId,
        from: 0,
        count: 100,
      });
      // The first hits come while the search goes on; where there are none, its end is the answer.
      if (rows.length > 0) return performance.now() - from;
      if (endedAt !== undefined) return endedAt - from;
      await pause();
    }
  };
  const firstMs = await first();
  const wholeMs = Math.max(firstMs, (await ending) - from);
  const { total } = await socket.call<{ total: number }>('view.rows', { viewId, from: 0, count: 0 });
  await socket.call('view.close', { viewId });
  return { filter, matches: total, firstMs, wholeMs, cpuMs: (await cpuMs(pid)) - cpuBefore };
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await act();
  return performance.now() - from;
}

/** Resident memory of a process in MB; NaN where the system does not tell. */
export async function rss(pid: number): Promise<number> {
  if (process.platform !== 'linux') return Number.NaN;
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}
