/** Texts of comparing two messages of the list. */

export const COMPARE_TWO = {
  withSelected: 'Compare with selected',
  command: 'Compare two messages',
  needsTwo: 'Select two messages, or open one and select another.',
} as const;
