/** Components with their values filled in: templates, environment, secrets. Secret stores come first. Behaviour 10. */
import { mayUse } from '../../contract/component-scopes.ts';
import type { Profile } from '../../contract/profile.ts';
import type { Problem } from '../../contract/subscription.ts';
import { errorText } from '../../contract/error-text.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { DEFAULT_INIT_TIMEOUT_MS, fillTemplates } from '../../domain/component.ts';
import type { ComponentDocument, ComponentMetadata, GivenField } from '../../domain/component.ts';
import { shownAddress } from '../../domain/redact.ts';
import { secretsInAddress } from '../../domain/secret-values.ts';
import type { SecretValues } from '../../domain/secret-values.ts';
import type { Built, ComponentSpec, FieldCheck } from '../../ports/component-source.ts';
import type { Secrets } from '../../ports/secrets.ts';
import { settingProblems } from './setting-problems.ts';
import type { CheckSettings } from './setting-problems.ts';
import type { FoundComponent } from './component-reader.ts';
import type { UuidMemory } from './uuid-memory.ts';

export interface ResolveFacts {
  readonly profile: Profile;
  /** Fill `{appID}`; the first one where a component is shared by all. */
  readonly appIds: readonly string[];
  readonly namespace?: string;
  readonly podName?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly uuids: UuidMemory;
  /** Absent: no type has a check of its own. */
  readonly fieldCheck?: FieldCheck;
  /** Collects every value that must not be shown. */
  readonly secrets?: SecretValues;
  /** Absent: settings are not checked. */
  readonly check?: CheckSettings;
  /** Makes a secret store of its type. */
  readonly build: (spec: ComponentSpec) => Built | undefined;
}

/** `isAwaited`: no file of a component has a mistake; the store's file with the secrets is missing or cannot be read. */
type Store = { readonly secrets: Secrets } | { readonly failed: string; readonly isAwaited: boolean };

/** Stands for a value that must not be shown. */
const MASK = '***';
/** Settings that hold a secret although their file has it in plain text; the name of the file with the secrets is none. */
const SECRET_NAME =
  /passw|client_?key|secret(?!sfile$)|token|jwt|seedkey|access_?key|connectionstring|private_?key|api_?key|credential/i;

/** Resolves all components, secret stores first. Never rejects for a mistake in a file: the component then has problems. */
export async function resolveComponents(
  found: readonly FoundComponent[],
  facts: ResolveFacts,
): Promise<readonly ComponentSpec[]> {
  const stores = new Map<string, Store>();
  const isStore = ({ type }: FoundComponent): boolean => type.startsWith('secretstores.');
  // A store whose own settings are secrets of another store can only come after that one.
  const inOrder = found.filter(isStore).toSorted((a, b) => secretCount(a) - secretCount(b));
  const specs: ComponentSpec[] = [];
  for (const one of inOrder) {
    const spec = await resolveOne(one, stores, { ...facts, appId: facts.appIds[0] ?? '' });
    const { failed, awaitsSecrets = false } = spec;
    const store = failed === undefined ? await openStore(spec, facts) : { failed, isAwaited: awaitsSecrets };
    stores.set(spec.name, store);
    specs.push('failed' in store && spec.failed === undefined ? { ...spec, failed: store.failed } : spec);
  }
  for (const one of found) if (!isStore(one)) specs.push(...(await resolveForApps(one, stores, facts)));
  return specs;
}

/** Makes one instance for each app if values contain `{appID}`, `{namespace}` or `{uuid}`, which differ from app to app. */
async function resolveForApps(
  one: FoundComponent,
  stores: ReadonlyMap<string, Store>,
  facts: ResolveFacts,
): Promise<readonly ComponentSpec[]> {
  const { metadata = [], scopes = [] } = one.component ?? {};
  const first = facts.appIds[0] ?? '';
  const apps = facts.appIds.filter((appId) => mayUse({ scopes }, appId));
  const differs = metadata.some(({ value = '' }) => /\{(?:appID|namespace|uuid)\}/.test(value));
  if (!differs || apps.length < 2)
    return [await resolveOne(one, stores, { ...facts, appId: apps[0] ?? first })];
  const specs: ComponentSpec[] = [];
  for (const appId of apps)
    specs.push({ ...(await resolveOne(one, stores, { ...facts, appId })), scopes: [appId] });
  return specs;
}

/** Prefix of topics: only a pub/sub component has one, and only in a namespace (behaviour 10). */
function topicPrefixOf({ type, component }: FoundComponent, namespace: string): { topicPrefix?: string } {
  const isUsed = component?.metadata.some(({ value = '' }) => value.includes('{namespace}')) === true;
  return isUsed && namespace !== '' && type.startsWith('pubsub.') ? { topicPrefix: namespace } : {};
}

/** Facts for one app. */
type AppFacts = Omit<ResolveFacts, 'appIds'> & { readonly appId: string };

function secretCount({ component }: FoundComponent): number {
  return component?.metadata.filter(({ secretKeyRef }) => secretKeyRef !== undefined).length ?? 0;
}

async function openStore(spec: ComponentSpec, facts: Pick<ResolveFacts, 'build'>): Promise<Store> {
  const built = facts.build(spec);
  if (built?.kind !== 'secretstore')
    return { failed: `${spec.type} is not a secret store`, isAwaited: false };
  try {
    // The name does not matter: reading any secret shows whether the store can be opened.
    await built.secrets.get('-');
    return { secrets: built.secrets };
  } catch (error) {
    return {
      failed: errorText(error),
      isAwaited: spec.problems.every(({ severity }) => severity === 'warning'),
    };
  }
}

async function resolveOne(
  one: FoundComponent,
  stores: ReadonlyMap<string, Store>,
  facts: AppFacts,
): Promise<ComponentSpec> {
  const { name, type, file, document, line, ignoreErrors, component } = one;
  const { insteadOf } = one;
  const where = {
    ...{ name, type, file, document, line, ignoreErrors },
    ...withoutUndefined({ insteadOf }),
  };
  if (component === undefined) {
    return {
      ...where,
      version: 'v1',
      initTimeoutMs: DEFAULT_INIT_TIMEOUT_MS,
      scopes: [],
      metadata: {},
      shown: {},
      problems: one.problems,
      failed: describeFailure(one.problems),
    };
  }
  const values = new Values(one, component, stores, facts);
  for (const [index, item] of component.metadata.entries()) await values.add(item, index);
  // A value that could not be looked up is reported already, so its settings are not checked.
  const settings = values.isUsable ? settingProblems(one, values.given, facts.check) : [];
  const isReported = ({ field }: Problem): boolean => one.problems.some((problem) => problem.field === field);
  const masked = settings
    .filter((problem) => !isReported(problem))
    .map((problem) => ({ ...problem, message: facts.secrets?.mask(problem.message) ?? problem.message }));
  const ofFile = [...one.problems, ...values.problems, ...masked];
  const own = facts.fieldCheck?.type === type ? facts.fieldCheck : undefined;
  const problems = own?.problems({ ...one, problems: ofFile }, values.given) ?? ofFile;
  const isUsable =
    values.isUsable &&
    settings.length === 0 &&
    !(own !== undefined && problems.some(({ severity }) => severity === 'error'));
  return {
    ...where,
    version: component.version,
    initTimeoutMs: component.initTimeoutMs,
    scopes: component.scopes,
    ...(component.scopes.length === 0 ? {} : { scopesLine: one.locate('scopes', 'name').line }),
    metadata: values.metadata,
    shown: values.shown,
    problems,
    ...topicPrefixOf(one, facts.namespace ?? ''),
    ...(isUsable ? {} : failureOf(problems, values.awaited)),
  };
}

/** @param awaited why a secret store cannot be read yet, which is no mistake of the component's file */
function failureOf(
  problems: readonly Problem[],
  awaited: string | undefined,
): Pick<ComponentSpec, 'failed' | 'awaitsSecrets'> {
  if (awaited === undefined) return { failed: describeFailure(problems) };
  if (problems.some(({ severity }) => severity === 'error'))
    return { failed: `${describeFailure(problems)}; ${awaited}` };
  return { failed: awaited, awaitsSecrets: true };
}

function describeFailure(problems: readonly Problem[]): string {
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return 'it is not valid';
  const located = errors.map(({ file, line, column, message }) =>
    line === undefined ? message : `${message} (${file}:${line}:${column ?? 1})`,
  );
  return located.join('; ');
}

/** The settings of one component while they are filled in. */
class Values {
  readonly metadata: Record<string, string> = {};
  readonly shown: Record<string, string> = {};
  readonly problems: Problem[] = [];
  /** Every entry in its order, those that are there twice too. */
  readonly given: GivenField[] = [];
  isUsable = true;
  /** Why the secret store cannot be read yet; undefined: it can, or none is needed. */
  awaited: string | undefined;
  /** Names in lower case, and as they were given last. */
  readonly #names = new Map<string, string>();
  readonly #one: FoundComponent;
  readonly #component: ComponentDocument;
  readonly #stores: ReadonlyMap<string, Store>;
  readonly #facts: AppFacts;

  constructor(
    one: FoundComponent,
    component: ComponentDocument,
    stores: ReadonlyMap<string, Store>,
    facts: AppFacts,
  ) {
    this.#one = one;
    this.#component = component;
    this.#stores = stores;
    this.#facts = facts;
  }

  async add(item: ComponentMetadata, index: number): Promise<void> {
    const field = `spec.metadata[${index}]`;
    const { name, written } = item;
    if (item.secretKeyRef !== undefined) {
      this.#set(name, await this.#secret(item.secretKeyRef, `${field}.secretKeyRef`), true);
    } else if (item.envRef !== undefined) {
      const value = this.#facts.env[item.envRef];
      if (value === undefined) {
        this.#report(
          'warning',
          `${field}.envRef`,
          `${name}: the environment variable ${item.envRef} is not set. The setting stays empty.`,
        );
      }
      this.#set(name, value ?? '', true);
    } else {
      this.#set(name, this.#filled(name, item.value ?? '', `${field}.value`), SECRET_NAME.test(name));
    }
    const value = this.metadata[name];
    this.given.push({ name, value, ...withoutUndefined({ written }) });
  }

  #filled(name: string, value: string, field: string): string {
    const { appId, namespace, podName, uuids } = this.#facts;
    const filled = fillTemplates(value, {
      uuid: uuids.of(`${this.#one.file} ${this.#one.name} ${name} ${value} ${appId}`),
      appId,
      ...withoutUndefined({ namespace, podName }),
    });
    if (filled.ok) return name.toLowerCase() === 'consumerid' ? filled.value.trim() : filled.value;
    this.#fail(field, `${name}: ${filled.complaint}`);
    return '';
  }

  async #secret(ref: { readonly name: string; readonly key: string }, field: string): Promise<string> {
    const storeName = this.#component.auth?.secretStore;
    if (storeName === undefined) {
      this.#fail(field, 'A secretKeyRef needs auth.secretStore, the name of the secret store.');
      return '';
    }
    const store = this.#stores.get(storeName);
    if (store === undefined) {
      this.#fail('auth.secretStore', `There is no secret store ${storeName}.`);
      return '';
    }
    if ('failed' in store) {
      const message = `The secret store ${storeName} failed: ${store.failed}`;
      if (store.isAwaited) {
        this.isUsable = false;
        this.awaited = message;
      } else this.#fail('auth.secretStore', message);
      return '';
    }
    const value = await store.secrets.get(ref.name, ref.key);
    if (value !== undefined) return value;
    const key = ref.key === ref.name ? '' : ` with the key ${ref.key}`;
    this.#report(
      'error',
      field,
      `The secret store ${storeName} has no secret ${ref.name}${key}; the setting stays empty.`,
    );
    return '';
  }

  /** A name that is there twice, in any letter case, keeps its last value. */
  #set(name: string, value: string, isSecret: boolean): void {
    const lower = name.toLowerCase();
    const twin = this.#names.get(lower);
    if (twin !== undefined && twin !== name) {
      Reflect.deleteProperty(this.metadata, twin);
      Reflect.deleteProperty(this.shown, twin);
    }
    this.#names.set(lower, name);
    this.metadata[name] = value;
    this.#facts.secrets?.add(isSecret ? [value] : secretsInAddress(value));
    this.shown[name] = isSecret && value !== '' ? MASK : shownAddress(value);
  }

  #fail(field: string, message: string): void {
    this.isUsable = false;
    this.#report('error', field, message);
  }

  #report(severity: 'error' | 'warning', field: string, message: string): void {
    const { file, document, locate } = this.#one;
    this.problems.push({ file, document, ...locate(field), field, message, severity });
  }
}
