/** How each setting of the host is shown: its section, its kind of field, and its search. */
import { nearest } from '../../../core/contract/nearest.ts';
import type { SettingItem } from '../../../core/contract/settings.ts';
import { fill } from '../../copy/fill.ts';
import { OWN_SETTINGS, SETTINGS, SETTING_TEXTS, type SettingText } from '../../copy/settings.ts';
import { ROUTER_TEXTS } from '../../copy/settings-router.ts';
import { count, duration } from '../../format/quantity.ts';
import type { Unit } from '../../format/written-number.ts';

export type SectionId = keyof typeof SETTINGS.tabs;

export type SettingKind =
  | { readonly kind: 'number'; readonly unit: Unit }
  | { readonly kind: 'words' }
  | { readonly kind: 'list' }
  | { readonly kind: 'retry' }
  | { readonly kind: 'retry-by-topic' }
  | { readonly kind: 'app-health' }
  | { readonly kind: 'event-router' }
  /** Key of another version of the host: its value is shown as JSON. */
  | { readonly kind: 'json' };

export const SECTIONS: readonly SectionId[] = [
  'general',
  'apps',
  'delivery',
  'eventRouter',
  'storage',
  'keyboard',
  'appearance',
  'about',
];

const KINDS: Readonly<Record<string, SettingKind>> = {
  'delivery.retry': { kind: 'retry' },
  'delivery.retryByTopic': { kind: 'retry-by-topic' },
  'delivery.attemptTimeoutMs': { kind: 'number', unit: 'ms' },
  'delivery.concurrency': { kind: 'number', unit: 'amount' },
  'delivery.defaultTtlSeconds': { kind: 'number', unit: 'seconds' },
  'delivery.backlog': { kind: 'number', unit: 'amount' },
  'delivery.backlogBytes': { kind: 'number', unit: 'bytes' },
  'delivery.bulkBytes': { kind: 'number', unit: 'bytes' },
  'app.maxConcurrency': { kind: 'number', unit: 'amount' },
  'app.health': { kind: 'app-health' },
  'discovery.again': { kind: 'words' },
  'http.maxBodyBytes': { kind: 'number', unit: 'bytes' },
  'http.allowedOrigins': { kind: 'list' },
  'journal.sync': { kind: 'words' },
  'storage.maxMessages': { kind: 'number', unit: 'amount' },
  'storage.maxBytes': { kind: 'number', unit: 'bytes' },
  eventRouter: { kind: 'event-router' },
  'storage.maxDays': { kind: 'number', unit: 'amount' },
};

/** The kind of field of a key. */
export function kindOf(key: string): SettingKind {
  return KINDS[key] ?? { kind: 'json' };
}

/** Title and meaning of a key; an unknown key is its own title. */
export function textOf(key: string): SettingText {
  return SETTING_TEXTS[key] ?? { title: key, meaning: '' };
}

/** The section of a key of the host. */
export function sectionOf(key: string): SectionId {
  const [head] = key.split('.');
  if (key === 'app.address') return 'apps';
  if (head === 'delivery' || head === 'app') return 'delivery';
  if (head === 'discovery') return 'apps';
  if (head === 'eventRouter') return 'eventRouter';
  if (head === 'storage' || head === 'journal') return 'storage';
  return 'general';
}

export interface Found {
  readonly items: readonly SettingItem[];
  readonly own: readonly { readonly section: SectionId; readonly title: string }[];
}

/** Whether each word is the beginning of a word of `where`; a word with a dot is a part of a key. */
function hasWords(where: string, words: readonly string[]): boolean {
  const text = where.toLowerCase();
  const starts = where
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.every((word) =>
    word.includes('.') ? text.includes(word) : starts.some((start) => start.startsWith(word)),
  );
}

/** Members of the event router by path or title: its form is too long for a list of results, so they lead to it. */
function routerMembers(words: readonly string[]): Found['own'] {
  return Object.entries(ROUTER_TEXTS)
    .filter(([path, { title }]) => hasWords(`${path} ${title}`, words))
    .map(([, { title }]) => ({ section: 'eventRouter', title }));
}

/** Settings whose key, title or meaning has every word of the text, or words that begin with them. */
export function findSettings(items: readonly SettingItem[], text: string): Found {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return {
    items: items.filter(({ key }) => {
      const { title, meaning } = textOf(key);
      // The last part of a key counts as a word too.
      const name = key.split('.').at(-1)?.toLowerCase() ?? '';
      return hasWords(`${key} ${name} ${title} ${meaning} ${SETTINGS.tabs[sectionOf(key)]}`, words);
    }),
    own: [
      ...OWN_SETTINGS.flatMap(({ section, titles }) =>
        titles
          .filter((title) => hasWords(`${SETTINGS.tabs[section]} ${title}`, words))
          .map((title) => ({ section, title })),
      ),
      ...routerMembers(words),
    ],
  };
}

function isAny({ items, own }: Found): boolean {
  return items.length > 0 || own.length > 0;
}

/** Words by which settings are found: the keys, and the words of keys, titles and sections. */
function searchWords(items: readonly SettingItem[]): readonly string[] {
  const keys = [...items.map(({ key }) => key), ...Object.keys(ROUTER_TEXTS)];
  const titles = [
    ...items.map(({ key }) => textOf(key).title),
    ...Object.values(ROUTER_TEXTS).map(({ title }) => title),
    ...OWN_SETTINGS.flatMap((own) => own.titles),
    ...Object.values(SETTINGS.tabs),
  ];
  const words = [...keys, ...titles].flatMap((text) => text.toLowerCase().split(/[^a-z0-9]+/));
  return [...new Set([...keys, ...keys.flatMap((key) => key.split('.')), ...words])].filter(
    (word) => word.length > 2,
  );
}

/** The search that a mistyped one probably means; undefined: nothing is similar, or the text finds something as it is. */
export function meantSearch(items: readonly SettingItem[], text: string): string | undefined {
  if (isAny(findSettings(items, text))) return undefined;
  const known = searchWords(items);
  const words = text.split(/\s+/).filter(Boolean);
  const meant = words.map((word) => (isAny(findSettings(items, word)) ? word : nearest(word, known)));
  if (meant.includes(undefined)) return undefined;
  const search = meant.join(' ');
  return isAny(findSettings(items, search)) ? search : undefined;
}

const BYTE_STEPS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Bytes in powers of 1,024: `4 MiB`, `1.5 GiB`. */
export function binarySize(bytes: number): string {
  let rest = bytes;
  let step = 0;
  while (rest >= 1024 && step < BYTE_STEPS.length - 1) {
    rest /= 1024;
    step += 1;
  }
  return `${Number(rest.toFixed(1))} ${BYTE_STEPS[step] ?? ''}`;
}

/** A number in a larger unit, `= 1 min`; undefined: the number is easy to read already. */
export function easierText(value: number, unit: Unit): string | undefined {
  if (value <= 0) return undefined;
  const text = easier(value, unit);
  return text === undefined ? undefined : fill(SETTINGS.equals, { text });
}

function easier(value: number, unit: Unit): string | undefined {
  switch (unit) {
    case 'ms':
      return value >= 1000 ? duration(value) : undefined;
    case 'seconds':
      return value >= 60 ? duration(value * 1000) : undefined;
    case 'bytes':
      return value >= 1024 ? binarySize(value) : undefined;
    case 'amount':
      return value >= 10_000 ? count(value) : undefined;
  }
}
