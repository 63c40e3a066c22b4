/** Texts about what a start found. */

export const START = {
  button: 'Started {time}',
  title: 'What this start found',
  fresh: 'No message is kept from an earlier run, so there was nothing to restore.',
  kept: 'Messages kept from earlier runs: {n}.',
  requeued: 'Interrupted deliveries, repeated after this start (at least once): {n}.',
  wentOn: 'Deliveries that continued, and messages that had waited for an app or component: {n}.',
  republished: 'Messages published to their component again, because it may not have received them: {n}.',
  held: 'Deliveries and messages that were held: {n}.',
  parked: 'Deliveries that were parked: {n}.',
  ended: 'Deliveries that had ended: {n}.',
  none: 'Messages without a subscription, not replayed: {n}.',
  replayed: 'Messages that had no subscription, and were replayed since: {n}.',
  damaged: 'Damaged messages, which are not delivered: {n}.',
  nothingLost: 'Nothing was lost.',
  promise: 'A publisher gets 204 only when its message is on disk.',
  promiseNormal:
    'With journal.sync normal, a message survives a killed process; a power loss may lose the last moments.',
  ephemeral: 'This run keeps nothing on disk: a restart loses everything.',
  show: 'Show what was delivered again',
} as const;
