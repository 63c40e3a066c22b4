/** Overlays of the page, opened one at a time by buttons. */
import { useState, type ReactElement } from 'react';
import { Button } from '../../renderer/components/Button.tsx';
import { TextField } from '../../renderer/components/Fields.tsx';
import { Overlay, Question } from '../../renderer/components/Overlay.tsx';
import { ToastList } from '../../renderer/components/Toasts.tsx';
import { FilterHelp } from '../../renderer/frame/FilterHelp.tsx';
import { Palette } from '../../renderer/frame/Palette.tsx';
import { ShortcutSheet } from '../../renderer/frame/ShortcutSheet.tsx';
import { useConsole } from '../../renderer/state/context.ts';
import { useSelected } from '../../renderer/state/store.ts';
import { Specimen } from './Specimen.tsx';

const KINDS = ['Dialog', 'Wide dialog', 'Question', 'Danger', 'Toasts'] as const;
const nothing = (): void => undefined;

/** A button for each. */
export function Overlays(): ReactElement {
  const { commands } = useConsole();
  const overlay = useSelected(commands.store, (state) => state.overlay);
  const [open, setOpen] = useState<(typeof KINDS)[number] | undefined>();
  const close = (): void => setOpen(undefined);
  return (
    <Specimen title="Overlays">
      {KINDS.map((kind) => (
        <Button key={kind} onClick={() => setOpen(kind)}>
          {kind}
        </Button>
      ))}
      <Button onClick={() => commands.open({ kind: 'palette' })}>Palette</Button>
      <Button onClick={() => commands.open({ kind: 'shortcuts' })}>Shortcuts</Button>
      <Button onClick={() => commands.open({ kind: 'filter-help' })}>Filter help</Button>
      {(open === 'Dialog' || open === 'Wide dialog') && (
        <Overlay title={open} wide={open === 'Wide dialog'} onClose={close} foot={<Button>Done</Button>}>
          <TextField label="First field" value="" onChange={nothing} />
        </Overlay>
      )}
      {(open === 'Question' || open === 'Danger') && (
        <Question
          title="Clear all messages?"
          text="Sidelight removes 86,310 messages and their attempts."
          yes="Clear"
          danger={open === 'Danger'}
          onYes={nothing}
          onClose={close}
        />
      )}
      {open === 'Toasts' && (
        <ToastList
          onClose={close}
          toasts={[
            { id: 1, at: 0, kind: 'done', text: 'Dropped.', action: { title: 'Retry', run: nothing } },
            { id: 2, at: 0, kind: 'failed', text: 'The app already has it; wait for the answer.' },
          ]}
        />
      )}
      {overlay?.kind === 'palette' && <Palette />}
      {overlay?.kind === 'shortcuts' && <ShortcutSheet />}
      {overlay?.kind === 'filter-help' && <FilterHelp />}
    </Specimen>
  );
}
