/** Values that the filter field offers: present topics, apps and routes, and values from the newest messages; in a recording all from its messages. */
import type { MessageRow } from '../../contract/message.ts';
import type { Codec } from '../../domain/codec.ts';
import type { TermKey } from '../../domain/filter/ast.ts';
import type { CompletionSources } from '../../domain/filter/complete.ts';
import type { SeenKind } from '../../domain/filter/seen-members.ts';
import { buildSubject } from '../../domain/filter/subject.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Journal } from '../../ports/journal.ts';
import type { RuntimeApi } from '../../runtime/runtime.ts';

/** Number of newest messages whose rows are read, and of those whose bodies are read for paths and metadata. */
const ROWS = 500;
const OPENED = 50;
/** Maximum size of the bodies read together: parsing megabytes would delay deliveries while a person types. */
const OPENED_BYTES = 1024 * 1024;
/** Time for which the values are reused, however fast a person types. */
const FRESH_MS = 2000;
const MAX_PATHS = 200;
const DEEPEST = 6;

export interface SeenValuesDependencies {
  readonly runtime: Pick<RuntimeApi, 'topology'>;
  /** The live history, or that of an open recording; throws Refusal NOT_FOUND. */
  readonly journalOf: (recordingId: string | undefined) => Journal;
  readonly codec: Codec;
  readonly clock: Clock;
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
   * Values for completion, at most 2 s old. Rejects with Refusal NOT_FOUND.
   * @param recordingId undefined: of the live history
   */
  sources(recordingId?: string): Promise<CompletionSources> {
    const now = this.#deps.clock.now();
    const isFresh = this.#of === recordingId && now - this.#readAt < FRESH_MS;
    if (this.#sources !== undefined && isFresh) return this.#sources;
    const sources = this.#read(recordingId, now).catch((error: unknown) => {
      if (this.#sources === sources) this.#sources = undefined;
      throw error;
    });
    this.#of = recordingId;
    this.#readAt = now;
    this.#sources = sources;
    return sources;
  }

  async #read(recordingId: string | undefined, nowMs: number): Promise<CompletionSources> {
    const { codec } = this.#deps;
    const journal = this.#deps.journalOf(recordingId);
    const { items } = await journal.page({ order: 'newest', limit: ROWS, nowMs });
    const opened = await Promise.all(toOpen(items).map((row) => journal.get(row.messageId)));
    const types = new Tally();
    const subjects = new Tally();
    for (const { eventType, subject } of items) {
      types.add(eventType);
      subjects.add(subject);
    }
    const sources = new Tally();
    const metaKeys = new Tally();
    const paths = new Tally();
    const kinds = new Kinds();
    for (const found of opened) {
      if (found === undefined) continue;
      const subject = buildSubject({ ...found.message, row: found.row }, [], codec);
      const source = subject.event?.['source'];
      sources.add(typeof source === 'string' ? source : undefined);
      for (const key of Object.keys(subject.metadata)) metaKeys.add(key);
      for (const [path, value] of pathsOf(subject.data(), '', 0)) {
        if (paths.size >= MAX_PATHS) break;
        paths.add(path);
        kinds.add(path, value);
      }
    }
    const values: Partial<Record<TermKey, readonly string[]>> = {
      ...(recordingId === undefined ? this.#namesNow() : namesIn(items)),
      type: types.frequent(),
      source: sources.frequent(),
      subject: subjects.frequent(),
    };
    return { values, paths: paths.frequent(), kinds: kinds.clear(), metaKeys: metaKeys.frequent() };
  }

  #namesNow(): Names {
    const { topology } = this.#deps.runtime;
    return {
      topic: topology.topics().map(({ topic }) => topic),
      app: topology.apps().map(({ appId }) => appId),
      pubsub: topology
        .components()
        .filter(({ kind }) => kind === 'pubsub')
        .map(({ name }) => name),
      route: unique(topology.subscriptions().flatMap(routesOf)),
    };
  }
}

/** The names in a recording, whose topics and apps need not be those of this run. */
function namesIn(rows: readonly MessageRow[]): Names {
  const deliveries = rows.flatMap((row) => row.deliveries);
  return {
    topic: unique(rows.map(({ topic }) => topic)),
    app: unique([...rows, ...deliveries].map(({ appId }) => appId)),
    pubsub: unique(rows.map(({ pubsubname }) => pubsubname)),
    route: unique(deliveries.flatMap(({ route }) => route ?? [])),
  };
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

  add(word: string | undefined): void {
    if (word !== undefined && word !== '') this.#counts.set(word, (this.#counts.get(word) ?? 0) + 1);
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

function routesOf(subscription: {
  readonly rules: readonly { readonly path: string }[];
  readonly defaultPath?: string;
}): readonly string[] {
  const { rules, defaultPath } = subscription;
  return [...rules.map(({ path }) => path), ...(defaultPath === undefined ? [] : [defaultPath])];
}

/** The values in a payload with their paths, as a filter writes them; only the first element of a list, since all look alike. */
function* pathsOf(value: unknown, path: string, depth: number): Generator<readonly [string, unknown]> {
  if (path !== '') yield [path, value];
  if (depth >= DEEPEST || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    if (path !== '' && value.length > 0) yield* pathsOf(value[0], `${path}[0]`, depth + 1);
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    if (/^[A-Za-z_$][\w$-]*$/.test(name))
      yield* pathsOf(member, path === '' ? name : `${path}.${name}`, depth + 1);
  }
}

function unique(words: readonly string[]): readonly string[] {
  return [...new Set(words)];
}
