/** The recordings that are open beside the live history, each in a journal of its own. */
import type { ImportParams, Recording } from '../../contract/recording.ts';
import type { Codec } from '../../domain/codec.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { Clock } from '../../ports/clock.ts';
import type { IdSource } from '../../ports/ids.ts';
import type { Journal } from '../../ports/journal.ts';
import type { Log } from '../../ports/log.ts';
import type { EventSource } from '../../runtime/api.ts';
import { Batcher } from '../stream/batcher.ts';
import { ViewLists } from '../views/view-lists.ts';
import { ImportRun } from './import-run.ts';

/** Maximum number of open recordings: each has files and threads of its own. */
const MAX_OPEN = 5;
/** Time without a new piece after which an unfinished import is dropped. */
const GONE_MS = 600_000;

/** A journal for one recording; closing it leaves nothing behind. */
export type OpenRecordingJournal = () => Promise<Journal>;

export interface OpenRecordingsDependencies {
  readonly openRecordingJournal: OpenRecordingJournal;
  readonly codec: Codec;
  readonly clock: Clock;
  readonly ids: Pick<IdSource, 'hex'>;
  readonly log: Log;
}

interface Open {
  readonly run: ImportRun;
  lists: ViewLists | undefined;
  lastUsedMs: number;
  /** The last piece of the file; the next one follows it. */
  taking: Promise<void>;
}

export class OpenRecordings {
  readonly #deps: OpenRecordingsDependencies;
  readonly #open = new Map<string, Open>();
  /** Imports for which room is made, or whose journal is being opened. */
  readonly #beginning = new Set<Promise<Open>>();
  /** Number of those that have room. */
  #opening = 0;

  constructor(deps: OpenRecordingsDependencies) {
    this.#deps = deps;
  }

  /** Imports a piece of a file. Throws Refusal INVALID_PARAMS (no recording), NOT_FOUND, TOO_LARGE (too many are open). */
  async import({ name, text, recordingId, isLast = true }: ImportParams): Promise<Recording> {
    const open = recordingId === undefined ? await this.#begin(name) : this.#find(recordingId);
    if (open.run.isReady) {
      const reason = 'This recording is complete; nothing can be added to it.';
      throw new Refusal(
        'INVALID_PARAMS',
        { reason },
        { field: 'recordingId', expected: 'one that is being read' },
      );
    }
    open.lastUsedMs = this.#deps.clock.now();
    const taken = open.taking.then(() => open.run.take(text, isLast));
    open.taking = taken.catch(() => undefined);
    try {
      await taken;
    } catch (error) {
      await this.#drop(open);
      throw error;
    }
    return open.run.describe();
  }

  list(): readonly Recording[] {
    return [...this.#open.values()].map(({ run }) => run.describe());
  }

  /** Throws Refusal NOT_FOUND. */
  async close(recordingId: string): Promise<void> {
    await this.#drop(this.#find(recordingId));
  }

  /** Throws Refusal NOT_FOUND, and INVALID_PARAMS while its file is still coming. */
  journal(recordingId: string): Journal {
    return this.#ready(recordingId).run.journal;
  }

  recording(recordingId: string): Recording {
    return this.#ready(recordingId).run.describe();
  }

  /** The lists behind views of it; throws as `journal`. */
  lists(recordingId: string): ViewLists {
    const open = this.#ready(recordingId);
    const { clock, log } = this.#deps;
    open.lists ??= new ViewLists({
      journal: open.run.journal,
      batcher: new Batcher(NOTHING_HAPPENS, clock),
      clock,
      log,
      // A recording does not change, so its journal is always up to date.
      caughtUp: () => Promise.resolve(true),
      readsAll: () => true,
    });
    return open.lists;
  }

  /** Closes also those that are beginning: nothing else would remove its folder. */
  async closeAll(): Promise<void> {
    await Promise.allSettled(this.#beginning);
    await Promise.all([...this.#open.values()].map((open) => this.#drop(open)));
  }

  async #begin(name: string | undefined): Promise<Open> {
    const beginning = this.#openWithRoom(name);
    this.#beginning.add(beginning);
    try {
      return await beginning;
    } finally {
      this.#beginning.delete(beginning);
    }
  }

  async #openWithRoom(name = 'recording'): Promise<Open> {
    const { openRecordingJournal, codec, clock, ids } = this.#deps;
    await this.#makeRoom();
    try {
      const run = new ImportRun(
        { recordingId: `rec_${ids.hex(6)}`, name },
        await openRecordingJournal(),
        codec,
      );
      const open: Open = { run, lists: undefined, lastUsedMs: clock.now(), taking: Promise.resolve() };
      this.#open.set(run.recordingId, open);
      return open;
    } finally {
      this.#opening -= 1;
    }
  }

  /** Takes room for one more. */
  async #makeRoom(): Promise<void> {
    const now = this.#deps.clock.now();
    for (const open of [...this.#open.values()]) {
      if (!open.run.isReady && now - open.lastUsedMs >= GONE_MS) await this.#drop(open);
    }
    if (this.#open.size + this.#opening < MAX_OPEN) {
      this.#opening += 1;
      return;
    }
    const reason = `At most ${MAX_OPEN} recordings can be open at once; close one first.`;
    throw new Refusal('TOO_LARGE', { reason }, { expected: `at most ${MAX_OPEN} recordings` });
  }

  #find(recordingId: string): Open {
    const open = this.#open.get(recordingId);
    if (open !== undefined) return open;
    const reason = `There is no recording ${recordingId}.`;
    throw new Refusal('NOT_FOUND', { reason }, { field: 'recordingId', expected: 'id of an open recording' });
  }

  #ready(recordingId: string): Open {
    const open = this.#find(recordingId);
    if (open.run.isReady) return open;
    const reason = `The recording ${recordingId} is still being read.`;
    throw new Refusal(
      'INVALID_PARAMS',
      { reason },
      { field: 'recordingId', expected: 'a recording that is ready' },
    );
  }

  async #drop(open: Open): Promise<void> {
    if (!this.#open.delete(open.run.recordingId)) return;
    await open.taking;
    await open.run.journal.close();
  }
}

/** A recording does not change. */
const NOTHING_HAPPENS: EventSource = {
  epoch: '',
  sequence: 0,
  published: 0,
  oldest: 1,
  at: () => undefined,
  since: () => [],
  giveUp: () => undefined,
  countFrom: () => false,
  onEvent: () => () => undefined,
  watch: () => () => undefined,
};
