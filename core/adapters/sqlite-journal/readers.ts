/** Two reading threads: one for single messages, one for searches, so that a read of one message does not wait for a search. */
import { readsBody } from '../../domain/facet-needs.ts';
import type { Answered, Asked, ReaderRequests, ReportStep } from './requests.ts';
import { Thread } from './thread.ts';

/** The way to ask a reader; one thread alone offers it too. */
export type Reads = Pick<Thread<ReaderRequests>, 'ask' | 'end'>;

export class Readers implements Reads {
  readonly #quick: Thread<ReaderRequests>;
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
    const answer = await this.#quick.ask(kind, value, signal);
    if (kind === 'open') this.#file = fileBesideWriter(value);
    return answer;
  }

  async end(): Promise<void> {
    await Promise.all([this.#quick.end(), this.#searching?.end()]);
  }

  async #search(file: string): Promise<Thread<ReaderRequests>> {
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

  async #close(): Promise<void> {
    const opened = this.#opened;
    this.#file = undefined;
    this.#opened = undefined;
    if (opened === undefined) return;
    await opened.catch(() => undefined);
    await this.#searching?.ask('close', null);
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

function fileBesideWriter(value: unknown): string | undefined {
  const { file, how } = value as Asked<ReaderRequests, 'open'>;
  return how === 'beside-writer' ? file : undefined;
}
