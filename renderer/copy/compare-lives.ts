/** Texts of what became of two messages, side by side. */

export const COMPARE_LIVES = {
  title: 'What happened to them',
  columns: { fact: 'Fact', left: '− {topic}, {time}', right: '+ {topic}, {time}', differs: 'Differs' },
  differs: 'Differs',
  same: '',
  /** A fact of one of several deliveries. */
  ofApp: '{app}: {fact}',
  facts: {
    state: 'State',
    attempts: 'Attempts',
    lastAnswer: 'Last answer',
    took: 'Last attempt took',
  },
  noDelivery: 'no delivery',
  noAnswer: 'no answer',
  none: '–',
} as const;
