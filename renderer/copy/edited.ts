/** Texts about an edited payload. They are apart from those of the detail, because the list marks such rows too. */

/** Texts about a payload that a person edited for one delivery. */
export const EDITED = {
  mark: 'edited',
  hint: 'A person edited this event for the delivery. Filters, groups and sorting use the edited version. The message keeps the original.',
  coming: {
    shown: 'A person edited this event for the delivery to {app}. The app gets this payload.',
    original: 'This is the original, as it was published. {App} gets the edited event.',
  },
  received: {
    shown: 'A person edited this event for the delivery to {app}. The app got this payload.',
    original: 'This is the original, as it was published. {App} got the edited event.',
  },
  ended: {
    shown: 'A person edited this event for the delivery to {app}. This is the payload of the edited event.',
    original: 'This is the original, as it was published. The delivery to {app} used the edited event.',
  },
  showOriginal: 'Show the original',
  showEdited: 'Show the edited version',
  compare: 'Compare versions…',
  compareHint: 'Shows the original and each edited version side by side, with the lines that differ',
} as const;
