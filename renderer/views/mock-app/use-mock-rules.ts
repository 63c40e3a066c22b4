/** Saves the answers of a mock app and reports it. */
import { useRef } from 'react';
import type { MockAppState, Preset, ResponseRule } from '../../../core/contract/mock-app.ts';
import { fill } from '../../copy/fill.ts';
import { MOCK } from '../../copy/mock-app.ts';
import type { TakesFailure } from '../../state/acting.ts';
import { useConsole } from '../../state/context.ts';
import { asFailure } from '../../state/resource.ts';

/** Undefined: nothing is saved. */
type ChangeRules = (rules: readonly ResponseRule[]) => readonly ResponseRule[] | undefined;

type SaysDone = (before: readonly ResponseRule[]) => string;

export interface MockRules {
  /**
   * Changes the rules that there are once earlier changes have been saved, so that quick ones build on each other.
   * @param done the report, by the rules before the change, with which it can be undone; absent: it is not reported
   * @param refused receives a refusal, for a form that shows it itself
   * @returns the state that was saved; undefined: it was refused, or nothing was to be saved
   */
  readonly change: (
    to: ChangeRules,
    done?: SaysDone,
    refused?: TakesFailure,
  ) => Promise<MockAppState | undefined>;
  /** Resets sequences and hits. */
  readonly reset: () => Promise<void>;
  /** Opens or closes the port of the mock app. */
  readonly turn: (on: boolean) => Promise<void>;
  readonly use: (preset: Preset, before: readonly ResponseRule[]) => Promise<void>;
}

/** A rule for the host, without its counters. */
function sent({ hits: _hits, lastAt: _lastAt, ...rule }: ResponseRule): ResponseRule {
  return rule;
}

/** The acts on the rules of one mock app. */
export function useMockRules(appId: string): MockRules {
  const { call, commands, mockApps, toasts } = useConsole();
  /** The last change that was begun; it never rejects. */
  const lastChange = useRef<Promise<unknown>>(Promise.resolve());

  async function store(rules: readonly ResponseRule[]): Promise<MockAppState> {
    const state = await call('mockApp.setRules', { appId, rules: rules.map(sent) });
    mockApps.app.accept(state);
    return state;
  }

  /** Stores rules for undo. */
  async function restore(rules: readonly ResponseRule[]): Promise<void> {
    try {
      await store(rules);
    } catch (reason) {
      toasts.failed(asFailure(reason).message);
    }
  }

  async function changeNow(
    to: ChangeRules,
    done: SaysDone | undefined,
    refused: TakesFailure,
  ): Promise<MockAppState | undefined> {
    try {
      return await commands.during('mockApp.setRules', async () => {
        // Another window may have changed them since they were drawn here.
        const state = await call('mockApp.get', { appId });
        const next = to(state.rules);
        if (next === undefined) {
          mockApps.app.accept(state);
          return undefined;
        }
        const saved = await store(next);
        if (done !== undefined)
          toasts.done(done(state.rules), { title: MOCK.undo, run: () => void restore(state.rules) });
        return saved;
      });
    } catch (reason) {
      refused(asFailure(reason));
      return undefined;
    }
  }

  function change(
    to: ChangeRules,
    done?: SaysDone,
    refused: TakesFailure = ({ message }) => toasts.failed(message),
  ): Promise<MockAppState | undefined> {
    const turn = lastChange.current.then(() => changeNow(to, done, refused));
    lastChange.current = turn;
    return turn;
  }

  async function use(preset: Preset, before: readonly ResponseRule[]): Promise<void> {
    try {
      mockApps.app.accept(await call('mockApp.usePreset', { appId, preset: preset.preset }));
      toasts.done(fill(MOCK.presetUsed, { title: preset.title }), {
        title: MOCK.undo,
        run: () => void restore(before),
      });
    } catch (reason) {
      toasts.failed(asFailure(reason).message);
    }
  }

  async function turn(on: boolean): Promise<void> {
    try {
      mockApps.app.accept(await call('mockApp.turn', { appId, on }));
      toasts.done(on ? MOCK.turnedOn : MOCK.turnedOff);
    } catch (reason) {
      toasts.failed(asFailure(reason).message);
    }
  }

  async function reset(): Promise<void> {
    try {
      mockApps.app.accept(await call('mockApp.resetCounters', { appId }));
      toasts.done(MOCK.countersReset);
    } catch (reason) {
      toasts.failed(asFailure(reason).message);
    }
  }

  return { change, use, reset, turn };
}
