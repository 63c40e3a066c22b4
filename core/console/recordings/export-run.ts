/** One export. Each part is created when the client reads it, so the export as a whole is stored nowhere. */
import type { ExportPart } from '../../contract/recording.ts';
import { cutPlace } from '../../contract/cut-place.ts';
import { errorText } from '../../contract/error-text.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { MessageDetailSource } from '../../ports/journal.ts';
import type { ExportTexts } from '../../ports/recording-texts.ts';
import type { Job } from '../jobs.ts';

/** Number of characters of a part; a client joins the parts. */
const PART_CHARACTERS = 1024 * 1024;

export interface ExportRunDependencies {
  readonly job: Job;
  readonly groups: AsyncIterable<readonly MessageDetailSource[]>;
  readonly texts: ExportTexts;
}

export class ExportRun {
  readonly job: Job;
  readonly #texts: AsyncGenerator<string>;
  #last: ExportPart | undefined;
  /** Last read of the export; the next one follows it. */
  #reading: Promise<unknown> = Promise.resolve();
  #rest = '';

  constructor(deps: ExportRunDependencies) {
    this.job = deps.job;
    this.#texts = textsOf(deps);
    this.job.signal.addEventListener('abort', () => this.#forget(), { once: true });
  }

  /** Part `part`, from 1: the one after the last, or the last one again. Throws Refusal INVALID_PARAMS, NOT_FOUND. */
  read(part: number): Promise<ExportPart> {
    const next = this.#reading.then(() => this.#read(part));
    this.#reading = next.catch(() => undefined);
    return next;
  }

  async #read(part: number): Promise<ExportPart> {
    if (this.job.signal.aborted)
      throw new Refusal('NOT_FOUND', { reason: 'This export was cancelled.' }, { field: 'jobId' });
    const last = this.#last?.part ?? 0;
    if (this.#last !== undefined && part === last) return this.#last;
    if (part !== last + 1 || this.#last?.isLast === true) {
      const expected =
        last === 0 ? '1' : this.#last?.isLast === true ? String(last) : `${last} or ${last + 1}`;
      throw new Refusal(
        'INVALID_PARAMS',
        { reason: `part must be ${expected}, got ${part}` },
        { field: 'part', expected },
      );
    }
    this.#last = await this.#make(part);
    return this.#last;
  }

  /** Drops the unread text after the running read, because the client will not continue. */
  #forget(): void {
    const forgotten = this.#reading.then(async () => {
      this.#last = undefined;
      this.#rest = '';
      await this.#texts.return(undefined);
    });
    this.#reading = forgotten.catch(() => undefined);
  }

  async #make(part: number): Promise<ExportPart> {
    const { job } = this;
    let text = this.#rest;
    let isDone = false;
    try {
      while (text.length < PART_CHARACTERS && !isDone) {
        const next = await this.#texts.next();
        if (next.done === true) isDone = true;
        else text += next.value;
      }
    } catch (error) {
      job.end(errorText(error));
      throw error;
    }
    const cut = text.length <= PART_CHARACTERS ? text.length : cutPlace(text, PART_CHARACTERS);
    this.#rest = text.slice(cut);
    const isLast = isDone && this.#rest === '';
    if (isLast) job.end();
    return { part, text: text.slice(0, cut), isLast, done: job.done, count: job.count };
  }
}

async function* textsOf({ job, groups, texts }: ExportRunDependencies): AsyncGenerator<string> {
  try {
    yield await texts.begin();
    for await (const group of groups) {
      job.signal.throwIfAborted();
      yield await texts.messages(group);
      job.done += group.length;
    }
    yield await texts.end();
  } finally {
    texts.drop();
  }
}
