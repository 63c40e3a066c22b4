/** Presets as the options of a choice: in groups, each with the state to which it leads. */
import type { Protocol } from '../../../core/contract/grpc.ts';
import type { Preset } from '../../../core/contract/mock-app.ts';
import { Chip } from '../../components/Chip.tsx';
import type { ChoiceOption } from '../../components/Choice.tsx';
import { MOCK } from '../../copy/mock-app.ts';
import { CHIP_WORDS, type ChipKind } from '../../copy/states.ts';

const GROUP_ORDER: readonly Preset['group'][] = ['set', 'own', 'single', 'bulk', 'extra'];

function isChip(word: string): word is ChipKind {
  return word in CHIP_WORDS;
}

/** Options in the order of the groups. The states are those of HTTP: over gRPC some statuses lead elsewhere. */
export function presetOptions(presets: readonly Preset[], protocol: Protocol): readonly ChoiceOption[] {
  return GROUP_ORDER.flatMap((group) =>
    presets
      .filter((preset) => preset.group === group)
      .map(({ leadsTo, preset, title }) => ({
        value: preset,
        title,
        group: MOCK.groups[group],
        note:
          protocol === 'http' && leadsTo !== undefined && isChip(leadsTo) ? (
            <Chip kind={leadsTo} />
          ) : undefined,
      })),
  );
}
