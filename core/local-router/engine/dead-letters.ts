/**
 * Events that could not be delivered: written to a folder tree in the form of the service's container,
 * indexed, and replayable.
 */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DeadLetterFile, DeadLetterReason } from '../../contract/event-router/local-router.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { deadLetterEvent } from '../rules/dead-letter.ts';
import type { FullProperties } from '../rules/record-body.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { RouterStore } from '../store/store.ts';
import { iso } from './entry.ts';
import type { Entry } from './entry.ts';

const CONTAINER = 'deadletters';

/**
 * The folder tree and its index. Without a data folder the tree is a temporary one that is removed with the
 * router.
 */
export class DeadLetters {
  readonly #store: RouterStore;
  readonly #newId: () => string;
  #root: string | undefined;
  readonly #temporary: boolean;

  constructor(store: RouterStore, folder: string | undefined, newId: () => string) {
    this.#store = store;
    this.#newId = newId;
    this.#temporary = folder === undefined;
    this.#root = folder === undefined ? undefined : path.join(folder, 'dead-letters');
  }

  /** Writes one event. Throws if the folder is not writable. Returns the path of the file below the tree. */
  write(
    entry: Entry,
    facts: {
      readonly text: string;
      readonly reason: DeadLetterReason;
      readonly active: FullProperties | undefined;
      readonly nowMs: number;
    },
  ): string {
    const at = new Date(facts.nowMs);
    const container = facts.active?.deadLetterDestination?.properties?.blobContainerName ?? CONTAINER;
    const folder = [
      container,
      entry.subscriptionName.toUpperCase(),
      at.getUTCFullYear(),
      at.getUTCMonth() + 1,
      at.getUTCDate(),
      at.getUTCHours(),
    ].join('/');
    const file = `${folder}/${this.#newId()}.json`;
    const json = JSON.stringify([deadLetterEvent(facts.text, lastOf(entry, facts.reason))]);
    const whole = path.join(this.#tree(), file);
    mkdirSync(path.dirname(whole), { recursive: true, mode: 0o700 });
    writeFileSync(whole, json, { mode: 0o600 });
    chmodSync(whole, 0o600);
    const indexed: DeadLetterFile = {
      file,
      at: iso(facts.nowMs),
      deliveryId: entry.id,
      eventId: entry.eventId,
      subscriptionName: entry.subscriptionName,
      reason: facts.reason,
      ...withoutUndefined({ lastOutcome: entry.lastOutcome }),
      attempts: entry.attempts,
      sizeBytes: Buffer.byteLength(json),
    };
    this.#store.note((prepare) => {
      prepare('INSERT OR REPLACE INTO dead_letters VALUES (?, ?, ?)').run(
        file,
        facts.nowMs,
        JSON.stringify(indexed),
      );
    });
    return file;
  }

  /** Files of the index, newest first. */
  list(limit = Number.MAX_SAFE_INTEGER): readonly DeadLetterFile[] {
    const rows = this.#store.read('SELECT json FROM dead_letters ORDER BY at DESC, file LIMIT ?', limit);
    return rows.flatMap((row) => {
      const value: unknown = JSON.parse(String(row['json']));
      return isFile(value) ? [value] : [];
    });
  }

  /** Text of a dead-letter file. Throws Refusal NOT_FOUND: only files of the index are read. */
  read(file: string): string {
    const known = this.list().find((one) => one.file === file);
    if (known === undefined)
      throw new Refusal('NOT_FOUND', { reason: `There is no dead-letter file ${file}.` });
    return readFileSync(path.join(this.#tree(), known.file), 'utf8');
  }

  /** Removes these files from index and disk; absent: all. */
  remove(files?: readonly string[]): number {
    const gone = this.list().filter(({ file }) => files === undefined || files.includes(file));
    for (const { file } of gone) rmSync(path.join(this.#tree(), file), { force: true });
    this.#store.note((prepare) => {
      const forget = prepare('DELETE FROM dead_letters WHERE file = ?');
      for (const { file } of gone) forget.run(file);
    });
    return gone.length;
  }

  /** Removes files that are too old or exceed the size, the oldest first. */
  prune(olderThanMs: number, mostBytes: number): number {
    let bytes = 0;
    const gone = this.list().filter(({ at, sizeBytes }) => {
      bytes += sizeBytes;
      return bytes > mostBytes || Date.parse(at) < olderThanMs;
    });
    return gone.length === 0 ? 0 : this.remove(gone.map(({ file }) => file));
  }

  close(): void {
    if (this.#temporary && this.#root !== undefined) rmSync(this.#root, { recursive: true, force: true });
  }

  #tree(): string {
    this.#root ??= mkdtempSync(path.join(tmpdir(), 'sidelight-dead-letters-'));
    return this.#root;
  }
}

/** Members that are added to an event in a dead letter. */
export function lastOf(entry: Entry, reason: DeadLetterReason): Parameters<typeof deadLetterEvent>[1] {
  return {
    reason,
    attempts: entry.attempts,
    lastOutcome: entry.lastOutcome ?? '',
    publishTime: iso(entry.publishedMs),
    lastAttemptTime: entry.lastAttemptMs === undefined ? '' : iso(entry.lastAttemptMs),
  };
}

function isFile(value: unknown): value is DeadLetterFile {
  return typeof value === 'object' && value !== null && 'file' in value && 'deliveryId' in value;
}
