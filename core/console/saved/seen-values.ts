/**
 * Values that the filter field offers: present topics, apps and routes, and values from the newest messages; in a recording all from its
 * messages.
 */
import { errorText } from '../../contract/error-text.ts';
import type { DeliveryState } from '../../contract/delivery.ts';
import type { MessageRow } from '../../contract/message.ts';
import type { Codec } from '../../domain/codec.ts';
import type { TermKey } from '../../domain/filter/ast.ts';
import type { CompletionSources } from '../../domain/filter/complete.ts';
import type { SeenKind } from '../../domain/filter/seen-members.ts';
import { buildSubject } from '../../domain/filter/subject.ts';
import { editedWire } from '../../domain/preview.ts';
import { pathsOf } from '../../contract/route-paths.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Journal } from '../../ports/journal.ts';
import type { Log } from '../../ports/log.ts';
import type { RuntimeApi } from '../../runtime/runtime.ts';

/** Number of newest messages whose rows are read, and of those whose bodies are read for paths and metadata. */
const ROWS = 500;
const OPENED = 50;
/** Maximum size of the bodies read together: parsing megabytes would delay deliveries while a person types. */
const OPENED_BYTES = 1024 * 1024;
/** Time for which the values are reused, however fast a person types. */
const FRESH_MS = 2000;
const MAX_PATHS = 200;
/** Maximum number of characters of a path or another value: every term of a filter is compared with each of them, and nobody writes longer ones. */
const MAX_NAME_LENGTH = 200;
const DEEPEST = 6;
/** Different answers that are looked through for a text, and the characters of each. */
const MAX_ANSWERS = 100;
const MAX_ANSWER_LENGTH = 4000;
const FAILED: ReadonlySet<DeliveryState> = new Set(['retrying', 'dropped', 'parked', 'dead-lettered']);

type Values = Partial<Record<TermKey, readonly string[]>>;

export interface SeenValuesDependencies {
  readonly runtime: Pick<RuntimeApi, 'topology'>;
  /** The live history, or that of an open recording; throws Refusal NOT_FOUND. */
  readonly journalOf: (recordingId: string | undefined) => Journal;
  readonly codec: Codec;
  readonly clock: Clock;
  readonly log: Log;
}

type Names = Readonly<Record<'topic' | 'app' | 'pubsub' | 'route', readonly string[]>>;

export class SeenValues {
  readonly #deps: SeenValuesDependencies;
  #sources: Promise<CompletionSources> | undefined;
  /** The recording that they are of; undefined: the live history. */
  #of: string | undefined;
  #readAt = -Infinity;

  constructor(deps: SeenValuesDependencies) {
    this.#deps = deps;
  }

  /**
   * Values for completion and for what is meant, at most 2 s old. Throws Refusal NOT_FOUND. A history that cannot be read leaves those that
   * need no reading.
   * @param recordingId undefined: of the live history
   */
  async sources(recordingId?: string): Promise<CompletionSources> {
    const now = this.#deps.clock.now();
    const isFresh = this.#of === recordingId && now - this.#readAt < FRESH_MS;
    if (this.#sources !== undefined && isFresh) return this.#sources;
    const journal = this.#deps.journalOf(recordingId);
    const sources = this.#read(journal, recordingId !== undefined, now).catch((error: unknown) => {
      if (this.#sources === sources) this.#sources = undefined;
      const why = errorText(error);
      this.#deps.log.write('debug', 'console', `The filter field offers nothing of recent messages: ${why}`);
      return { values: recordingId === undefined ? this.#present() : {}, paths: [], metaKeys: [] };
    });
    this.#of = recordingId;
    this.#readAt = now;
    this.#sources = sources;
    return sources;
  }

  async #read(journal: Journal, isRecording: boolean, nowMs: number): Promise<CompletionSources> {
    const { codec } = this.#deps;
    const { items } = await journal.page({ order: 'newest', limit: ROWS, nowMs });
    const newest = toOpen(items);
    const opened = await Promise.all(newest.map((row) => journal.get(row.messageId)));
    const beside = items.slice(OPENED).filter(hasFailed);
    const failed = await Promise.all(toOpen(beside).map((row) => journal.get(row.messageId)));
    const types = new Tally();
    const subjects = new Tally();
    const contentTypes = new Tally();
    for (const { eventType, subject, contentType } of items) {
      types.add(eventType);
      subjects.add(subject);
      contentTypes.add(contentType);
    }
    const sources = new Tally();
    const metaKeys = new Tally();
    const paths = new Tally();
    const kinds = new Kinds();
    const isWanted = (path: string): boolean => isShort(path) && (paths.size < MAX_PATHS || paths.has(path));
    for (const found of opened) {
      if (found === undefined) continue;
      const edited = editedWire(found.deliveries.map(({ delivery }) => delivery));
      const subject = buildSubject({ ...found.message, row: found.row, edited }, [], codec);
      const source = subject.event?.['source'];
      sources.add(typeof source === 'string' ? source : undefined);
      for (const key of Object.keys(subject.metadata)) metaKeys.add(key);
      for (const [path, value] of membersOf(subject.data(), '', 0, isWanted)) {
        paths.add(path);
        kinds.add(path, value);
      }
    }
    const answers = answersIn([...opened, ...failed]);
    const values: Values = {
      ...(isRecording ? namesIn(items) : this.#present()),
      type: types.frequent(),
      source: sources.frequent(),
      subject: subjects.frequent(),
      contenttype: contentTypes.frequent(),
    };
    return { values, paths: paths.frequent(), kinds: kinds.clear(), metaKeys: metaKeys.frequent(), answers };
  }

  /** Values that are known without the history. */
  #present(): Names {
    const { topology } = this.#deps.runtime;
    return {
      topic: topology
        .topics()
        .map(({ topic }) => topic)
        .filter(isShort),
      app: topology.apps().map(({ appId }) => appId),
      pubsub: topology
        .components()
        .filter(({ kind }) => kind === 'pubsub')
        .map(({ name }) => name),
      route: unique(topology.subscriptions().flatMap(pathsOf)).filter(isShort),
    };
  }
}

/** The names in a recording, whose topics and apps need not be those of this run. */
function namesIn(rows: readonly MessageRow[]): Names {
  const deliveries = rows.flatMap((row) => row.deliveries);
  return {
    topic: unique(rows.map(({ topic }) => topic)).filter(isShort),
    app: unique([...rows, ...deliveries].map(({ appId }) => appId)),
    pubsub: unique(rows.map(({ pubsubname }) => pubsubname)),
    route: unique(deliveries.flatMap(({ route }) => route ?? [])).filter(isShort),
  };
}

/** Whether a call of this message may have had an answer that says what failed. */
function hasFailed({ deliveries }: MessageRow): boolean {
  return deliveries.some(({ state, attempts }) => attempts > 1 || FAILED.has(state));
}

/** The different bodies of answers, in lower case and cut, as many as fit. */
function answersIn(
  messages: readonly (Awaited<ReturnType<Journal['get']>> | undefined)[],
): readonly string[] {
  const bodies = new Set<string>();
  for (const found of messages) {
    for (const { attempts } of found?.deliveries ?? []) {
      for (const { response } of attempts) {
        if (bodies.size >= MAX_ANSWERS) return [...bodies];
        if (response !== undefined && response.body !== '' && response.bodyBase64 !== true)
          bodies.add(response.body.slice(0, MAX_ANSWER_LENGTH).toLowerCase());
      }
    }
  }
  return [...bodies];
}

/** The newest messages that fit into `OPENED_BYTES` together; one that does not fit is skipped. */
function toOpen(rows: readonly MessageRow[]): readonly MessageRow[] {
  let left = OPENED_BYTES;
  return rows.slice(0, OPENED).filter(({ sizeBytes }) => {
    if (sizeBytes > left) return false;
    left -= sizeBytes;
    return true;
  });
}

/** Counts words and returns the most frequent first. */
class Tally {
  readonly #counts = new Map<string, number>();

  get size(): number {
    return this.#counts.size;
  }

  has(word: string): boolean {
    return this.#counts.has(word);
  }

  add(word: string | undefined): void {
    if (word !== undefined && word !== '' && isShort(word))
      this.#counts.set(word, (this.#counts.get(word) ?? 0) + 1);
  }

  frequent(): readonly string[] {
    return [...this.#counts].toSorted((a, b) => b[1] - a[1]).map(([word]) => word);
  }
}

/** The kind of the values at each path. */
class Kinds {
  readonly #kinds = new Map<string, SeenKind | 'mixed'>();

  add(path: string, value: unknown): void {
    const isPlain = typeof value === 'number' || typeof value === 'boolean';
    const kind = isPlain ? 'plain' : typeof value === 'string' ? 'text' : 'mixed';
    const before = this.#kinds.get(path) ?? kind;
    this.#kinds.set(path, before === kind ? kind : 'mixed');
  }

  /** The paths whose values are all of one kind. */
  clear(): ReadonlyMap<string, SeenKind> {
    return new Map([...this.#kinds].flatMap(([path, kind]) => (kind === 'mixed' ? [] : [[path, kind]])));
  }
}

/**
 * The values in a payload with their paths, as a filter writes them; only the first element of a list, since all look alike.
 * @param isWanted false: neither the path nor one under it is given
 */
function* membersOf(
  value: unknown,
  path: string,
  depth: number,
  isWanted: (path: string) => boolean,
): Generator<readonly [string, unknown]> {
  if (path !== '') {
    if (!isWanted(path)) return;
    yield [path, value];
  }
  if (depth >= DEEPEST || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    if (path !== '' && value.length > 0) yield* membersOf(value[0], `${path}[0]`, depth + 1, isWanted);
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    if (/^[A-Za-z_$][\w$-]*$/.test(name))
      yield* membersOf(member, path === '' ? name : `${path}.${name}`, depth + 1, isWanted);
  }
}

function isShort(word: string): boolean {
  return word.length <= MAX_NAME_LENGTH;
}

function unique(words: readonly string[]): readonly string[] {
  return [...new Set(words)];
}
