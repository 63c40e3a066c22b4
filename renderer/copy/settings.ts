/** Texts of the Settings screen. */

export const SETTINGS = {
  title: 'Settings',
  sections: 'Settings',
  find: 'Find a setting',
  noMatch: 'No setting matches "{text}".',
  loading: 'Loading settings',
  failed: 'Settings could not be loaded: {message}.',
  notSaved: '{setting} was not saved: {message}.',
  saved: '{setting} saved.',
  save: 'Save',
  reset: 'Reset',
  resetHint: 'Back to the next source',
  byFlag: 'set by flag, read-only',
  origins: { flag: 'set by flag', here: 'set here', file: 'from the file', default: 'default' },
  json: 'JSON',
  notJson: 'Not valid JSON.',
  tabs: {
    general: 'General',
    apps: 'Apps',
    delivery: 'Delivery',
    storage: 'Storage',
    keyboard: 'Keyboard',
    appearance: 'Appearance',
    about: 'About',
  },
} as const;

/** What each setting of the host means, by key. */
export const SETTING_MEANINGS: Readonly<Record<string, string>> = {
  'delivery.retry': 'Waits and number of attempts; maxAttempts 0 = no limit',
  'delivery.retryByTopic': 'What differs for single topics: "pubsubname/topic" and the members that differ',
  'delivery.attemptTimeoutMs': 'Longest time of one call to the app, in ms; 0 = none',
  'delivery.concurrency': 'Calls in flight per subscription; 1 = one after another',
  'delivery.defaultTtlSeconds': 'Time to live of messages that name none, in seconds; 0 = none',
  'delivery.backlog': 'Unfinished deliveries above which a publish is refused',
  'app.maxConcurrency': 'Calls in flight per app; 0 = no limit',
  'app.health': 'Whether and how the app is asked for its health',
  'discovery.again': 'Whether the app is asked again for subscriptions when it comes back',
  'http.maxBodyBytes': 'Largest body of a publish, in bytes; 0 = no limit',
  'http.allowedOrigins': 'Origins that web pages may publish from',
  'journal.sync': 'full: on disk before the answer; normal: may lose the last moments in a power loss',
  'storage.maxMessages': 'Most messages that are kept',
  'storage.maxBytes': 'Most bytes that are kept',
  'storage.maxDays': 'Days after which finished messages are removed',
};

export const APPEARANCE = {
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  density: 'Row height',
  densities: { compact: 'Compact', comfortable: 'Comfortable' },
  fontSize: 'Font size',
  reduceMotion: 'Reduce motion',
  wrap: 'Wrap long lines',
  announce: 'Announce new messages to assistive technology',
  preview: 'Colours of the states',
  side: 'Detail',
  sides: { right: 'Right of the list', below: 'Below the list' },
} as const;

export const KEYBOARD = {
  single: 'Single-key shortcuts',
  singleHint: 'Keys without Ctrl, such as r for replay',
  table: 'Commands and their keys',
  command: 'Command',
  group: 'Group',
  keys: 'Keys',
  method: 'Automation method',
} as const;

export const ABOUT = {
  text: 'Sidelight is a local pub/sub sidecar that shows everything that goes through it.',
  version: 'Version {version}',
  link: 'Make a one-time link to this console',
  linkHint: 'Opens this console in another browser; it works once, within a minute.',
  licence: 'Apache-2.0',
} as const;

export const EVENT_ROUTER = {
  title: 'Event router',
  empty: 'No component of type {type} is loaded.',
  open: 'Open Components',
} as const;
