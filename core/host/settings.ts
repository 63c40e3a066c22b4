/** Settings with their sources, strongest first: flag, here, file, default. */
import { counted } from '../contract/count-text.ts';
import { sentence } from '../contract/error-text.ts';
import { isObject } from '../contract/is-object.ts';
import { nearest } from '../contract/nearest.ts';
import type { SettingItem, SettingOrigin } from '../contract/settings.ts';
import { found } from '../domain/members.ts';
import { isAppAddress, noAddress } from '../domain/names.ts';
import { Refusal } from '../domain/refusal.ts';
import type { SettingKey, SettingValues } from '../domain/settings.ts';
import type { SettingsStore } from '../ports/settings-store.ts';
import { configFile } from './config-file.ts';
import { UsageError } from './flags.ts';
import { readSets } from './options.ts';
import type { ProductOptions } from './options.ts';
import {
  SETTINGS,
  SETTING_KEYS,
  checkSetting,
  isSettingKey,
  describeUnknown,
  unknownAmongKnown,
  wholeSetting,
  valuesOf,
} from './setting-table.ts';

/** Throws Refusal for a value that only the running parts know to be wrong. */
type SettingCheck = (key: SettingKey, value: unknown) => void;

export class Settings implements SettingsStore {
  readonly #flag: ReadonlyMap<SettingKey, unknown>;
  readonly #file: ReadonlyMap<SettingKey, unknown>;
  readonly #here = new Map<SettingKey, unknown>();
  readonly #listeners = new Set<(key: string) => void>();
  #checks: readonly SettingCheck[] = [];
  #current: SettingValues;

  constructor(flag: ReadonlyMap<SettingKey, unknown>, file: ReadonlyMap<SettingKey, unknown>) {
    this.#flag = flag;
    this.#file = file;
    this.#current = this.#settle();
  }

  get current(): SettingValues {
    return this.#current;
  }

  items(): readonly SettingItem[] {
    return SETTING_KEYS.map((key) => ({ key, value: this.#current[key], origin: this.#origin(key) }));
  }

  /** Values that were set here, to be saved for the next start. */
  here(): Readonly<Record<string, unknown>> {
    return Object.fromEntries(this.#here);
  }

  /** Restores saved values. One that is no longer valid is left out; the result names it. */
  restore(kept: unknown): readonly string[] {
    const bad: string[] = [];
    if (typeof kept !== 'object' || kept === null) return bad;
    for (const [key, value] of Object.entries(kept)) {
      if (isSettingKey(key) && checkSetting(key, value).ok) this.#here.set(key, value);
      else bad.push(key);
    }
    this.#current = this.#settle();
    return bad;
  }

  set(key: string, value: unknown): void {
    if (!isSettingKey(key)) {
      throw new Refusal(
        'INVALID_PARAMS',
        { reason: describeUnknown(key) },
        { field: 'key', expected: SETTING_KEYS.join(', ') },
      );
    }
    if (this.#flag.has(key)) {
      throw new Refusal(
        'INVALID_PARAMS',
        { reason: `${key} is set by a flag for this run` },
        { field: 'key', expected: 'a setting that is not set by a flag' },
      );
    }
    if (value === null) this.#here.delete(key);
    else {
      const checked = checkSetting(key, value);
      if (!checked.ok) {
        const { expected, found, field: member } = checked.complaint;
        const reason = addressFault(key, value, member) ?? `${key} must be ${expected}, got ${found}`;
        throw new Refusal('INVALID_PARAMS', { reason }, { field: fieldOf(member), expected });
      }
      for (const check of this.#checks) check(key, checked.value);
      this.#here.set(key, checked.value);
    }
    this.#current = this.#settle();
    for (const changed of this.#listeners) changed(key);
  }

  /** Adds a check for each valid value that is set from now on; saved values are restored without it. */
  checkEach(check: SettingCheck): void {
    this.#checks = [...this.#checks, check];
  }

  onChange(changed: (key: string) => void): () => void {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  }

  #origin(key: SettingKey): SettingOrigin {
    if (this.#flag.has(key)) return 'flag';
    if (this.#here.has(key)) return 'here';
    return this.#file.has(key) ? 'file' : 'default';
  }

  #settle(): SettingValues {
    return valuesOf((key) => {
      const source = [this.#flag, this.#here, this.#file].find((one) => one.has(key));
      return source === undefined ? SETTINGS[key].default : source.get(key);
    });
  }
}

/** What is wrong with the address of one app; undefined: the mistake is another one. A person who typed it into a form knows no setting. */
function addressFault(key: SettingKey, value: unknown, appId: string | undefined): string | undefined {
  if (key !== 'app.address' || appId === undefined || !isObject(value)) return undefined;
  const text = value[appId];
  return typeof text === 'string' && !isAppAddress(text) ? sentence(noAddress(text)) : undefined;
}

/** Name of the parameter with the mistake: the value of the setting, or a member of it. */
function fieldOf(member: string | undefined): string {
  if (member === undefined) return 'value';
  return member.startsWith('[') ? `value${member}` : `value.${member}`;
}

/** Opens the settings: flags over the file over the defaults. Throws UsageError. */
export function openSettings({
  set,
  setTexts,
  config,
}: Pick<ProductOptions, 'set' | 'setTexts' | 'config'>): Settings {
  const file = config === undefined ? new Map<SettingKey, unknown>() : readConfig(config);
  const block = file.get('eventRouter');
  return new Settings(block === undefined ? set : readSets(setTexts, block), file);
}

/** Maximum number of mistakes that are named. */
const MAX_MISTAKES = 100;
const KNOWN = `known settings: ${SETTING_KEYS.join(', ')}`;

/** Settings of a `--config` file. Throws UsageError with a line for each mistake: file, line, column and key. */
function readConfig(path: string): ReadonlyMap<SettingKey, unknown> {
  const { content, positionOf } = configFile(path);
  const set = new Map<SettingKey, unknown>();
  if (content === null || content === undefined) return set;
  if (typeof content !== 'object' || Array.isArray(content))
    throw new UsageError(
      `--config ${positionOf([])}: expected settings such as "delivery.concurrency: 5", found ${found(content)}`,
    );
  const mistakes: { readonly text: string; readonly unknown?: string }[] = [];
  for (const { key, value, names } of flatten(content)) {
    if (!isSettingKey(key)) {
      const part = wholeSetting(key, value, (whole, json) => `${whole}: ${json}`);
      const at = `--config ${positionOf(names)}: `;
      mistakes.push(part === undefined ? { text: at, unknown: key } : { text: `${at}${part}` });
      continue;
    }
    const checked = checkSetting(key, value);
    if (checked.ok) set.set(key, checked.value);
    else {
      const { expected, found: what, field = '' } = checked.complaint;
      const at = positionOf([...names, ...(field.match(/[^.[\]]+/g) ?? [])]);
      mistakes.push({ text: `--config ${at}: ${key} must be ${expected}, got ${what}` });
    }
  }
  if (mistakes.length === 0) return set;
  // The known settings are many: they are named once, however many keys of the file are none.
  const isOne = mistakes.filter(({ unknown }) => unknown !== undefined).length === 1;
  const describe = isOne ? unknownAmongKnown : describeUnknown;
  const lines = mistakes.map(
    ({ text, unknown }) => `${text}${unknown === undefined ? '' : describe(unknown)}`,
  );
  const more = lines.length - MAX_MISTAKES;
  const last = [
    ...(more > 0 ? [`--config ${path}: and ${counted(more, 'more mistake')}`] : []),
    ...(isOne || mistakes.every(({ unknown }) => unknown === undefined) ? [] : [KNOWN]),
  ];
  throw new UsageError([...lines.slice(0, MAX_MISTAKES), ...last].join('\n'));
}

/** Whether a block with a name that no setting begins with has a member by which the complaint finds the setting that was meant. */
function isMistypedBlock(key: string, value: unknown): boolean {
  if (key.includes('.') || !isObject(value)) return false;
  return Object.keys(value).some((name) => nearest(`${key}.${name}`, SETTING_KEYS) !== undefined);
}

interface FileSetting {
  readonly key: string;
  readonly value: unknown;
  /** Names of the keys in the file, from the outermost. */
  readonly names: readonly string[];
}

/** Turns nested settings into keys: `delivery: {concurrency: 1}` means `delivery.concurrency: 1`. */
function flatten(content: object, around: readonly string[] = []): readonly FileSetting[] {
  return Object.entries(content).flatMap(([name, value]: [string, unknown]): readonly FileSetting[] => {
    const names = [...around, name];
    const key = names.join('.');
    const inner = SETTING_KEYS.some((known) => known.startsWith(`${key}.`)) || isMistypedBlock(key, value);
    return inner && !isSettingKey(key) && typeof value === 'object' && value !== null
      ? flatten(value, names)
      : [{ key, value, names }];
  });
}
