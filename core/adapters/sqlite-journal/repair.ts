/**
 * Lets SQLite open a file that it refuses although most of its pages are sound: a truncated one, or one whose first page is lost.
 * Afterwards the file is restored to its old state.
 */
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

import { needSqlite } from './sqlite.ts';

const MAGIC = 'SQLite format 3\0';
/** Every file of the journal has pages of this size, the default of SQLite. */
const PAGE = 4096;
/** Places in the header (https://sqlite.org/fileformat.html#the_database_header). */
const PAGE_SIZE = 16;
const CHANGES = 24;
const PAGES = 28;
const FIRST_FREE = 32;
const FREE_PAGES = 36;
const VALID_FOR = 92;

/** First bytes of a page with which a table, or an index, may begin. */
const BEGINNINGS = { table: [0x05, 0x0d], index: [0x02, 0x0a] } as const;

/** First page of a file, and what begins on which page in it. */
interface Layout {
  readonly page: Buffer;
  readonly roots: readonly { readonly page: number; readonly is: keyof typeof BEGINNINGS }[];
}

/**
 * @param damaged the file to repair, which no process has open
 * @param sound complete files of the same format: the tables of one of them begin on the same pages
 * @returns a function that undoes the change
 */
export function repair(damaged: string, sound: readonly string[]): () => void {
  const { size } = look(damaged);
  const before = firstPage(damaged);
  const repaired = isHeader(before) ? before : pageFor(size, likeliest(damaged, sound.map(layoutOf)));
  const pages = repaired.readUInt32BE(PAGES);
  const isCut = repaired.readUInt16BE(PAGE_SIZE) === PAGE && pages * PAGE > size;
  const undo: (() => void)[] = [];
  if (repaired !== before) {
    change(damaged, (fd) => writeSync(fd, repaired, 0, PAGE, 0));
    undo.push(() => change(damaged, (fd) => writeSync(fd, before, 0, before.length, 0)));
  }
  // Missing pages are filled with zeros. They count as damaged and are skipped, but the rest can be read.
  if (isCut) change(damaged, (fd) => ftruncateSync(fd, pages * PAGE));
  if (isCut || repaired !== before) undo.push(() => change(damaged, (fd) => ftruncateSync(fd, size)));
  return () => {
    for (const each of undo) each();
  };
}

function layoutOf(file: string): Layout {
  const db: DatabaseSync = new (needSqlite().DatabaseSync)(file, { readOnly: true });
  try {
    const rows = db.prepare('SELECT type, rootpage, sql FROM sqlite_schema WHERE rootpage > 0').all();
    const roots = rows.map(({ type, rootpage, sql }) => ({
      page: Number(rootpage),
      is: type === 'table' && !/WITHOUT ROWID/i.test(String(sql)) ? ('table' as const) : ('index' as const),
    }));
    return { page: firstPage(file), roots };
  } finally {
    db.close();
  }
}

/** First page of the layout in which most pages of the file are what they should be. */
function likeliest(damaged: string, layouts: readonly Layout[]): Buffer {
  const fd = openSync(damaged, 'r');
  try {
    const begins = (page: number, is: keyof typeof BEGINNINGS): boolean => {
      const first = Buffer.alloc(1);
      readSync(fd, first, 0, 1, (page - 1) * PAGE);
      return BEGINNINGS[is].some((byte) => byte === first[0]);
    };
    const fits = ({ roots }: Layout): number => roots.filter(({ page, is }) => begins(page, is)).length;
    const [best] = layouts.toSorted((a, b) => fits(b) - fits(a));
    if (best === undefined) throw new Error('there is no sound file');
    return best.page;
  } finally {
    closeSync(fd);
  }
}

function isHeader(page: Buffer): boolean {
  return page.length >= VALID_FOR && page.toString('latin1', 0, MAGIC.length) === MAGIC;
}

/** First page of a new file with the length of the damaged one, and without free pages, which are unknown. */
function pageFor(size: number, sound: Buffer): Buffer {
  const page = Buffer.from(sound);
  page.writeUInt32BE(Math.ceil(size / PAGE), PAGES);
  page.writeUInt32BE(0, FIRST_FREE);
  page.writeUInt32BE(0, FREE_PAGES);
  page.writeUInt32BE(page.readUInt32BE(CHANGES), VALID_FOR);
  return page;
}

function firstPage(file: string): Buffer {
  const fd = openSync(file, 'r');
  try {
    const page = Buffer.alloc(PAGE);
    return page.subarray(0, readSync(fd, page, 0, PAGE, 0));
  } finally {
    closeSync(fd);
  }
}

function look(file: string): { readonly size: number } {
  const fd = openSync(file, 'r');
  try {
    return fstatSync(fd);
  } finally {
    closeSync(fd);
  }
}

function change(file: string, act: (fd: number) => void): void {
  const fd = openSync(file, 'r+');
  try {
    act(fd);
  } finally {
    closeSync(fd);
  }
}
