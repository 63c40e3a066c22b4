/** What other programs do to the files of a history in use, and a history that mends it, for tests. */
import { statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

import { expect, vi } from 'vitest';

import type { Appender } from '../../core/adapters/sqlite-journal/appender.ts';
import type { Reads } from '../../core/adapters/sqlite-journal/readers.ts';
import type { Answered, ReaderRequests } from '../../core/adapters/sqlite-journal/requests.ts';
import { Rescue } from '../../core/adapters/sqlite-journal/rescue.ts';
import { needSqlite } from '../../core/adapters/sqlite-journal/sqlite.ts';
import { JournalError } from '../../core/ports/journal.ts';
import { count } from './journal-records.ts';
import { NewestStand, NONE, whole } from './newest-stand.ts';
import type { Opened } from './newest-stand.ts';

/** Cuts the log of a folder to a length that is made of the one that it has. */
export function cut(folder: string, by: (bytes: number) => number): void {
  const log = join(folder, 'sidelight.db-wal');
  truncateSync(log, by(statSync(log).size));
}

/** Another program reads the present state of a history until this is closed. */
export function reading(folder: string): InstanceType<ReturnType<typeof needSqlite>['DatabaseSync']> {
  const other = new (needSqlite().DatabaseSync)(join(folder, 'sidelight.db'), { readOnly: true });
  other.exec('BEGIN');
  other.prepare('SELECT count(*) FROM message').get();
  return other;
}

/** Writes messages, each in a commit of its own. */
export async function committed(writer: Appender, from: number, to: number): Promise<void> {
  for (const number of count(from, to)) {
    expect(await writer.write([whole(number)], false)).toEqual(NONE);
    await writer.ask('commit', null);
  }
}

/** SQLite refuses to open a database once. */
export function refuseOnce(): void {
  vi.spyOn(needSqlite().DatabaseSync.prototype, 'exec').mockImplementationOnce(() => {
    throw Object.assign(new Error('unable to open database file'), { errcode: 14 });
  });
}

/** A history in use, with the rescue that mends its files. */
export class MendingStand extends NewestStand {
  /** What a person was told. */
  readonly reported: string[] = [];
  /** While true, readers cannot open the history. */
  failsToRead = false;

  /** A history whose first messages are committed, and its rescue. */
  async inUse(messages: number): Promise<Opened & { readonly rescue: Rescue }> {
    const opened = this.open();
    await committed(opened.writer, 1, messages);
    return { ...opened, rescue: this.#rescueOf(opened.writer) };
  }

  #rescueOf(appender: Appender): Rescue {
    const reader: Reads = {
      ask: async <K extends keyof ReaderRequests>(kind: K) => {
        if (kind === 'open' && this.failsToRead) throw new JournalError('broken', 'too many open files');
        return null as Answered<ReaderRequests, K>;
      },
      end: () => Promise.resolve(),
    };
    return new Rescue({
      appender,
      reader,
      folder: this.folder,
      file: join(this.folder, 'sidelight.db'),
      lock: { renew: () => 'in place', release: () => undefined },
      report: (text) => void this.reported.push(text),
      log: { write: () => undefined },
    });
  }
}
