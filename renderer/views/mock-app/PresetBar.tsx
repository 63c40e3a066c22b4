/** Named sets of answers: choosing one, saving the present answers under a name, removing an own one. */
import { BookmarkPlus, Trash2 } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import type { MockAppState, Preset, ResponseRule } from '../../../core/contract/mock-app.ts';
import { Button, IconButton } from '../../components/Button.tsx';
import { Choice } from '../../components/Choice.tsx';
import { TextField } from '../../components/Fields.tsx';
import { CancelButton } from '../../components/CancelButton.tsx';
import { useDiffers } from '../../components/use-differs.ts';
import { Overlay } from '../../components/Overlay.tsx';
import { useNoteSent } from '../../components/own-dialog.ts';
import { ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { MOCK } from '../../copy/mock-app.ts';
import { useAway, useConsole, useResource } from '../../state/context.ts';
import { useRefused } from '../../components/use-refused.ts';
import { protocolOf } from './predictions.ts';
import { presetOptions } from './preset-options.tsx';
import { useMockRules } from './use-mock-rules.ts';
import css from './MockApp.module.css';

/** Text that is equal for equal rules, whatever their ids and counts. */
function fingerprintOf(rules: readonly ResponseRule[]): string {
  return JSON.stringify(
    rules.map(({ answer, enabled, match, name, per, times }) => [name, enabled, match, times, per, answer]),
  );
}

/** The choice, and acts on own sets. */
export function PresetBar({ state }: { readonly state: MockAppState }): ReactElement {
  const { acting, call, mockApps, toasts } = useConsole();
  const away = useAway(ACT_WHY.away);
  const { use } = useMockRules(state.appId);
  const { value } = useResource(mockApps.presets);
  const [keeps, setKeeps] = useState(false);
  // The preset without answers is left out for a tap, which then passes everything to its app.
  const presets = (value?.items ?? []).filter(({ rules }) => state.tap !== true || rules.length > 0);
  const now = presets.find((preset) => fingerprintOf(preset.rules) === fingerprintOf(state.rules));

  function forget({ preset, rules, title }: Preset): void {
    void acting.run('mockApp.removePreset', async () => {
      await call('mockApp.removePreset', { preset });
      await mockApps.presets.refresh();
      toasts.done(fill(MOCK.forgotten, { title }), {
        title: MOCK.undo,
        run: () =>
          void acting.run('mockApp.savePreset', async () => {
            await call('mockApp.savePreset', { title, rules });
            await mockApps.presets.refresh();
            return fill(MOCK.kept, { title });
          }),
      });
      return undefined;
    });
  }

  return (
    <>
      <span aria-hidden className={css.muted}>
        {MOCK.preset}
      </span>
      <Choice
        label={MOCK.preset}
        value={now?.preset ?? ''}
        placeholder={MOCK.choosePreset}
        off={away}
        options={presetOptions(presets, protocolOf(state))}
        onChange={(id) => {
          const preset = presets.find((each) => each.preset === id);
          if (preset !== undefined) void use(preset, state.rules);
        }}
      />
      <Button icon={BookmarkPlus} off={away} onClick={() => setKeeps(true)}>
        {MOCK.keepPreset}
      </Button>
      {now?.group === 'own' && (
        <IconButton
          icon={Trash2}
          label={fill(MOCK.forget, { title: now.title })}
          off={away}
          onClick={() => forget(now)}
        />
      )}
      {keeps && <KeepDialog rules={state.rules} presets={presets} onClose={() => setKeeps(false)} />}
    </>
  );
}

interface KeepDialogProps {
  readonly rules: readonly ResponseRule[];
  readonly presets: readonly Preset[];
  readonly onClose: () => void;
}

function KeepDialog({ rules, presets, onClose }: KeepDialogProps): ReactElement {
  const { call, mockApps } = useConsole();
  const refused = useRefused(['title']);
  const away = useAway(ACT_WHY.away);
  const [name, setName] = useState('');
  const noteSent = useNoteSent({ name });
  const isFilled = useDiffers({ name });
  const [made, setMade] = useState<Preset>();
  const title = name.trim();
  const old = presets.find((preset) => preset.group === 'own' && preset.title === title);
  const off = away ?? (title === '' ? MOCK.needsName : undefined);

  async function keep(): Promise<void> {
    const mayClose = noteSent();
    const replaced = old ?? made;
    const done = await refused.run('mockApp.savePreset', async () => {
      const saved = await call('mockApp.savePreset', {
        title,
        rules,
        ...(replaced === undefined ? {} : { preset: replaced.preset }),
      });
      // A name that is typed meanwhile is for the preset that was made here, and not for a second one. An older one keeps its name.
      if (replaced === undefined || replaced === made) setMade(saved);
      await mockApps.presets.refresh();
      return fill(MOCK.kept, { title });
    });
    if (done && mayClose()) onClose();
  }

  return (
    <Overlay
      title={MOCK.keepTitle}
      onClose={onClose}
      isFilled={isFilled}
      problem={refused.problem}
      onEdit={refused.clear}
      foot={
        <>
          <CancelButton />
          <Button kind="primary" off={off} pending={refused.pending} onClick={() => void keep()}>
            {MOCK.keepSave}
          </Button>
        </>
      }
    >
      <TextField
        label={MOCK.keepName}
        error={refused.at('title')}
        value={name}
        hint={old === undefined ? undefined : MOCK.keepReplaces}
        onChange={setName}
      />
    </Overlay>
  );
}
