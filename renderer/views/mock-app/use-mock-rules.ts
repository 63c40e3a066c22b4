/** Saves the answers of a mock app and says so. */
import type { Preset, ResponseRule } from '../../../core/contract/mock-app.ts';
import { fill } from '../../copy/fill.ts';
import { MOCK } from '../../copy/mock-app.ts';
import { useConsole } from '../../state/context.ts';
import { asFailure } from '../../state/resource.ts';

export interface MockRules {
  /**
   * @param undo the rules to go back to; undefined offers no way back and says nothing
   * @param refused takes why it was refused, where a form says so itself
   */
  readonly save: (
    rules: readonly ResponseRule[],
    undo: readonly ResponseRule[] | undefined,
    refused?: (message: string) => void,
  ) => Promise<boolean>;
  /** Sequences and hits begin again. */
  readonly reset: () => Promise<void>;
  /** Opens or closes its port. */
  readonly turn: (on: boolean) => Promise<void>;
  readonly use: (preset: Preset, before: readonly ResponseRule[]) => Promise<void>;
}

/** A rule as it is sent: without what the host counts. */
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
