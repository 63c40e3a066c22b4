/** Sets of mock answers that a person keeps under a name. */
import type { Params } from '../../contract/console.ts';
import type { Preset, ResponseRule } from '../../contract/mock-app.ts';
import { isObject } from '../../domain/json.ts';
import { Refusal } from '../../domain/refusal.ts';
import { KeptValue } from './kept-value.ts';
import type { KeptValueDependencies } from './kept-value.ts';
import { mustBeFew, mustHaveRoom } from './room.ts';

const MAX_PRESETS = 100;

export interface OwnPresetsDependencies extends KeptValueDependencies {
  readonly nextId: () => string;
}

export class OwnPresets {
  readonly #deps: OwnPresetsDependencies;
  readonly #kept: KeptValue<readonly Preset[]>;

  constructor(deps: OwnPresetsDependencies) {
    this.#deps = deps;
    this.#kept = new KeptValue(deps, 'mock-app.presets', readPresets);
  }

  list(): Promise<readonly Preset[]> {
    return this.#kept.get();
  }

  async find(preset: string): Promise<Preset | undefined> {
    return (await this.#kept.get()).find((one) => one.preset === preset);
  }

  /** Adds a preset at the end, or replaces one. Throws Refusal NOT_FOUND, TOO_LARGE. */
  async save({ title, rules, preset }: Params<'mockApp.savePreset'>): Promise<Preset> {
    const made: Preset = {
      preset: preset ?? this.#deps.nextId(),
      title,
      group: 'own',
      rules: rules.map(withoutCounts),
    };
    await this.#kept.store((kept) => {
      if (preset !== undefined) inList(kept, preset);
      const next =
        preset === undefined ? [...kept, made] : kept.map((one) => (one.preset === preset ? made : one));
      mustBeFew(kept, next, { most: MAX_PRESETS, words: 'presets' });
      mustHaveRoom(kept, next, { words: 'sets of answers', field: 'rules' });
      return next;
    });
    return made;
  }

  /** Removes a preset. Throws Refusal NOT_FOUND, also for a built-in one. */
  async remove(preset: string): Promise<Preset> {
    const found = inList(await this.#kept.get(), preset);
    await this.#kept.store((all) => all.filter((one) => one.preset !== preset));
    return found;
  }
}

/** Throws Refusal NOT_FOUND. */
function inList(all: readonly Preset[], preset: string): Preset {
  const found = all.find((one) => one.preset === preset);
  if (found !== undefined) return found;
  throw new Refusal(
    'NOT_FOUND',
    { reason: `There is no preset ${preset} of your own.` },
    { field: 'preset' },
  );
}

function withoutCounts({ hits: _hits, lastAt: _lastAt, ruleId: _id, ...rule }: ResponseRule): ResponseRule {
  return rule;
}

function readPresets(kept: unknown): readonly Preset[] {
  return Array.isArray(kept) ? kept.filter(isPreset) : [];
}

function isPreset(value: unknown): value is Preset {
  return (
    isObject(value) &&
    typeof value['preset'] === 'string' &&
    typeof value['title'] === 'string' &&
    Array.isArray(value['rules'])
  );
}
