/**
 * The three words with which an app answers, and the word that a batch answer of a rule gives to an entry. Without schemas, because the
 * page must not load the schema library.
 */

/** Status words in the order of their gRPC numbers, from 0. */
export const STATUS_WORDS = ['SUCCESS', 'RETRY', 'DROP'] as const;
export type StatusWord = (typeof STATUS_WORDS)[number];

export function isStatusWord(value: unknown): value is StatusWord {
  return STATUS_WORDS.some((word) => word === value);
}

/** Batch answers that give one word to every entry. */
export const WORD_OF_ALL = {
  'all-success': 'SUCCESS',
  'all-retry': 'RETRY',
  'all-drop': 'DROP',
} as const satisfies Record<string, StatusWord>;
export type ForAll = keyof typeof WORD_OF_ALL;

/** Names of the batch answers that give one word to every entry. */
export const FOR_ALL = ['all-success', 'all-retry', 'all-drop'] as const satisfies readonly ForAll[];

/**
 * The word for one entry of a batch: it is found by its entryId, else by its position (`#1` is the first), else by `*`. An entry that is
 * named has its own word, even if that is none.
 * @returns undefined: the answer leaves the entry out
 */
export function wordForEntry(
  statuses: ForAll | Readonly<Record<string, StatusWord | null>>,
  entryId: string,
  position: number,
): StatusWord | undefined {
  if (typeof statuses === 'string') return WORD_OF_ALL[statuses];
  const key = [entryId, `#${position}`, '*'].find((one) => one !== '' && Object.hasOwn(statuses, one));
  return key === undefined ? undefined : (statuses[key] ?? undefined);
}
