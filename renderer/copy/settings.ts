/** Texts of the Settings screen. */

import { PUBLISH } from './publish.ts';

export const SETTINGS = {
  title: 'Settings',
  sections: 'Settings',
  find: 'Find a setting',
  noMatch: 'No setting matches "{text}".',
  didYouMean: 'Did you mean',
  found: 'Found settings',
  elsewhere: 'Settings in their sections',
  goTo: '{section}: {setting}',
  loading: 'Loading settings',
  failed: 'Settings could not be loaded: {message}.',
  notSaved: '{setting} was not saved: {message}.',
  saved: '{setting} saved.',
  save: 'Save',
  discard: 'Discard changes',
  reset: 'Reset',
  resetHint: 'Remove the value that was set here: the file or the default applies again',
  byFlag: 'set by flag, read-only',
  byFlagHint: 'A flag of this run sets it. Start Sidelight with another value to change it.',
  origins: { flag: 'set by flag', here: 'set here', file: 'from the file', default: 'default' },
  notJson: 'Not valid JSON.',
  notNumber: {
    amount: 'Not a number.',
    bytes: 'Use a number of bytes, or a size such as 4 MiB.',
    ms: 'Use a number of milliseconds, or a time such as 1.5 s.',
    seconds: 'Use a number of seconds, or a time such as 5 min.',
  },
  needed: 'A value is missing.',
  equals: '= {text}',
  /** Remark below a field whose numbers have a unit. */
  alone: {
    ms: 'A number without a unit is in ms.',
    seconds: 'A number without a unit is in s.',
    bytes: 'A number without a unit is in bytes.',
    amount: '',
  },
  /** Refusal of one member, below its field. */
  on: 'on',
  off: 'off',
  tabs: {
    general: 'General',
    apps: 'Apps',
    delivery: 'Delivery',
    eventRouter: 'Event router',
    storage: 'Storage',
    keyboard: 'Keyboard',
    appearance: 'Appearance',
    about: 'About',
  },
} as const;

export interface SettingText {
  readonly title: string;
  readonly meaning: string;
}

/** Title and meaning of each setting of the host, by key. */
export const SETTING_TEXTS: Readonly<Record<string, SettingText>> = {
  eventRouter: {
    title: 'Event router',
    meaning: 'The embedded router or an external one: addresses, delivery, tokens and limits.',
  },
  'delivery.retry': {
    title: 'Retry policy',
    meaning: 'How many times a delivery is attempted, and how long the waits between attempts are.',
  },
  'delivery.retryByTopic': {
    title: 'Retry policy per topic',
    meaning:
      'Topics with a retry policy of their own. An empty field uses the value of the retry policy above.',
  },
  'delivery.attemptTimeoutMs': {
    title: 'App timeout',
    meaning: 'Longest time of one call to the app, from connecting to the last byte; 0 = none.',
  },
  'delivery.concurrency': {
    title: 'Concurrent calls per subscription',
    meaning: 'A batch is one call; 1 = strictly one after another.',
  },
  'delivery.defaultTtlSeconds': {
    title: 'Default time to live',
    meaning: 'For messages without ttlInSeconds; 0 = none.',
  },
  'delivery.backlog': {
    title: 'Backlog',
    meaning:
      'How many deliveries and messages may be unfinished. When it is full, publishes are refused. A single topic can fill at most 90 %.',
  },
  'delivery.backlogBytes': {
    title: 'Backlog in bytes',
    meaning:
      'How many bytes the unfinished messages may take. When it is full, publishes are refused. A single topic can fill at most 90 %.',
  },
  'delivery.bulkBytes': {
    title: 'Size of a bulk delivery',
    meaning:
      'Largest body of one call. What does not fit goes in the next call. A single entry is always sent.',
  },
  'app.address': {
    title: 'App addresses',
    meaning: 'Where Sidelight delivers to an app instead of to its mock app.',
  },
  'app.maxConcurrency': {
    title: 'Concurrent calls per app',
    meaning: 'Across all its subscriptions; 0 = no limit.',
  },
  'app.health': {
    title: 'App health checks',
    meaning: 'While an app does not answer its checks, nothing is delivered to it.',
  },
  'discovery.again': {
    title: 'Discover again on reconnect',
    meaning: 'Whether Sidelight asks an app for its subscriptions again when it comes back.',
  },
  'http.maxBodyBytes': {
    title: 'Largest publish',
    meaning: 'Size of the body of a publish or a bulk publish; 0 = no limit.',
  },
  'http.allowedOrigins': {
    title: 'Web pages that may publish',
    meaning: 'One origin per line; loopback stands for every origin on this machine.',
  },
  'journal.sync': {
    title: 'When a publish is answered',
    meaning: 'What the publisher can rely on once it has its answer.',
  },
  'storage.maxMessages': {
    title: 'Messages kept',
    meaning: 'Above this number, Sidelight removes the oldest finished messages that are not pinned.',
  },
  'storage.maxBytes': {
    title: 'Maximum size of the history',
    meaning: 'Above this size, Sidelight removes the oldest finished messages that are not pinned.',
  },
  'storage.maxDays': {
    title: 'Days kept',
    meaning: 'Sidelight removes finished messages that are older and not pinned; 0 = no limit.',
  },
};

/** Titles of the words that a setting accepts, by key. */
export const SETTING_WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'discovery.again': {
    'on-reconnect': "On: when the app's port comes back",
    never: 'Off: each app is asked once, when it first answers',
  },
  'journal.sync': {
    full: 'Full: on disk before the answer, also after a power loss',
    normal: 'Normal: survives a killed process, may lose the last moments in a power loss',
  },
};

export const RETRY = {
  members: {
    maxAttempts: 'Attempts',
    firstDelayMs: 'First wait',
    factor: 'Factor',
    maxDelayMs: 'Longest wait',
    jitter: 'Jitter (0 to 1)',
  },
  hints: {
    maxAttempts: '0 = no limit',
    firstDelayMs: 'such as 500 ms',
    factor: '1 = constant',
    maxDelayMs: 'such as 5 s',
  },
  once: 'One attempt only: nothing is retried.',
  all: 'Waits: {waits}. The last of {n} {n:attempt|attempts} starts {total} after the first failure, not counting the calls themselves.',
  endless: 'Waits: {waits}, then {longest} each time, with no limit.',
  endlessConstant: 'Waits: {longest} each time, with no limit.',
  constant:
    'Waits: {n} {n:time|times} {wait}. The last attempt starts {total} after the first failure, not counting the calls themselves.',
  gap: '…',
  jitter: 'Each wait is up to {share} % shorter or longer.',
  afterwards:
    'After the last attempt a delivery is parked. If it has a dead-letter topic, a copy goes there instead.',
  topics: 'Topics with a retry policy of their own',
  remove: 'Remove {topic}',
  memberOf: '{member} of {topic}',
  none: 'Every topic has the retry policy above.',
  newTopic: 'Topic to add',
  newTopicHint: 'component/topic',
  newTopicBad: 'Write it as component/topic.',
  newTopicTaken: 'This topic is in the list already.',
  add: 'Add topic',
} as const;

export const APP_HEALTH = {
  enabled: 'Check the health of apps',
  path: 'Path',
  intervalMs: 'Every',
  timeoutMs: 'Timeout',
  threshold: 'Failures in a row',
  hints: { intervalMs: 'such as 5 s', timeoutMs: 'such as 500 ms', threshold: undefined },
  on: 'Each app is asked for {path} every {interval}. {n} {n:failure stops|failures in a row stop} its deliveries; no answer within {timeout} is a failure.',
  off: 'Apps are not asked.',
} as const;

export const GENERAL = {
  profile: 'Profile',
  profileHint: 'Names of routes, headers and attributes; chosen at the start with --profile.',
  banners: 'Current banners',
  profileOfTaps:
    'Names of routes, headers and attributes; read from the metadata of the sidecar unless --profile was given.',
  newEventId: 'Give a replay a new event id',
  announce: 'Announce new messages to assistive technology',
} as const;

export const APPEARANCE = {
  correlation: 'Correlation: path into the payload',
  correlationHint:
    'What "Group by Correlation" compares, such as data.order.id; empty: the extension correlationid of the event',
  correlationError: 'Use a path into the payload, such as data.order.id.',
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  density: 'Row height',
  densities: { compact: 'Compact', comfortable: 'Comfortable' },
  fontSize: 'Font size',
  times: 'Times',
  timesIn: { local: 'Local time', utc: 'UTC' },
  reduceMotion: 'Reduce motion',
  wrap: 'Wrap long lines',
  collapse: 'Collapse repeats under heavy traffic',
  collapseHint: 'Above {n} msg/s, a list that follows shows repeats within a second as one line.',
  preview: 'Colours of the states',
  side: 'Detail',
  sides: { right: 'Right of the list', below: 'Below the list' },
} as const;

export const KEYBOARD = {
  single: 'Single-key shortcuts',
  singleHint: 'Keys without Ctrl, such as r for replay',
  table: 'Commands and their keys',
  find: 'Find a command',
  noMatch: 'No command matches "{text}".',
  command: 'Command',
  group: 'Group',
  keys: 'Keys',
  method: 'Automation method',
  change: 'Change',
  changeOf: 'Change the keys of {title}',
  listens: 'Press keys…',
  listensFor: 'Press keys… for {title}',
  changeHint:
    'Change, then press the new keys; Backspace leaves the command without keys, Escape changes nothing.',
  restore: 'Restore',
  nothingChanged: 'All commands have their default keys.',
  owned: 'The browser or the operating system uses these keys.',
  alone: 'This key has a fixed meaning in the console.',
  begins: 'These keys begin those of "{title}".',
  taken: 'These keys already run "{title}".',
} as const;

export const ABOUT = {
  text: 'Sidelight is a local pub/sub sidecar that shows everything that goes through it.',
  version: 'Version',
  profile: 'Profile',
  console: 'Console',
  sidecarOf: 'Sidecar of {app}',
  appOf: 'Address of {app}',
  link: 'Make a one-time link to this console',
  linkHint: 'Opens this console in another browser; it works once, within a minute.',
  revoke: 'Revoke the keys of all browsers',
  revokeTitle: 'Revoke the keys of all browsers?',
  revokeText:
    'Every page of this console is disconnected, this one included, and unused links stop working. To open the console again, restart Sidelight: it prints a new link. A script makes one without a restart, with the method system.link. The token of scripts stays valid until Sidelight stops.',
  revokeYes: 'Revoke keys',
  revoked: 'Keys revoked; open pages: {n}.',
  licence: 'Licence',
  licenceName: 'Apache-2.0',
} as const;

/** Settings of this window, by section, for the search field. */
export const OWN_SETTINGS = [
  { section: 'general', titles: [PUBLISH.jump, GENERAL.newEventId, GENERAL.announce] },
  { section: 'keyboard', titles: [KEYBOARD.single, KEYBOARD.table] },
  {
    section: 'appearance',
    titles: [
      APPEARANCE.theme,
      APPEARANCE.density,
      APPEARANCE.side,
      APPEARANCE.fontSize,
      APPEARANCE.times,
      APPEARANCE.reduceMotion,
      APPEARANCE.wrap,
      APPEARANCE.collapse,
      APPEARANCE.preview,
    ],
  },
  { section: 'about', titles: [ABOUT.version, ABOUT.link, ABOUT.revoke] },
] as const;
