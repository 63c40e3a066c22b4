/**
 * Lets SQLite open a file that it refuses although most of its pages are sound: a truncated one, or one whose first page is lost.
 * Afterwards the file is restored to its old state.
 */
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';

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

/**
 * @param damaged the file to repair, which no process has open
 * @param sound a complete file of the same format: its tables begin on the same pages
 * @returns a function that undoes the change
 */
export function repair(damaged: string, sound: string): () => void {
  const { size } = look(damaged);
  const before = firstPage(damaged);
  const repaired = isHeader(before) ? before : pageFor(size, firstPage(sound));
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
