/** The sentence of every rule, as the console, the story of a message and agents show it. */
import type { RULE_IDS } from './delivery.ts';

export type KnownRule = (typeof RULE_IDS)[number];

/**
 * Sentences that say why a delivery changed its state. The names in braces are filled from the transition,
 * its attempt and its delivery.
 */
export const CAUSE_SENTENCES: Readonly<Record<KnownRule, string>> = {
  'single.2xx.empty': '{Who} answered {code} without a status: treated as SUCCESS.',
  'single.2xx.success': '{Who} answered SUCCESS.',
  'single.2xx.retry': '{Who} asked for a retry.',
  'single.2xx.drop': '{Who} answered {code} DROP: it asked to drop the message. A warning was logged.',
  'single.2xx.other': '"{status}" is not SUCCESS, RETRY or DROP: treated as an error, to be retried.',
  'single.2xx.invalid': "The answer's body could not be read and was ignored: processed.",
  'single.404': '{Who} answered 404: dropped. An error was logged.',
  'single.404.drop':
    '{Who} answered 404: dropped, with a copy on the dead-letter topic where there is one. An error was logged.',
  'single.other': '{Who} answered {code}: to be retried. A warning was logged.',
  'bulk.2xx.success': 'For entry {entryId} {who} answered SUCCESS.',
  'bulk.2xx.retry': 'For entry {entryId} {who} answered RETRY.',
  'bulk.2xx.drop': 'For entry {entryId} {who} answered DROP.',
  'bulk.2xx.missing':
    'The answer has no status for entry {entryId}: treated as RETRY. The answer to a batch is an object with "statuses", a list with entryId and status of each entry. A warning was logged.',
  'bulk.2xx.other':
    'For entry {entryId} {who} answered "{status}", which is not SUCCESS, RETRY or DROP: to be retried. An error was logged.',
  'bulk.404': '{Who} answered 404 to the batch of {n} {n:entry|entries}: dropped. An error was logged.',
  'bulk.other':
    '{Who} answered {code} to the batch of {n} {n:entry|entries}: to be retried. A warning was logged.',
  'grpc.success': '{Who} answered SUCCESS.',
  'grpc.retry': '{Who} asked for a retry. A warning was logged.',
  'grpc.drop': '{Who} asked to drop it. A warning was logged.',
  'grpc.unknown-status':
    '{Who} answered status "{status}", which is not SUCCESS, RETRY or DROP: to be retried. A warning was logged.',
  'grpc.unimplemented':
    '{Who} answered {code}: it has no handler for this event. Dropped without a copy on a dead-letter topic. A warning was logged.',
  'grpc.error': '{Who} answered {code}: to be retried. A warning was logged.',
  'grpc.bulk.success': 'For entry {entryId} {who} answered SUCCESS.',
  'grpc.bulk.retry': 'For entry {entryId} {who} answered RETRY. A warning was logged.',
  'grpc.bulk.drop': 'For entry {entryId} {who} answered DROP. A warning was logged.',
  'grpc.bulk.unknown-status':
    'For entry {entryId} {who} answered status "{status}", which is not SUCCESS, RETRY or DROP: to be retried. A warning was logged.',
  'grpc.bulk.missing':
    'The answer has no status for entry {entryId}: treated as RETRY. A warning was logged.',
  'grpc.bulk.unimplemented':
    '{Who} answered {code} to the batch of {n} {n:entry|entries}: dropped without a copy on a dead-letter topic. A warning was logged.',
  'grpc.bulk.error':
    '{Who} answered {code} to the batch of {n} {n:entry|entries}: to be retried. A warning was logged.',
  'stream.closed':
    'The stream ended before the app answered. The delivery waits for the next stream, and no attempt was used up.',
  'stream.joined':
    'This copy ended with its stream. Another copy waits for the next stream of this topic, so the app gets the message once.',
  'binding.2xx': 'The app accepted the event.',
  'binding.refused': '{Who} answered {code}: the sender got 500 and may send it again as a new message.',
  'policy.accepted': 'Accepted for {app}.',
  'policy.attempt': 'First attempt.',
  'policy.retry': 'Attempt {n} of {max}.',
  'policy.no-answer': 'No answer: {error}. To be retried.',
  'policy.exhausted':
    'All {used} {used:attempt|attempts}{since} used{last}. Parked: retry, replay or drop it.',
  'policy.dead-letter':
    'All {used} {used:attempt|attempts}{since} used{last}. A copy was published to {topic}.',
  'policy.no-route': 'No rule matched and the subscription has no default route.',
  'policy.route-error': 'Rule {n} could not be evaluated: {error}. The message was not sent.',
  'policy.unreadable': 'The message cannot be delivered to this subscription: {reason}.',
  'policy.no-subscription':
    'Waiting for {app} to subscribe to {subscribed} again. Nothing is sent until then. The delivery keeps its route and settings.',
  'ttl.expired': 'It expired {t} after publishing (ttlInSeconds = {n}).',
  'hold.matched': 'Held by "{hold}".',
  'hold.released': 'Released by "{hold}" after {t}.',
  'restart.requeued':
    'Sidelight ended during attempt {n}, so the answer is not known. The message is delivered again (at least once).',
  'tap.again': 'The sidecar sent it again after the delivery had ended.',
  'tap.lost':
    'The call ended before the sidecar had an answer. The sidecar decides when it sends the message again.',
  'tap.dead-letter': 'The sidecar gave up and published a copy to {topic}, where the tap saw it.',
  'tap.silent': 'The tap has not seen it again for ten minutes, so it counts as finished here.',
  'user.release': 'You released it.',
  'user.hold': 'You held it.',
  'user.retry': 'You retried it.',
  'user.drop': 'You dropped it.',
  'user.undo-drop': 'You undid the drop. Before it: {earlier}',
  'user.dead-letter': 'You moved it to the dead-letter topic.',
  'user.cancel': 'You cancelled the call. To be retried.',
};

/**
 * Sentences for an answer that asks for another attempt when none is left. The next sentence says what
 * follows.
 */
export const LAST_ATTEMPT_SENTENCES: Readonly<Partial<Record<KnownRule, string>>> = {
  'single.2xx.retry': '{Who} asked for a retry; attempt {n} was the last one allowed.',
  'single.2xx.other':
    '"{status}" is not SUCCESS, RETRY or DROP, which counts as an error; attempt {n} was the last one allowed.',
  'single.other': '{Who} answered {code}; attempt {n} was the last one allowed. A warning was logged.',
  'bulk.2xx.retry': 'For entry {entryId} {who} answered RETRY; attempt {n} was the last one allowed.',
  'bulk.2xx.missing':
    'The answer has no status for entry {entryId}; attempt {n} was the last one allowed. The answer to a batch is an object with "statuses", a list with entryId and status of each entry. A warning was logged.',
  'bulk.2xx.other':
    'For entry {entryId} {who} answered "{status}", which is not SUCCESS, RETRY or DROP; attempt {n} was the last one allowed. An error was logged.',
  'bulk.other':
    '{Who} answered {code} to the batch; attempt {n} was the last one allowed. A warning was logged.',
  'grpc.retry': '{Who} asked for a retry; attempt {n} was the last one allowed. A warning was logged.',
  'grpc.unknown-status':
    '{Who} answered status "{status}", which is not SUCCESS, RETRY or DROP; attempt {n} was the last one allowed. A warning was logged.',
  'grpc.error': '{Who} answered {code}; attempt {n} was the last one allowed. A warning was logged.',
  'grpc.bulk.retry':
    'For entry {entryId} {who} answered RETRY; attempt {n} was the last one allowed. A warning was logged.',
  'grpc.bulk.unknown-status':
    'For entry {entryId} {who} answered status "{status}", which is not SUCCESS, RETRY or DROP; attempt {n} was the last one allowed. A warning was logged.',
  'grpc.bulk.missing':
    'The answer has no status for entry {entryId}; attempt {n} was the last one allowed. A warning was logged.',
  'grpc.bulk.error':
    '{Who} answered {code} to the batch; attempt {n} was the last one allowed. A warning was logged.',
  'policy.no-answer': 'No answer: {error}; attempt {n} was the last one allowed.',
  'user.cancel': 'You cancelled the call; attempt {n} was the last one allowed.',
};

/** Other forms of a sentence, for a fact that is different or missing. */
export const CAUSE_VARIANTS = {
  otherWithoutWord:
    '{Who} answered {code} with a status other than SUCCESS, RETRY and DROP: treated as an error, to be retried.',
  entryWithoutWord:
    'For entry {entryId} {who} answered a status other than SUCCESS, RETRY and DROP: to be retried. An error was logged.',
  notJson: "The answer's body is not JSON{type} and was ignored: processed.",
  /** Forms for a reason that says itself that there was no answer: "No answer within 5 s". */
  noneAsSaid: '{error}. To be retried.',
  noneAsSaidLast: '{error}; attempt {n} was the last one allowed.',
  timedOut: 'No answer within {t}. To be retried.',
  timedOutLast: 'No answer within {t}; attempt {n} was the last one allowed.',
  otherWithoutWordLast:
    '{Who} answered {code} with a status other than SUCCESS, RETRY and DROP, which counts as an error; attempt {n} was the last one allowed.',
  entryWithoutWordLast:
    'For entry {entryId} {who} answered a status other than SUCCESS, RETRY and DROP; attempt {n} was the last one allowed. An error was logged.',
  exhaustedAtOnce: 'Only one attempt was allowed{since}{last}. Parked: retry, replay or drop it.',
  deadLetteredAtOnce: 'Only one attempt was allowed{since}{last}. A copy was published to {topic}.',
  notRetried: '{Who} answered {code}, which the retry policy does not try again. A warning was logged.',
  exhaustedByStatus: 'The retry policy does not try {code} again. Parked: retry, replay or drop it.',
  exhaustedByStatusWithNote:
    'The retry policy does not try {code} again. {note} Parked: retry, replay or drop it.',
  deadLetteredByStatus: 'The retry policy does not try {code} again. A copy was published to {topic}.',
  exhaustedWithNote: 'No attempt is left after attempt {n}{last}. {note} Parked: retry, replay or drop it.',
  retryWithoutLimit: 'Attempt {n}.',
  undoneWithoutCause: 'You undid the drop.',
  expiredWithoutTtl: 'It expired {t} after publishing.',
  router: 'The embedded router decided this ({rule}).',
  /** A call was cut off because its app was removed, as the note says. */
  cutByRemoval:
    '{note} It was attempt {n}, whose answer is not known. The message is delivered again (at least once).',
  /** Sidelight ended, or the app was removed, as the note says, while a hold kept back an answer. */
  heldAnswerLost:
    '{note} The answer to attempt {n} is lost, so the message is delivered again (at least once).',
  /** Additions to the sentence of an answer that a hold kept back. */
  kept: '{sentence} A hold had kept the answer back for {t}.',
  keptAndChanged: "{sentence} You changed the app's answer, which a hold had kept back for {t}.",
  /** Addition to the sentence of a delivery that ended without an attempt. */
  copied: '{sentence} A copy was published to {topic}.',
  /** Addition to the sentence of a delivery whose copy was refused. */
  notCopied: '{sentence} {note}.',
} as const;

/** How the last attempt ended, in the gap `{last}` of a sentence that says that no attempt is left. */
export const LAST_ANSWER = {
  answered: '; the last answer was {answer}',
  unanswered: '; the last call got {none}',
  cancelled: '; you cancelled the last call',
} as const;

/** What a person can do with a parked delivery, as the sentences have it. */
export const PARKED_ADVICE = ': retry, replay or drop it';

/** Notes of a transition whose answer a hold kept back. The one that a person changed is known by its attempt too. */
export const KEPT_ANSWER = 'A hold kept the answer back.';
export const CHANGED_ANSWER = "A person changed the app's answer.";

/** What had ended a call that was cut off, at the end of the note of its transition: its answer was held, or the call still ran. */
export const HELD_WHEN_CUT = ' while a hold kept the answer back.';
export const RAN_WHEN_CUT = ' during the call.';
/** Beginnings of that note where Sidelight ended; otherwise the app was removed. A crash leaves no note about a call that ran. */
export const CUT_BY_END = { crash: 'Sidelight ended', stop: 'Sidelight was stopped' } as const;

/** Addition for a delivery that a person retried after it had ended: the attempts before that do not count. */
export const SINCE_RETRY = ' since your retry';

/** The answer of a batch that leaves the entry out. */
export const WITHOUT_STATUS = '{code} without a status for its entry';

/** How the only attempt ended that was allowed. */
export const ONLY_ANSWER: Readonly<Record<keyof typeof LAST_ANSWER, string>> = {
  answered: '; the answer was {answer}',
  unanswered: '; the call got {none}',
  cancelled: '; you cancelled the call',
};

/** End of a sentence about an answer to a call that another sidecar made: its next step is unknown here. */
const SIDECAR_DECIDES = 'its sidecar decides whether it tries again.';

/** The sentence of a retry as a tap knows it. */
export function asObserved(sentence: string): string {
  return sentence
    .replace(': to be retried.', `: ${SIDECAR_DECIDES}`)
    .replace(', to be retried.', `; ${SIDECAR_DECIDES}`)
    .replace(' To be retried.', ` ${SIDECAR_DECIDES.replace(/^i/, 'I')}`);
}

/** Sentences without times or names of one run. They replace the full ones in texts that must not differ between equal runs. */
export const STEADY_SENTENCES: Readonly<Partial<Record<KnownRule, string>>> = {
  'policy.no-answer': 'No answer ({error}). To be retried.',
  'ttl.expired': 'It expired before it was processed.',
  'hold.matched': 'Held.',
  'hold.released': 'Released by its hold.',
};

/** Steady sentences for the case that no attempt is left. */
export const STEADY_LAST_SENTENCES: Readonly<Partial<Record<KnownRule, string>>> = {
  'policy.no-answer': 'No answer ({error}); attempt {n} was the last one allowed.',
};
