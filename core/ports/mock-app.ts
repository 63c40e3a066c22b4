/** What the console can do with a mock app. */
import type { Answer, MockAppState, Preset, ResponseRule } from '../contract/mock-app.ts';
import type { WireSubscription } from '../contract/subscription.ts';

export interface MockApp {
  readonly appId: string;
  readonly url: string;
  /** True while the mock app's port is open. */
  readonly isOn: boolean;
  state(): MockAppState;
  setSubscriptions(subscriptions: readonly WireSubscription[]): void;
  /** Gives rules their ids. Throws Refusal INVALID_PARAMS for a rule that cannot be. */
  setRules(rules: readonly ResponseRule[]): void;
  presets(): readonly Preset[];
  /** Throws Refusal NOT_FOUND. */
  usePreset(preset: string): void;
  /** Hits start at 0, sequences at their first answer. */
  resetCounters(): void;
  /** Closes its port, or opens the same one again. Rejects with the system's error when another process has it now. */
  turn(on: boolean): Promise<void>;
  /** Calls that wait under an `ask` rule. `attemptId` as our sidecar sent it in the request header of ATTEMPT_HEADER. */
  waiting(): readonly {
    readonly attemptId: string;
    readonly since: number;
    readonly path: string;
    readonly entryIds?: readonly string[];
  }[];
  /** False when nothing waits under this attempt. */
  answer(attemptId: string, answer: Answer): boolean;
  /** Which rule answered this attempt, kept for the newest 10,000. */
  answeredBy(
    attemptId: string,
  ): { readonly ruleId: string; readonly name?: string; readonly byPerson?: boolean } | undefined;
  onChange(changed: () => void): () => void;
  close(): Promise<void>;
}

/** Sent to mock apps only, so that an answer can be joined to its attempt. */
export const ATTEMPT_HEADER = 'sidelight-attempt';
