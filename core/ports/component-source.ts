/** Where components, declarative subscriptions and resiliency policies come from: a folder of YAML files, or the built-in one. */
import type { Problem } from '../contract/subscription.ts';
import type { GivenField } from '../domain/component.ts';
import type { Binding } from './binding.ts';
import type { PubSub } from './pubsub.ts';
import type { Secrets } from './secrets.ts';

/** A component with its settings resolved for one app (templates, secrets), not yet started. */
export interface ComponentSpec {
  readonly name: string;
  readonly type: string;
  /** Type that its file gives, where `type` serves it instead. */
  readonly insteadOf?: string;
  readonly version: string;
  readonly file?: string;
  readonly document?: number;
  readonly line?: number;
  readonly ignoreErrors: boolean;
  readonly initTimeoutMs: number;
  readonly scopes: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
  /** `metadata` as it may be shown. */
  readonly shown: Readonly<Record<string, string>>;
  readonly problems: readonly Problem[];
  /** Stands before every topic at the broker; only of a pub/sub component. */
  readonly topicPrefix?: string;
  /** Set: it cannot be used, and why. */
  readonly failed?: string;
}

/** A component of a file, as far as a check of its settings needs it. */
export interface CheckedComponent {
  readonly name: string;
  readonly file: string;
  readonly document: number;
  /** Found before, by the rules of every component. */
  readonly problems: readonly Problem[];
  /** Position of a field in the file, from 1. */
  readonly locate: (field: string) => { readonly line: number; readonly column: number };
}

/** The check of a component type that judges its settings together. */
export interface FieldCheck {
  /** Lower case. */
  readonly type: string;
  /**
   * The problems of a component: those found before that still count, then those of this check.
   * @param given in the order of `spec.metadata`
   */
  problems(component: CheckedComponent, given: readonly GivenField[]): readonly Problem[];
}

/** A setting is wrong: starting the component again with the same settings does not help. */
export class SettingMistake extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SettingMistake';
  }
}

export type Built =
  | { readonly kind: 'pubsub'; readonly pubsub: PubSub }
  | { readonly kind: 'binding'; readonly binding: Binding }
  | { readonly kind: 'secretstore'; readonly secrets: Secrets };

export interface Resources {
  readonly components: readonly ComponentSpec[];
  /** Subscription documents, parsed, with their position. */
  readonly subscriptions: readonly {
    readonly document: unknown;
    readonly file: string;
    readonly index: number;
    readonly line: number;
    /** The apps that its folder belongs to; absent: all. */
    readonly apps?: readonly string[];
    /** Place of a field's value, for example `spec.routes.rules[0].match`, from 1; `name`: of the field's name. */
    locate?(field: string, what?: 'name'): { readonly line: number; readonly column: number };
  }[];
  /** Resiliency documents, parsed, with their position. */
  readonly resiliency: readonly {
    readonly document: unknown;
    readonly file: string;
    readonly index: number;
    readonly line: number;
    /** The apps that its folder belongs to; absent: all. */
    readonly apps?: readonly string[];
    /** Place of a field's value, for example `spec.routes.rules[0].match`, from 1; `name`: of the field's name. */
    locate?(field: string, what?: 'name'): { readonly line: number; readonly column: number };
  }[];
  readonly problems: readonly Problem[];
}

/** Files that another hand changed, added or removed, and when that was last found while the folder was loaded. */
export interface ChangedFiles {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly files: readonly string[];
}

export interface ComponentSource {
  readonly folder?: string;
  /** Since the start; what `save` wrote does not count. Absent: nothing changed. */
  readonly changedOnDisk?: ChangedFiles | undefined;
  load(): Promise<Resources>;
  /** Makes a component of its type; undefined: unknown type. Does not start it. */
  build(spec: ComponentSpec): Built | undefined;
  knownTypes(): readonly string[];
  /** Calls back (debounced) when a file changed. */
  watch(changed: () => void): () => void;
  validate(file: string, text: string): readonly Problem[];
  read(file: string): Promise<string>;
  /** Only where there is no folder: adds a component. */
  add?(file: string, text: string): Promise<readonly Problem[]>;
  /** Takes one away that was added so. Throws Refusal NOT_FOUND. */
  remove?(file: string): Promise<void>;
  /** Why what was added lives as long as this run; undefined: it is kept. */
  notKept?(): string | undefined;
  /** Writes the file whole or not at all. Refuses names outside the folder. */
  save(file: string, text: string): Promise<readonly Problem[]>;
}
