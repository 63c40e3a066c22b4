/**
 * Two reading threads: one for single messages, one for searches, so that a read of one message does not wait for a search. A thread that
 * died is replaced with the next read, because what is stored can still be read.
 */
import { readsBody } from '../../domain/facet-needs.ts';
import type { Answered, Asked, ReaderRequests, ReportStep } from './requests.ts';
import { Thread } from './thread.ts';

/** The way to ask a reader; one thread alone offers it too. */
export type Reads = Pick<Thread<ReaderRequests>, 'ask' | 'end'>;

export class Readers implements Reads {
  #quick: Thread<ReaderRequests>;
  /** What that thread has open; undefined: nothing. */
  #open: Asked<ReaderRequests, 'open'> | undefined;
  /** True for a thread in the place of one that died, until it has that open. */
  #hasNothingOpen = false;
  #openingAgain: Promise<null> | undefined;
  #isEnded = false;
  readonly #reportStep: ReportStep;
  /** Made when the first search comes. */
  #searching: Thread<ReaderRequests> | undefined;
  /** The file that the searching thread has open, or opens. */
  #opened: Promise<null> | undefined;
  /** Undefined: closed, or open for reading alone, which one thread does. */
  #file: string | undefined;

  constructor(reportStep: ReportStep) {
    this.#reportStep = reportStep;
    this.#quick = new Thread('reader-thread', reportStep);
  }

  async ask<K extends keyof ReaderRequests>(
    kind: K,
    value: Asked<ReaderRequests, K>,
    signal?: AbortSignal,
  ): Promise<Answered<ReaderRequests, K>> {
    if (kind === 'close') await this.#close();
    if (this.#file !== undefined && isSearch(kind, value)) {
      const thread = await this.#search(this.#file);
      return thread.ask(kind, value, signal);
    }
    const thread = await this.#reading(kind);
    const answer = await thread.ask(kind, value, signal);
    if (kind === 'open') this.#opens(value as Asked<ReaderRequests, 'open'>);
    if (kind === 'close') this.#open = undefined;
    return answer;
  }

  async end(): Promise<void> {
    this.#isEnded = true;
    await Promise.all([this.#quick.end(), this.#searching?.end()]);
  }

  #opens(value: Asked<ReaderRequests, 'open'>): void {
    this.#open = value;
    this.#file = value.how === 'beside-writer' ? value.file : undefined;
  }

  /** The thread for single messages. */
  async #reading(kind: keyof ReaderRequests): Promise<Thread<ReaderRequests>> {
    if (this.#quick.isOver && !this.#isEnded) {
      this.#quick = new Thread('reader-thread', this.#reportStep);
      this.#hasNothingOpen = true;
    }
    if (kind === 'open' || kind === 'close') this.#hasNothingOpen = false;
    else if (this.#hasNothingOpen) await this.#openAgain();
    return this.#quick;
  }

  async #openAgain(): Promise<void> {
    if (this.#open === undefined) return;
    this.#openingAgain ??= this.#quick.ask('open', this.#open);
    try {
      await this.#openingAgain;
      this.#hasNothingOpen = false;
    } finally {
      this.#openingAgain = undefined;
    }
  }

  async #search(file: string): Promise<Thread<ReaderRequests>> {
    if (this.#searching?.isOver === true && !this.#isEnded) this.#forgetSearching();
    this.#searching ??= new Thread('reader-thread', this.#reportStep, 'search-thread');
    this.#opened ??= this.#searching.ask('open', { file, how: 'beside-writer' });
    try {
      await this.#opened;
    } catch (error) {
      // The next search tries again.
      this.#opened = undefined;
      throw error;
    }
    return this.#searching;
  }

  #forgetSearching(): void {
    this.#searching = undefined;
    this.#opened = undefined;
  }

  async #close(): Promise<void> {
    const opened = this.#opened;
    this.#file = undefined;
    this.#opened = undefined;
    if (opened === undefined) return;
    await opened.catch(() => undefined);
    if (this.#searching?.isOver === true) this.#forgetSearching();
    else await this.#searching?.ask('close', null);
  }
}

/** Whether a request goes over many messages, or reads the payloads of many. */
function isSearch<K extends keyof ReaderRequests>(kind: K, value: unknown): boolean {
  if (kind === 'test' || kind === 'columnValues') return true;
  if (kind === 'page' || kind === 'scan') {
    const { filter } = value as Asked<ReaderRequests, 'page' | 'scan'>;
    return filter !== undefined && !filter.isEmpty;
  }
  if (kind !== 'summaries') return false;
  const { facets } = value as Asked<ReaderRequests, 'summaries'>;
  return facets.some(readsBody);
}
