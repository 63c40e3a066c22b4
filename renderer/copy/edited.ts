/** Texts about an edited payload. They are apart from those of the detail, because the list marks such rows too. */

/** Texts about a payload that a person edited for one delivery. */
export const EDITED = {
  mark: 'edited',
  hint: 'A person edited this event for the delivery. Filters, groups and sorting read what stands here. The message keeps the original.',
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
    original: 'This is the original, as it was published. The delivery to {app} had the edited event.',
  },
  showOriginal: 'Show the original',
  showEdited: 'Show the edited version',
  compare: 'Compare versions…',
  compareHint:
    'Shows what was published and each edited version beside each other, with the lines that differ',
} as const;
