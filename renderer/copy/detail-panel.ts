/** Texts of the panel of the open message. The first load has them; those of what it shows come with its parts. */

export const PANEL = {
  empty: 'Select a message',
  emptyHints: [
    { keys: '↑ ↓', says: 'move in the list' },
    { keys: 'Enter', says: 'open a message' },
    { keys: 'r', says: 'replay it' },
  ],
  loading: 'Loading the message',
  failed: 'The message could not be loaded: {message}.',
  /** Why the open message is gone, as far as the host said it. */
  gone: {
    limit:
      'This message is no longer kept: the history reached one of its limits ({limit} messages, its size or its age).',
    removed: 'This message was removed.',
    unknown: 'This message is no longer kept.',
  },
  title: '{topic} · {type}',
  titleRaw: '{topic} · raw',
  back: 'Back to list',
  close: 'Close detail',
} as const;
