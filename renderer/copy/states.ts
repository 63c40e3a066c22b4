/** Words and meanings of the nine states and of the stages before them. */
import type { RowState } from '../../core/contract/message.ts';

/** Kinds of chips: the state that needs attention most. `asked`: a call waits for the answer of a person. */
export type ChipKind = RowState | 'asked';

export const CHIP_WORDS: Readonly<Record<ChipKind, string>> = {
  queued: 'Queued',
  held: 'Held',
  attempting: 'Attempting',
  retrying: 'Retrying',
  processed: 'Processed',
  dropped: 'Dropped',
  expired: 'Expired',
  'dead-lettered': 'Dead-lettered',
  parked: 'Parked',
  none: 'No subscription',
  waiting: 'Waiting for app',
  refused: 'Not published',
  asked: 'Waiting for you',
  unseen: 'Not seen here',
};

export const CHIP_MEANINGS: Readonly<Record<ChipKind, string>> = {
  queued: 'Waiting for its turn to be sent to the app',
  held: 'Stopped by a hold; release, drop or edit it',
  attempting: 'Request sent to the app, no answer yet',
  retrying: 'To be retried; the next attempt time is shown',
  processed: 'The app accepted it',
  dropped:
    'Will not be delivered again; can be retried or replayed. A DROP also puts a copy on the dead-letter topic, if there is one',
  expired: 'Its time to live passed before it was processed',
  'dead-lettered': 'Published to the dead-letter topic',
  parked: 'Sidelight does not retry it, and nothing is lost. You decide what happens next',
  none: 'Published, but no subscription matched the topic',
  waiting: 'Waiting for {app} to report {n:its|their} subscriptions',
  refused: 'Its component, or the sidecar behind a tap, did not accept it',
  asked: 'The app was called, and you choose the answer',
  unseen:
    'No delivery of it was seen here: its publish passed a tap, or went to a broker that may give it to another program',
};

/** Text for a message that is published again once its component is ready. */
export const WAITS_FOR_COMPONENT = 'Waiting for component {pubsub} to be ready';
/** Text for a delivery that waits until its app subscribes again. */
export const WAITS_FOR = 'Waiting for {app} to subscribe to {pubsub}/{topic} again';
