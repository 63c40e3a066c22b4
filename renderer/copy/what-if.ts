/** Texts of the question what another answer would lead to. The menus of the first load offer it. */

export const WHAT_IF = {
  title: 'What if the app answered…',
  intro: 'Every answer the interface knows, and what each would lead to. Nothing is sent.',
  /** Text for a message with several deliveries. */
  of: 'For delivery {n} of {total}: {to}.',
  /** Begins the reason why there is no delivery to ask about. */
  none: 'Nothing to ask',
  loading: 'Checking what each answer would lead to',
  failed: 'The answers could not be checked: {message}.',
  table: 'Answers and what they lead to',
  answer: 'Answer',
  state: 'Leads to',
  why: 'Why',
  command: 'What if the app answered…',
  more: 'All answers',
  entry: 'an entry',
} as const;
