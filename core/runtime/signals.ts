/** Signals from one part of the runtime to parts that are constructed later. */
import type { Attempt } from '../contract/message.ts';
import type { ReceivedAnswer } from '../ports/app-channel.ts';
import type { Loaded } from './components/component-row.ts';
import type { App } from './state/app.ts';
import type { LiveDelivery, LiveMessage } from './state/live.ts';

/** Every signal by name, with its payload. */
export interface RuntimeSignals {
  /** A delivery is queued, or due again: its lane queues it. */
  readonly ready: LiveDelivery;
  /** A hold caught a message at publish. `releaseAtMs`: time of the automatic release; undefined: none. */
  readonly heldAtPublish: { readonly message: LiveMessage; readonly releaseAtMs: number | undefined };
  /** A message was published, and no subscription took it. */
  readonly withoutSubscription: LiveMessage;
  /** An app's port refused a call. */
  readonly refused: App;
  /** An app may speak another protocol than its address says, or no longer. */
  readonly spoken: App;
  /** A person answers an observed delivery that is held before the app has it. */
  readonly replied: {
    readonly d: LiveDelivery;
    /** Throws Refusal INVALID_PARAMS for an answer that cannot be given. */
    readonly answerTo: (attempt: Pick<Attempt, 'protocol' | 'bulk'>) => ReceivedAnswer;
  };
  /** A held answer has taken effect, changed or (undefined) unchanged. */
  readonly answerReleased: { readonly d: LiveDelivery; readonly changed: ReceivedAnswer | undefined };
  /** A component that could not be started is to be started again. */
  readonly startDue: Loaded;
  /** The connection of a component to its server was lost, was tried again, or is back. */
  readonly connection: Loaded;
  /** A delivery has another route than before. */
  readonly rerouted: LiveDelivery;
  /** Numbers of messages of which the removal can no longer be undone: the journal does not have them any more. */
  readonly removed: readonly number[];
  /** An app's first discovery has ended, or a later one. */
  readonly discovered: App;
  /** An app is served by its subscriptions of now, those of the app and of the files. */
  readonly aligned: App;
  /** A route of an app is missing, or missing no longer. */
  readonly routeChanged: App;
}

type Followers = { readonly [K in keyof RuntimeSignals]: ((payload: RuntimeSignals[K]) => void)[] };

export class Signals {
  readonly #followers: Followers = {
    ready: [],
    heldAtPublish: [],
    withoutSubscription: [],
    refused: [],
    spoken: [],
    answerReleased: [],
    replied: [],
    startDue: [],
    connection: [],
    rerouted: [],
    removed: [],
    discovered: [],
    aligned: [],
    routeChanged: [],
  };

  /** Calls `follow` synchronously with every later signal of this name. */
  on<K extends keyof RuntimeSignals>(name: K, follow: (payload: RuntimeSignals[K]) => void): void {
    this.#followers[name].push(follow);
  }

  /** Notifies the followers in order of registration. An error of a follower reaches the caller. */
  emit<K extends keyof RuntimeSignals>(name: K, payload: RuntimeSignals[K]): void {
    for (const follow of this.#followers[name]) follow(payload);
  }
}
