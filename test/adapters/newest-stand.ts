/** Both halves of writing in one thread: what the program appends to the newest records, and what the writing thread would do with it. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { FrameBuffer } from '../../core/adapters/sqlite-journal/newest-frames.ts';
import { opsOf, RecentWires } from '../../core/adapters/sqlite-journal/records.ts';
import type { Group, Op } from '../../core/adapters/sqlite-journal/records.ts';
import type { OpenReport, SyncLevel } from '../../core/adapters/sqlite-journal/requests.ts';
import type { Answered, Asked, WriterRequests } from '../../core/adapters/sqlite-journal/requests.ts';
import type { Handlers } from '../../core/adapters/sqlite-journal/serve.ts';
import { needSqlite } from '../../core/adapters/sqlite-journal/sqlite.ts';
import { Appender } from '../../core/adapters/sqlite-journal/appender.ts';
import { Writer } from '../../core/adapters/sqlite-journal/writer.ts';
import type { JournalRecord } from '../../core/ports/journal.ts';
import { accepted, delivered, published } from './journal-records.ts';
import type { AcceptedMore } from './journal-records.ts';

/** Answer to a call of one group that counts. */
export const NONE = [null];

export interface Opened {
  readonly writer: Appender;
  readonly report: OpenReport;
}

export class NewestStand {
  readonly root = mkdtempSync(join(tmpdir(), 'sidelight-newest-'));
  readonly folder = join(this.root, '0');
  /** Lines of the log. */
  readonly said: string[] = [];
  /** Requests that the writing thread got. */
  readonly asked: (keyof WriterRequests)[] = [];
  /** How often it heard of everything that had been written. */
  told = 0;
  /** Waited for before the writing thread does what it was asked for, one request after the other; undefined: it does so at once. */
  readonly #before: (() => Promise<void>) | undefined;
  readonly #partBytes: number | undefined;
  readonly #writers: Appender[] = [];
  #copies = 0;

  /** @param partBytes that the tables take in at a time; without it as many as the product has */
  constructor(before?: () => Promise<void>, partBytes?: number) {
    this.#before = before;
    this.#partBytes = partBytes;
    cpSync(mkdtempSync(join(this.root, 'empty-')), this.folder, { recursive: true });
  }

  open(of = this.folder, more: { readonly maxPages?: number } = {}, sync: SyncLevel = 'normal'): Opened {
    const tables = new Writer(Date.now, () => undefined);
    const handlers: Handlers<WriterRequests> = tables;
    let earlier = Promise.resolve();
    const thread = {
      isOver: false,
      ask: <K extends keyof WriterRequests>(kind: K, value: Asked<WriterRequests, K>) =>
        new Promise<Answered<WriterRequests, K>>((resolve, reject) => {
          this.asked.push(kind);
          if (kind === 'follow' || kind === 'write') this.told += 1;
          const answer = (): void => resolve(handlers[kind](value, () => Promise.resolve()));
          if (this.#before === undefined) answer();
          else earlier = earlier.then(this.#before).then(answer).catch(reject);
        }),
    };
    const how = { folder: of, sync, ballastBytes: 0 };
    const report = tables.open({ ...how, ...more });
    const log = { write: (...[, , text]: readonly unknown[]) => void this.said.push(String(text)) };
    const part = this.#partBytes === undefined ? {} : { partBytes: this.#partBytes };
    const writer = new Appender({ writer: thread, report, how, log, ...part });
    this.#writers.push(writer);
    return { writer, report };
  }

  /** Copy of the folder as a kill of the process would leave it now. */
  killed(of = this.folder): string {
    const copy = join(this.root, `copy-${++this.#copies}`);
    cpSync(of, copy, { recursive: true });
    return copy;
  }

  /** The tables of a folder after a start and an end in order. */
  async afterStart(of: string): Promise<{ tables: unknown[]; report: OpenReport }> {
    const { writer: next, report } = this.open(of);
    await next.close();
    return { tables: tablesOf(of), report };
  }

  async remove(): Promise<void> {
    for (const each of this.#writers.splice(0)) await each.close();
    rmSync(this.root, { recursive: true, force: true });
  }
}

export const ops = (...records: JournalRecord[]): Op[] => opsOf(records, new RecentWires(0));

/** A frame that stays as it is when others are made. */
export const frameOf = (group: Group): Buffer => new FrameBuffer().frameOf(group);

/** Message `number`, accepted and delivered. */
export const whole = (number: number, more: AcceptedMore = {}): Op[] =>
  ops(
    accepted(number, more),
    published(number),
    delivered(number, 'processed', { attempt: {}, transition: {} }),
  );

/** Each message with its deliveries, attempts and transitions as the tables of a folder have them. */
export function tablesOf(of: string): unknown[] {
  return messagesOf(of, 'm.published');
}

/**
 * Each message of the tables of a folder by its number.
 * @param column what is read of the message `m` beside its deliveries
 */
export function messagesOf(of: string, column: string): unknown[] {
  const db = new (needSqlite().DatabaseSync)(join(of, 'sidelight.db'), { readOnly: true });
  try {
    return db
      .prepare(
        `SELECT m.number, ${column},
           (SELECT group_concat(state) FROM delivery d WHERE d.number = m.number) AS states,
           (SELECT count(*) FROM attempt a WHERE a.number = m.number) AS attempts,
           (SELECT count(*) FROM transition t WHERE t.number = m.number) AS transitions
         FROM message m ORDER BY number`,
      )
      .all();
  } finally {
    db.close();
  }
}

/** What `tablesOf` gives for `whole(number)`. */
export const row = (number: number, more = {}) => ({
  number,
  published: 1,
  states: 'processed',
  attempts: 1,
  transitions: 1,
  ...more,
});
