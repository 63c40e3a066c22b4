/** Saves the answers of a mock app and reports it. */
import type { Preset, ResponseRule } from '../../../core/contract/mock-app.ts';
import { fill } from '../../copy/fill.ts';
import { MOCK } from '../../copy/mock-app.ts';
import { useConsole } from '../../state/context.ts';
import { asFailure } from '../../state/resource.ts';

export interface MockRules {
  /**
   * Saves rules.
   * @param undo the rules for undo; undefined: no undo and no report
   * @param refused receives the reason of a refusal, for a form that shows it itself
   */
  readonly save: (
    rules: readonly ResponseRule[],
    undo: readonly ResponseRule[] | undefined,
    refused?: (message: string) => void,
  ) => Promise<boolean>;
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

  async function save(
    rules: readonly ResponseRule[],
    undo: readonly ResponseRule[] | undefined,
    refused: (message: string) => void = toasts.failed,
  ): Promise<boolean> {
    try {
      const state = await commands.during('mockApp.setRules', () =>
        call('mockApp.setRules', { appId, rules: rules.map(sent) }),
      );
      mockApps.app.accept(state);
      if (undo !== undefined) {
        toasts.done(MOCK.saved, { title: MOCK.undo, run: () => void save(undo, undefined) });
      }
      return true;
    } catch (reason) {
      refused(asFailure(reason).message);
      return false;
    }
  }

  async function use(preset: Preset, before: readonly ResponseRule[]): Promise<void> {
    try {
      mockApps.app.accept(await call('mockApp.usePreset', { appId, preset: preset.preset }));
      toasts.done(fill(MOCK.presetUsed, { title: preset.title }), {
        title: MOCK.undo,
        run: () => void save(before, undefined),
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

  return { save, use, reset, turn };
}
