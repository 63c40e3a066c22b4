/** Titles and groups of commands that are not acts on messages. */

export const GROUPS = {
  go: 'Go to',
  messages: 'Messages',
  list: 'List',
  publish: 'Publish',
  holds: 'Holds',
  mock: 'Mock app',
  view: 'View',
  general: 'General',
} as const;

export const COMMAND_TITLES = {
  go: 'Go to {screen}',
  palette: 'Search or run a command',
  shortcuts: 'Keyboard shortcuts',
  publish: 'Publish a message',
  schema: 'Payload schema of a topic',
  filter: 'Filter messages',
  filterHelp: 'Filter help',
  clearFilter: 'Clear filter',
  follow: 'Follow newest',
  pause: 'Pause view',
  markAllRead: 'Mark all read',
  toggleRead: 'Mark read or unread',
  nextAttention: 'Next needing attention',
  previousAttention: 'Previous needing attention',
  holdAll: 'Hold all',
  stopHolding: 'Release and stop holding',
  addHold: 'Add hold',
  releaseAll: 'Release all that is held…',
  dropAll: 'Drop all that is held…',
  addAnswer: 'Add answer',
  discover: 'Discover again',
  samples: 'Send sample traffic',
  removeSamples: 'Remove sample data',
  panelSide: 'Show detail on the other side',
  theme: 'Use the {theme} theme',
  density: 'Switch row height',
  saveView: 'Save view',
  columns: 'Choose columns',
  addApp: 'Add or connect an app',
  undo: 'Undo the last action',
  copyLastAct: 'Copy the last action as automation call',
  copyActs: 'Copy the last actions as a script',
  closeDetail: 'Close detail',
  selectAll: 'Select all',
} as const;

/** Other words by which the palette finds commands, by command id: those of other tools, and of what a person wants to do. */
export const COMMAND_WORDS: Readonly<Record<string, string>> = {
  replay: 'resend republish publish again',
  retry: 'redeliver try again resend',
  edit: 'change payload',
  deadLetter: 'dlq',
  replayMany: 'resend republish dlq redrive',
  clear: 'purge empty',
  delete: 'purge remove',
  dropAll: 'purge',
  density: 'density compact comfortable dense',
  saveView: 'save filter search tab',
  columns: 'show hide column',
  addApp: 'connect app address own new',
  'go.apps': 'restart stop start process connect',
  'go.topics': 'subscriptions',
  'go.settings': 'preferences options configuration',
} as const;

export const COMMAND_WHY = {
  noUndo: 'There is nothing to undo.',
  noActs: 'Nothing has been changed in this window yet.',
  notHere: 'Open Messages first.',
  noFilter: 'There is no filter.',
  noDetail: 'No message is open.',
  nothingHeld: 'No message is held.',
  allHeld: '"Hold all" is on already.',
  notAllHeld: '"Hold all" is not on.',
  nothingKept: 'There are no messages.',
  noSamples: 'There is no sample data.',
  noMockApp: 'Sample traffic needs a mock app, and this run has none.',
  noneAttention: 'Nothing else in this list needs attention.',
  otherDialog:
    'Another dialog was open, so Sidelight did not ask about {title}. Close the dialog, then choose {title} again.',
} as const;

export const THEMES = { system: 'system', light: 'light', dark: 'dark' } as const;
