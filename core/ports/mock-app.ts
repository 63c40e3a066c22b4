/** Control of a mock app by the console. */
import type { Answer, MockAppState, Preset, ResponseRule } from '../contract/mock-app.ts';
import type { WireSubscription } from '../contract/subscription.ts';

export interface MockApp {
  readonly appId: string;
  readonly url: string;
  /** True while the mock app's port is open. */
  readonly isOn: boolean;
  state(): MockAppState;
  /** Throws Refusal TOO_LARGE. */
  setSubscriptions(subscriptions: readonly WireSubscription[]): void;
  /** Checks rules that are set later: `setRules` finds out nothing about their bodies again. Throws Refusal INVALID_PARAMS. */
  checkRules(rules: readonly ResponseRule[]): void;
  /** Replaces the rules and gives them ids. Throws Refusal INVALID_PARAMS for an invalid rule, TOO_LARGE for too many characters. */
  setRules(rules: readonly ResponseRule[]): void;
  presets(): readonly Preset[];
  /** Uses the rules of a preset. Throws Refusal NOT_FOUND, TOO_LARGE. */
  usePreset(preset: string): void;
  /** Resets all counters: hits to 0, sequences to their first answer. */
  resetCounters(): void;
  /**
   * Closes the mock app's port, or opens the same one again. Rejects with the system's error if another
   * process has it now.
   */
  turn(on: boolean): Promise<void>;
  /**
   * Calls that wait under an `ask` rule. `attemptId` is the value that the sidecar sent in the header
   * ATTEMPT_HEADER.
   */
  waiting(): readonly {
    readonly attemptId: string;
    readonly since: number;
    readonly path: string;
    readonly entryIds?: readonly string[];
  }[];
  /** Answers a waiting call; false: no call waits for this attempt. */
  answer(attemptId: string, answer: Answer): boolean;
  /** The rule that answered this attempt; kept for the newest 10,000 attempts. */
  answeredBy(
    attemptId: string,
  ): { readonly ruleId: string; readonly name?: string; readonly byPerson?: boolean } | undefined;
  /** Calls `changed` after each request too. Returns a function that removes it. */
  onChange(changed: () => void): () => void;
  /** Calls `set` whenever rules or subscriptions were set. */
  onSet(set: () => void): void;
  /**
   * Sets what is called for a publish that came here instead of to the sidecar; the publisher gets its text.
   * Absent: the mock app has no port of its own.
   */
  onPublish?(says: () => string): void;
  close(): Promise<void>;
}

/** Header that only mock apps get, so that an answer can be matched to its attempt. */
export const ATTEMPT_HEADER = 'sidelight-attempt';
