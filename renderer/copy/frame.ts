/** Texts of the frame: top bar, navigation, footer, connection, palette, shortcut sheet. */

export const FRAME = {
  product: 'Sidelight',
  profile: 'profile {profile}',
  title: '{screen} — Sidelight',
  /** Window title with the number of parked deliveries and of calls that wait for an answer. */
  titleWaiting: '({n}) {screen} — Sidelight',
  skip: 'Skip to content',
  nav: 'Main',
  /** Tooltips of the link to the present screen. */
  messagesAgain: 'Messages: press again to clear the filter and close the message',
  screenAgain: '{screen}: press again to go back to its beginning',
  runtimeStatus: 'Runtime status',
  app: 'App',
  allApps: 'All apps',
  observed: 'observed',
  mock: 'mock app',
  real: 'real app',
  publisher: 'no address',
  publish: 'Publish',
  search: 'Search or run a command…',
  searchShort: 'Search…',
  sidecarHealthy: 'Sidecar healthy',
  sidecarNotHealthy: 'Sidecar not healthy',
  sidecarWaits: 'Sidecar waits for app',
  sidecarWaitsWhy:
    'The sidecar works. Its health check answers 500 until the app has answered once. Press for more.',
  componentsAway: '{n} {n:component|components} away',
  componentsAwayWhy:
    'The sidecar works, and its health check does not include the servers of components. What is published there is refused. Press for more.',
  appAnswering: 'App answering',
  appUnused: 'App: no subscription used',
  appUnusedWhy: 'The app answers, but Sidelight uses none of its subscriptions now. Press for the reason.',
  appHangs: 'App is not answering',
  appHangsWhy:
    'The port of the app takes connections, but none of the last calls got an answer in time. Press for more.',
  appAsked: 'Asking for subscriptions',
  appNotReachable: 'App not reachable',
  appSilent: 'App does not answer yet',
  appUndiscovered: 'App: discovery failed',
  appUndiscoveredWhy: 'The port of the app is open, but its discovery failed. Press for more.',
  /** Texts where several apps are shown. */
  ofSeveral: {
    sidecar: {
      one: 'Sidecar of {app} not healthy',
      many: '{n} {n:sidecar|sidecars} not healthy',
    },
    waits: {
      one: 'Sidecar of {app} waits for it',
      many: '{n} {n:sidecar waits for its app|sidecars wait for their apps}',
    },
    lost: { one: '{App} not reachable', many: '{n} {n:app|apps} not reachable' },
    undiscovered: { one: '{App}: discovery failed', many: '{n} {n:app|apps}: discovery failed' },
    unused: {
      one: '{App}: no subscription used',
      many: '{n} {n:app|apps}: no subscription used',
    },
    hangs: { one: '{App} is not answering', many: '{n} {n:app is|apps are} not answering' },
    silent: { one: '{App} does not answer yet', many: '{n} {n:app does|apps do} not answer yet' },
  },
  appUnknown: 'App not discovered yet',
  discoverOf: '{title}: {app}',
  appNone: 'App has no address',
  sidecarNotKnown: 'Sidecar state unknown',
  appNotKnown: 'App state unknown',
  numbersNotKnown: 'Numbers unknown',
  holdAll: 'Hold all',
  stopHolding: 'Release and stop holding',
  allHeld: 'All deliveries are held',
  /** As `allHeld`, while calls are under way that no hold stops. */
  allHeldBut:
    'New attempts are held. {n} {n:attempt is|attempts are} under way: {n:it|they} began before the hold, or {n:was|were} released.',
  notKept: 'Not kept',
  notKeptWhy: 'Nothing is kept on disk: this run is ephemeral',
  dismiss: 'Dismiss',
  /** Links in a banner about an app: the Apps screen, and the messages that it is about. */
  openApps: 'Open Apps',
  showThem: 'Show them',
  allBanners: 'Show all {n}',
  allBannersHint: 'Show all {n} {n:banner|banners} with their whole text',
  /** As `allBanners`, where all are shown, but not their whole text. */
  wholeBanners: 'Show whole text',
  fewerBanners: 'Show less',
  fewerBannersHint: 'Show at most two banners, each in one line',
  lost: 'Connection to Sidelight lost. Reconnecting… (attempt {n})',
  lostNoKey:
    'This browser has no key to this Sidelight. Open it with a new link: Sidelight prints one when you restart it, and a page that is still connected makes one in Settings, About.',
  connecting: 'Connecting to Sidelight…',
  tryNow: 'Try now',
  reloaded: 'Sidelight was restarted. The list shows the messages that it kept.',
  away: 'There is no connection to Sidelight.',
  /** As `away`, inside a sentence about something that could not be read. */
  notConnected: 'no connection to Sidelight',
  streamFailed: 'Live updates could not be started: {message}.',
  /** Text for a call that was sent and got no answer before the connection was lost. */
  lostCall:
    'The connection to Sidelight was lost before the answer came. A change may have been made: check before you repeat it.',
  unsentCall: 'There is no connection to Sidelight; nothing was sent.',
  noAnswer: 'Sidelight did not answer in time.',
  ratesIn: '{in} msg/s in',
  ratesOut: '{out}/s out',
  kept: 'kept {kept} of {limit}',
  keptUnlimited: 'kept {kept}',
  recording: 'Recording since {time}',
  removing: 'Removing the oldest (limit {limit})',
  footerDeliveries: 'deliveries:',
  footerMessages: 'messages:',
  footerState: '{word} {n}',
  /** As `footerState`, for those of the state before it. */
  footerOfThese: '{n} of them {word}',
  notifications: 'Notifications',
  crashed: 'This part stopped working. {code}',
  partAway:
    'This part of the console could not be loaded: Sidelight does not answer, or was updated since this page was opened. After an update, reload the page.',
  partStillAway:
    'This part of the console still could not be loaded. After an update of Sidelight, reload the page.',
  partTitle: 'Not loaded',
  partComing: 'Loading',
  tryAgain: 'Try again',
  copyDetails: 'Copy details',
  close: 'Close',
  theme: 'Theme',
  more: 'More',
} as const;

export const NAV = {
  messages: 'Messages',
  topics: 'Topics',
  publish: 'Publish',
  mock: 'Mock app',
  holds: 'Holds',
  'event-router': 'Event router',
  components: 'Components',
  apps: 'Apps',
  health: 'Health',
  recordings: 'Recordings',
  logs: 'Logs',
  settings: 'Settings',
} as const;

export const NAV_BADGES = {
  messages: '{n} unread',
  mock: '{n} waiting',
  holds: '{n} held',
  apps: '{n} failed',
  routes: '{n} {n:problem|problems} with routes',
  health: 'not healthy',
  healthWaits: 'waits for the app',
  logs: '{n} {n:error|errors}',
  publish: 'draft',
} as const;

export const PALETTE = {
  title: 'Command palette',
  placeholder: 'Type a command. # topics, @ messages, : filter views, ? help',
  input: 'Search or run a command',
  unavailable: 'Not available now',
  none: 'Nothing found.',
  searching: 'Searching…',
  hint: 'Enter run · Ctrl Enter run, stay open',
  noCall: 'This changes only this window: there is no automation call for it.',
  noCallNow: 'Nothing to apply it to: {reason}',
  nothingToCopy: 'Nothing was found, so there is no call to copy.',
  copyCall: 'Copy as automation call',
  topics: 'Topics',
  messages: 'Messages',
  views: 'Filter views',
  recent: 'Last used',
} as const;

export const SHORTCUTS = {
  title: 'Keyboard shortcuts',
  find: 'Find a shortcut',
  off: 'Single-key shortcuts are switched off in Settings.',
  again:
    'A screen opens as you left it. Press the link of the screen that you are on to clear its filter and close what is open.',
  none: 'No shortcut matches "{text}".',
  then: 'then',
} as const;

/** Keys of parts of a screen that belong to no command and work while the part has the focus. */
export const PART_KEYS = [
  {
    title: 'List of messages',
    note: 'These keys work while the list has the focus. Arrows, Home, End and Enter go to it by themselves when nothing else has the focus.',
    rows: [
      { title: 'Go to another message', keys: ['ArrowUp', 'ArrowDown', 'Home', 'End'] },
      { title: 'Open it; press again to go into it', keys: ['Enter'] },
      { title: 'Select it', keys: ['Space'] },
      { title: 'Extend the selection', keys: ['Shift+ArrowUp', 'Shift+ArrowDown'] },
      { title: 'Menu: filter by a cell, and all actions', keys: ['Shift+F10'] },
      { title: 'Close and open its group', keys: ['ArrowLeft', 'ArrowRight'] },
      { title: 'Open all groups', keys: ['*'] },
      { title: 'Clear the selection, or close the message', keys: ['Escape'] },
    ],
  },
  {
    title: 'Column heads',
    rows: [
      { title: 'Go to another head', keys: ['ArrowLeft', 'ArrowRight'] },
      { title: 'Sort by it', keys: ['Enter'] },
      { title: 'Menu: width, position, sorting', keys: ['ArrowDown'] },
    ],
  },
  {
    title: 'Traffic chart above the list',
    rows: [
      { title: 'Move by a step', keys: ['ArrowLeft', 'ArrowRight'] },
      { title: 'Extend the range', keys: ['Shift+ArrowLeft', 'Shift+ArrowRight'] },
      { title: 'Show the messages of the range', keys: ['Enter'] },
      { title: 'Clear the range', keys: ['Escape'] },
    ],
  },
  {
    title: 'Other parts',
    rows: [
      { title: 'Move the edge between list and message', keys: ['ArrowLeft', 'ArrowRight'] },
      { title: 'Move an answer of the mock app', keys: ['Alt+ArrowUp', 'Alt+ArrowDown'] },
      { title: 'New draft, close draft', keys: ['Alt+N', 'Alt+W'] },
      { title: 'Timeline and graph: zoom in, zoom out, show all', keys: ['+', '-', '0'] },
      { title: 'Graph: move the view', keys: ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'] },
    ],
  },
] as const;
