/** A host with one list, and the list store over it. */
import type { MessageRow } from '../../core/contract/message.ts';
import { createLink, type Link } from '../../renderer/client/link.ts';
import { createRpcClient } from '../../renderer/client/rpc-client.ts';
import { createMessages, type Messages } from '../../renderer/state/messages.ts';
import { FakeHost, ManualFrames, Refused, settle } from './fake-pipe.ts';
import { rowNamed } from './samples.ts';

export function rowsFrom(first: number, count: number): MessageRow[] {
  return Array.from({ length: count }, (_, index) =>
    rowNamed(`m${first + index}`, { number: first + index }),
  );
}

/**
 * A host with one list; filters other than '' give its even rows. As the real one does, it sends changes in front of rows that are read
 * after them.
 */
export class ListHost {
  rows: MessageRow[];
  /** Called before the host answers with rows, once. */
  beforeRows: (() => void) | undefined;
  /** Rows that were removed, of which the client was not notified yet. */
  #untold = 0;
  readonly host: FakeHost;
  views = 0;
  /** Progress of the search of a view that is opened. */
  progress: { readonly done: number; readonly of: number } | undefined;
  /** The rows that were asked for last. */
  #asked: { readonly from: number; readonly count: number } | undefined;

  constructor(count: number) {
    this.rows = rowsFrom(1, count);
    this.host = new FakeHost({
      'view.open': ({ filter, sortBy }) => {
        if (filter === 'bad:') throw new Refused('FILTER_SYNTAX', 'Unknown key "bad" at 1–3.');
        this.views += 1;
        const end = sortBy === undefined ? {} : { upTo: this.rows.at(-1)?.number ?? 0 };
        const search = this.progress === undefined ? {} : { progress: this.progress };
        return { viewId: `v${this.views}`, total: this.rows.length, sequence: 0, ...end, ...search };
      },
      'view.rows': ({ from, count: n }) => {
        if (this.#untold > 0) this.tell();
        const before = this.beforeRows;
        this.beforeRows = undefined;
        before?.();
        this.#asked = { from, count: n };
        return { rows: this.rows.slice(from, from + n), total: this.rows.length };
      },
      'view.close': () => null,
      'messages.update': ({ messageId }) => rowNamed(messageId, {}),
      'messages.markRead': () => ({ changed: 1 }),
      'messages.list': () => ({
        items: this.rows.slice(-1),
        nextCursor: null,
        total: this.rows.length,
      }),
    });
  }

  get viewId(): string {
    return `v${this.views}`;
  }

  append(count: number): void {
    const first = (this.rows.at(-1)?.number ?? 0) + 1;
    const added = rowsFrom(first, count);
    const from = this.rows.length;
    this.rows.push(...added);
    this.host.push('view.changed', {
      viewId: this.viewId,
      total: this.rows.length,
      appended: count,
      rows: added.map((row, index) => ({ index: from + index, row })),
    });
  }

  /** Changes the size of a row. As the real host does, it reports that if the row is among those that were asked for last. */
  resize(index: number, sizeBytes: number): void {
    const row = this.rows[index];
    const asked = this.#asked;
    if (row === undefined || asked === undefined) throw new Error('no such row');
    const changed = { ...row, sizeBytes };
    this.rows[index] = changed;
    if (index < asked.from || index >= asked.from + asked.count) return;
    const rows = [{ index, row: changed }];
    this.host.push('view.changed', { viewId: this.viewId, total: this.rows.length, appended: 0, rows });
  }

  /** Removes the oldest rows; the client is notified of it later. */
  pruneQuietly(count: number): void {
    this.rows.splice(0, count);
    this.#untold += count;
  }

  /** Removes the oldest rows and notifies the client. */
  prune(count: number): void {
    this.pruneQuietly(count);
    this.tell();
  }

  tell(): void {
    this.#untold = 0;
    this.host.push('view.changed', {
      viewId: this.viewId,
      total: this.rows.length,
      appended: 0,
      rows: [],
      moved: true,
    });
  }
}

export interface Stand {
  readonly list: ListHost;
  readonly link: Link;
  readonly frames: ManualFrames;
  readonly messages: Messages;
}

export async function stand(count: number): Promise<Stand> {
  const list = new ListHost(count);
  const link = createLink({ open: list.host.open, after: () => () => undefined });
  const rpc = createRpcClient(link, { lost: 'lost', away: 'away', noAnswer: 'none' });
  const frames = new ManualFrames();
  const messages = createMessages(rpc, frames.frame);
  await settle();
  await messages.open('');
  await settle();
  return { list, link, frames, messages };
}
