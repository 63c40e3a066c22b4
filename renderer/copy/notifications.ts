/** Texts of notifications. */

export const NOTIFICATIONS = {
  title: 'Notifications',
  open: 'Notifications',
  none: 'Nothing has been reported since this page was loaded.',
  onlyListed: 'Events are only listed here, because all notifications are off.',
  choose: 'Choose notifications',
  scriptHint: 'What was changed in this window, {n} {n:call|calls}, as a shell script.',
  clear: 'Clear list',
  heading: 'Notify me when',
  hint: 'At most one notification every ten seconds, with what happened since the last one.',
  desktop: 'Also outside this window',
  desktopHint: 'The browser or the desktop asks you once for permission.',
  desktopRefused: 'The browser or the desktop does not allow it.',
  kinds: {
    parked: 'a delivery is parked',
    'dead-lettered': 'a message goes to its dead-letter topic',
    waiting: 'a call waits for my answer',
    held: 'something is held',
    unhealthy: 'a sidecar is not healthy',
  },
  said: {
    parked: '{n} parked',
    'dead-lettered': '{n} dead-lettered',
    waiting: '{n} waiting for your answer',
    held: '{n} held',
    unhealthy: '{apps}: not healthy',
  },
  back: '{App} is back. {n} parked {n:message waits|messages wait} for you.',
  /** As `back`, where only the newest messages were counted. */
  backMany: '{App} is back. At least {n} parked {n:message waits|messages wait} for you.',
  show: 'Show',
} as const;
