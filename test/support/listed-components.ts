/** Components, subscriptions and policies that a test lists, and may change while the runtime runs. */
import { createRegistry } from '../../core/adapters/registry.ts';
import type { Problem } from '../../core/contract/subscription.ts';
import type { Profile } from '../../core/contract/profile.ts';
import type { Binding } from '../../core/ports/binding.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Built, ComponentSource, ComponentSpec, Resources } from '../../core/ports/component-source.ts';
import type { Log } from '../../core/ports/log.ts';
import type { PubSub } from '../../core/ports/pubsub.ts';

export interface ListedPorts {
  readonly clock: Clock;
  readonly log: Log;
  readonly profile: Profile;
}

export class ListedComponents implements ComponentSource {
  components: ComponentSpec[] = [component('pubsub', 'pubsub.in-memory')];
  subscriptions: object[] = [];
  resiliency: object[] = [];
  problems: Problem[] = [];
  /** Path of a file; undefined: they are in no folder. */
  pathOf?: (file: string) => string;
  /** Components made by the test itself, by name; before the registry. */
  readonly own = new Map<string, () => PubSub | Binding>();
  readonly #ports: ListedPorts;
  #registry: ReturnType<typeof createRegistry>;
  readonly #watching = new Set<() => void>();

  constructor(ports: ListedPorts) {
    this.#ports = ports;
    this.#registry = createRegistry({ ...ports, env: {}, folders: [] });
  }

  /** Starts again like a new process: brokers in memory are empty, and there is no watch. */
  restarted(): void {
    this.#registry = createRegistry({ ...this.#ports, env: {}, folders: [] });
    this.#watching.clear();
  }

  get watchers(): number {
    return this.#watching.size;
  }

  /** Tells the watchers that a file was saved. */
  changed(): void {
    for (const tell of this.#watching) tell();
  }

  async load(): Promise<Resources> {
    const place = (
      document: object,
      i: number,
    ): { document: object; file: string; index: number; line: number } => ({
      document,
      file: 'listed.yaml',
      index: i + 1,
      line: 1 + i * 10,
    });
    return {
      components: [...this.components],
      subscriptions: this.subscriptions.map(place),
      resiliency: this.resiliency.map(place),
      problems: [...this.problems],
    };
  }

  build(spec: ComponentSpec): Built | undefined {
    const made = this.own.get(spec.name)?.();
    if (made === undefined) return this.#registry.build(spec);
    return 'publish' in made ? { kind: 'pubsub', pubsub: made } : { kind: 'binding', binding: made };
  }

  knownTypes(): readonly string[] {
    return this.#registry.types;
  }

  watch(changed: () => void): () => void {
    this.#watching.add(changed);
    return () => this.#watching.delete(changed);
  }

  async validate(): Promise<readonly never[]> {
    return [];
  }

  async read(): Promise<string> {
    return '';
  }

  async save(): Promise<readonly never[]> {
    return [];
  }
}

export function component(
  name: string,
  type: string,
  metadata: Readonly<Record<string, string>> = {},
  more: Partial<ComponentSpec> = {},
): ComponentSpec {
  return {
    name,
    type,
    version: 'v1',
    ignoreErrors: false,
    initTimeoutMs: 5000,
    scopes: [],
    metadata,
    shown: metadata,
    problems: [],
    ...more,
  };
}
