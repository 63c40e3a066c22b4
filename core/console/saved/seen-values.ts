/** Values that the filter field offers: present topics, apps and routes, and values from the newest messages. */
import type { MessageRow } from '../../contract/message.ts';
import type { Codec } from '../../domain/codec.ts';
import type { TermKey } from '../../domain/filter/ast.ts';
import type { CompletionSources } from '../../domain/filter/complete.ts';
import type { SeenKind } from '../../domain/filter/seen-members.ts';
import { buildSubject } from '../../domain/filter/subject.ts';
import type { Clock } from '../../ports/clock.ts';
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
  readonly runtime: Pick<RuntimeApi, 'journal' | 'topology'>;
  readonly codec: Codec;
  readonly clock: Clock;
}

export class SeenValues {
  readonly #deps: SeenValuesDependencies;
  #sources: Promise<CompletionSources> | undefined;
  #readAt = -Infinity;

  constructor(deps: SeenValuesDependencies) {
    this.#deps = deps;
  }

  /** Values for completion, at most 2 s old. */
  sources(): Promise<CompletionSources> {
    const now = this.#deps.clock.now();
    if (this.#sources === undefined || now - this.#readAt >= FRESH_MS) {
      this.#readAt = now;
      this.#sources = this.#read(now).catch((error: unknown) => {
        this.#sources = undefined;
        throw error;
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
      topic: runtime.topology.topics().map(({ topic }) => topic),
      app: runtime.topology.apps().map(({ appId }) => appId),
      pubsub: runtime.topology
        .components()
        .filter(({ kind }) => kind === 'pubsub')
        .map(({ name }) => name),
      route: unique(runtime.topology.subscriptions().flatMap(routesOf)),
      type: types.frequent(),
      source: sources.frequent(),
      subject: subjects.frequent(),
    };
    return { values, paths: paths.frequent(), kinds: kinds.clear(), metaKeys: metaKeys.frequent() };
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
