/** Texts that several screens share. */

export const PROGRESS = {
  percent: '{text}… {percent} %',
  cancel: 'Cancel',
} as const;

export const VIEWS_COMMON = {
  loading: 'Loading {screen}',
  add: 'Add',
  remove: 'Remove',
  save: 'Save',
  cancel: 'Cancel',
  edit: 'Edit',
  copy: 'Copy',
  yes: 'yes',
  no: 'no',
  none: 'none',
  dash: '–',
  required: '{label} (required)',
  /** Beside a field that the host refused. */
  use: 'Use {expected}.',
  key: 'Key',
  value: 'Value',
  removeRow: 'Remove {name}',
} as const;

/** What to do about a refusal beside its field, by its code: a form says the same before it sends. */
export const REFUSED_AT_FIELD = {
  ERR_TOPIC_EMPTY: 'Name a topic.',
} as const;

/** Said in a dialog after its main keys were pressed too early. */
export const EDITOR_COMING =
  'The editor was still loading, so nothing was sent. Press the keys again once you see it.';

/** The question before a filled form is discarded. */
export const DISCARD = {
  title: 'Discard what you entered?',
  keep: 'Keep editing',
  yes: 'Discard',
} as const;

/** A value that another window changed while it was edited here. */
export const ELSEWHERE = {
  changed: 'Changed elsewhere to {value}. If you save, yours replaces it.',
  fieldChanged: '{field} was changed elsewhere to {value}. If you save, yours replaces it.',
  empty: 'nothing',
  take: 'Use the other',
  keep: 'Keep mine',
} as const;
