/**
 * Source of components, declarative subscriptions and resiliency policies: a folder of YAML files, or the
 * built-in component.
 */
import type { FolderLimit } from '../contract/component-scopes.ts';
import type { Problem } from '../contract/subscription.ts';
import type { GivenField } from '../domain/component.ts';
import type { Binding } from './binding.ts';
import type { PubSub } from './pubsub.ts';
import type { Secrets } from './secrets.ts';

/** A component with its settings resolved for one app (templates, secrets), not yet started. */
export interface ComponentSpec {
  readonly name: string;
  readonly type: string;
  /** Type in the component's file, if `type` replaces it. */
  readonly insteadOf?: string;
  readonly version: string;
  readonly file?: string;
  readonly document?: number;
  readonly line?: number;
  readonly ignoreErrors: boolean;
  readonly initTimeoutMs: number;
  readonly scopes: readonly string[];
  /** Line of the key `scopes`; absent: there is none. */
  readonly scopesLine?: number;
  /** Present if `scopes` are not those of the file. */
  readonly limitedBy?: FolderLimit;
  readonly metadata: Readonly<Record<string, string>>;
  /** `metadata` without secrets, for display. */
  readonly shown: Readonly<Record<string, string>>;
  readonly problems: readonly Problem[];
  /** Prefix of every topic at the broker; only for a pub/sub component. */
  readonly topicPrefix?: string;
  /** Why the component cannot be used; absent: it can. */
  readonly failed?: string;
  /** True: its file has no mistake; it waits for the file with the secrets of its secret store. */
  readonly awaitsSecrets?: boolean;
}

/** The part of a component's file that a check of its settings needs. */
export interface CheckedComponent {
  readonly name: string;
  readonly file: string;
  readonly document: number;
  /** Problems that the rules for all components found before. */
  readonly problems: readonly Problem[];
  /** Position of a field in the file, from 1. */
  readonly locate: (field: string) => { readonly line: number; readonly column: number };
}

/** Check of a component type whose settings depend on each other. */
export interface FieldCheck {
  /** Type in lower case. */
  readonly type: string;
  /**
   * All problems of a component: the earlier ones that still apply, then those of this check.
   * @param given in the order of `spec.metadata`
   */
  problems(component: CheckedComponent, given: readonly GivenField[]): readonly Problem[];
}

/** A wrong setting. Another start with the same settings does not help. */
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
  /** Parsed subscription documents, with their position. */
  readonly subscriptions: readonly {
    readonly document: unknown;
    readonly file: string;
    readonly index: number;
    readonly line: number;
    /** Apps to which the document's folder belongs; absent: all. */
    readonly apps?: readonly string[];
    /**
     * Position of a field's value, for example `spec.routes.rules[0].match`, from 1; with `name` that of the
     * field's name.
     */
    locate?(field: string, what?: 'name'): { readonly line: number; readonly column: number };
  }[];
  /** Parsed resiliency documents, with their position. */
  readonly resiliency: readonly {
    readonly document: unknown;
    readonly file: string;
    readonly index: number;
    readonly line: number;
    /** Apps to which the document's folder belongs; absent: all. */
    readonly apps?: readonly string[];
    /**
     * Position of a field's value, for example `spec.routes.rules[0].match`, from 1; with `name` that of the
     * field's name.
     */
    locate?(field: string, what?: 'name'): { readonly line: number; readonly column: number };
  }[];
  readonly problems: readonly Problem[];
}

/**
 * Files that another program changed, added or removed, and when that was last found while the folder was
 * loaded.
 */
export interface ChangedFiles {
  /** Time of the load; ISO 8601, UTC. */
  readonly at: string;
  readonly files: readonly string[];
}

export interface ComponentSource {
  readonly folder?: string;
  /** Path of a file that a problem or a component names, by which a person at a terminal finds it; absent: they are in no folder. */
  readonly pathOf?: (file: string) => string;
  /** Changes by other programs since the start; changes by `save` do not count. Absent: there are none. */
  readonly changedOnDisk?: ChangedFiles | undefined;
  load(): Promise<Resources>;
  /** Makes a component of its type without starting it; undefined: unknown type. */
  build(spec: ComponentSpec): Built | undefined;
  knownTypes(): readonly string[];
  /** Calls back (debounced) when a file changed. */
  watch(changed: () => void): () => void;
  /** Rejects with Refusal for a name that no file may have. Others have their turns while a long text is read. */
  validate(file: string, text: string): Promise<readonly Problem[]>;
  read(file: string): Promise<string>;
  /** Adds a component; only if there is no folder. */
  add?(file: string, text: string): Promise<readonly Problem[]>;
  /** Removes a component that `add` added. Throws Refusal NOT_FOUND. */
  remove?(file: string): Promise<void>;
  /** Why a restart forgets added components; undefined: they are kept. */
  notKept?(): string | undefined;
  /** Writes the file whole or not at all. Refuses names outside the folder. */
  save(file: string, text: string): Promise<readonly Problem[]>;
}
