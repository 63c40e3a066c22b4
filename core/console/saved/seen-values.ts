/** Values that the filter field offers: present topics, apps and routes, and values from the newest messages. */
import { errorText } from '../../contract/error-text.ts';
import type { MessageRow } from '../../contract/message.ts';
import type { Codec } from '../../domain/codec.ts';
import type { TermKey } from '../../domain/filter/ast.ts';
import type { CompletionSources } from '../../domain/filter/complete.ts';
import type { SeenKind } from '../../domain/filter/seen-members.ts';
import { buildSubject } from '../../domain/filter/subject.ts';
import { pathsOf } from '../../domain/subscription.ts';
import type { Clock } from '../../ports/clock.ts';
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

type Values = Partial<Record<TermKey, readonly string[]>>;

export interface SeenValuesDependencies {
  readonly runtime: Pick<RuntimeApi, 'journal' | 'topology'>;
  readonly codec: Codec;
  readonly clock: Clock;
  readonly log: Log;
}

export class SeenValues {
  readonly #deps: SeenValuesDependencies;
  #sources: Promise<CompletionSources> | undefined;
  #readAt = -Infinity;

  constructor(deps: SeenValuesDependencies) {
    this.#deps = deps;
  }

  /** Values for completion and for what is meant, at most 2 s old. Never rejects: without the history those are left that need no reading. */
  sources(): Promise<CompletionSources> {
    const now = this.#deps.clock.now();
    if (this.#sources === undefined || now - this.#readAt >= FRESH_MS) {
      this.#readAt = now;
      this.#sources = this.#read(now).catch((error: unknown) => {
        this.#sources = undefined;
        const why = errorText(error);
        this.#deps.log.write(
          'debug',
          'console',
          `The filter field offers nothing of recent messages: ${why}`,
        );
        return { values: this.#present(), paths: [], metaKeys: [] };
      });
    }
    return this.#sources;
  }

  async #read(nowMs: number): Promise<CompletionSources> {
    const { runtime, codec } = this.#deps;
    const { items } = await runtime.journal.page({ order: 'newest', limit: ROWS, nowMs });
    const opened = await Promise.all(toOpen(items).map((row) => runtime.journal.get(row.messageId)));
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
    const isWanted = (path: string): boolean => isShort(path) && (paths.size < MAX_PATHS || paths.has(path));
    for (const found of opened) {
      if (found === undefined) continue;
      const subject = buildSubject({ ...found.message, row: found.row }, [], codec);
      const source = subject.event?.['source'];
      sources.add(typeof source === 'string' ? source : undefined);
      for (const key of Object.keys(subject.metadata)) metaKeys.add(key);
      for (const [path, value] of membersOf(subject.data(), '', 0, isWanted)) {
        paths.add(path);
        kinds.add(path, value);
      }
    }
    const values: Values = {
      ...this.#present(),
      type: types.frequent(),
      source: sources.frequent(),
      subject: subjects.frequent(),
    };
    return { values, paths: paths.frequent(), kinds: kinds.clear(), metaKeys: metaKeys.frequent() };
  }

  /** Values that are known without the history. */
  #present(): Values {
    const { runtime } = this.#deps;
    return {
      topic: runtime.topology
        .topics()
        .map(({ topic }) => topic)
        .filter(isShort),
      app: runtime.topology.apps().map(({ appId }) => appId),
      pubsub: runtime.topology
        .components()
        .filter(({ kind }) => kind === 'pubsub')
        .map(({ name }) => name),
      route: unique(runtime.topology.subscriptions().flatMap(pathsOf)).filter(isShort),
    };
  }
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
