/** Texts of the button and panel of what waits for a person. */

export const WAITING = {
  button: 'Waiting for you',
  title: 'Waiting for you',
  nothing: 'Nothing waits for you.',
  /** Explanation of the number on the button. The view "Needs attention" has a part of it, with a number of its own. */
  counts: '{n} in all. A message has a delivery for each subscription.',
  /** As `counts`, where the view has all of it. */
  countsSame:
    '{n} in all, the same as in the view "Needs attention". A message has a delivery for each subscription.',
  /** As `counts`, where there is something else. */
  countsBoth:
    '{n} in all: {attention} as in the view "Needs attention", and {others} more. A message has a delivery for each subscription.',
  parked: '{n} {n:delivery|deliveries} parked, nothing lost. Retry, replay or drop.',
  /** Lines by rule count messages, as the lists do that they open. */
  parkedBy: {
    'policy.exhausted':
      '{n} {n:message|messages} parked: no further attempt is allowed, nothing lost. Retry, replay or drop.',
    'policy.no-route':
      '{n} {n:message|messages} parked: no rule matched, and no copy could be published to the dead-letter topic. Fix the rules, then retry.',
    'policy.unreadable':
      '{n} {n:message|messages} parked: the subscription cannot read the message, so nothing was sent.',
    'policy.route-error':
      '{n} {n:message|messages} parked: a match rule failed with an error, so nothing was sent. Fix the rule, then retry.',
    'user.undo-drop': '{n} {n:message|messages} parked again: you undid a drop. Retry, replay or drop.',
  },
  held: '{n} held. Release, edit or drop.',
  heldBy: '{n} held {by}. Release, edit or drop.',
  byHold: 'by "{hold}"',
  byUnnamedHold: 'by a hold without a name',
  byRemovedHold: 'by a hold that was removed',
  byHand: 'by hand',
  deadLettered: '{n} {n:delivery|deliveries} dead-lettered: a copy is on the dead-letter topic.',
  deadLetteredBy: {
    'user.dead-letter': '{n} {n:message|messages} dead-lettered by you: a copy is on the dead-letter topic.',
    'policy.dead-letter':
      '{n} {n:message|messages} dead-lettered: no further attempt is allowed, a copy is on the dead-letter topic.',
    'tap.dead-letter':
      '{n} {n:message|messages} dead-lettered by the sidecar behind a tap: a copy is on the dead-letter topic.',
    'policy.no-route':
      '{n} {n:message|messages} dead-lettered: no rule matched, a copy is on the dead-letter topic.',
    'policy.unreadable':
      '{n} {n:message|messages} dead-lettered: the subscription cannot read the message, a copy is on the dead-letter topic.',
    'policy.route-error':
      '{n} {n:message|messages} dead-lettered: a match rule failed with an error, a copy is on the dead-letter topic.',
  },
  /** What ended before it was processed: deliveries that expired, and messages that were never published. */
  ended: '{n} expired or not published.',
  endedBy: {
    expired:
      '{n} {n:message|messages} expired: {n:its|their} time to live passed before {n:it was|they were} processed.',
    refused:
      '{n} {n:message was|messages were} not published: the component, or the sidecar behind a tap, did not accept {n:it|them}.',
  },
  forApp:
    '{n} {n:waits for its app|wait for their app}: the app has no subscription for {n:it|them} now, or has not reported its subscriptions.',
  routes: '{n} {n:problem|problems} with routes of apps.',
  answers: '{n} {n:call waits|calls wait} for your answer.',
  show: 'Show',
} as const;
