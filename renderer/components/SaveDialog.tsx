/** Saves the form under a name, or renames a saved request. */
import { useState, type ReactElement } from 'react';
import type { PublishParams } from '../../core/contract/publish.ts';
import type { SavedRequest } from '../../core/contract/saved.ts';
import { Button } from './Button.tsx';
import { TextField, Checkbox } from './Fields.tsx';
import { CancelButton } from './CancelButton.tsx';
import { useDiffers } from './use-differs.ts';
import { Overlay } from './Overlay.tsx';
import { useNoteSent } from './own-dialog.ts';
import { useRefused } from './use-refused.ts';
import { ACT_WHY } from '../copy/acts.ts';
import { fill } from '../copy/fill.ts';
import { SAVED } from '../copy/saved.ts';
import { useAway, useConsole, useResource } from '../state/context.ts';
import css from './SaveDialog.module.css';

export interface SaveDialogProps {
  readonly request: PublishParams;
  /** The saved request to change; undefined: a new one. */
  readonly of?: SavedRequest | undefined;
  readonly onClose: () => void;
  readonly onSaved?: (saved: SavedRequest) => void;
}

/** A dialog with name, folder and digit. */
export function SaveDialog({ request, of, onClose, onSaved }: SaveDialogProps): ReactElement {
  const { call, saved } = useConsole();
  const refused = useRefused(['name', 'folder', 'shortcut']);
  const away = useAway(ACT_WHY.away);
  const { value } = useResource(saved.requests);
  const [name, setName] = useState(of?.name ?? '');
  const [folder, setFolder] = useState(of?.folder ?? '');
  const [shortcut, setShortcut] = useState(of?.shortcut === undefined ? '' : String(of.shortcut));
  const [inPalette, setInPalette] = useState(of?.inPalette ?? false);
  const [requestId, setRequestId] = useState(of?.requestId);
  const fields = { name, folder, shortcut, inPalette };
  const noteSent = useNoteSent(fields);
  const isFilled = useDiffers(fields);
  const folders = [...new Set((value?.items ?? []).flatMap((each) => each.folder ?? []))];
  const isDigit = shortcut === '' || /^[1-9]$/.test(shortcut);
  const off =
    away ?? (name.trim() === '' ? SAVED.needsName : undefined) ?? (isDigit ? undefined : SAVED.badShortcut);

  async function save(): Promise<void> {
    const mayClose = noteSent();
    const done = await refused.run('requests.save', async () => {
      const made = await call('requests.save', {
        name: name.trim(),
        request,
        inPalette,
        ...(requestId === undefined ? {} : { requestId }),
        ...(folder.trim() === '' ? {} : { folder: folder.trim() }),
        ...(shortcut === '' ? {} : { shortcut: Number(shortcut) }),
      });
      // What is typed meanwhile is saved over this request, and not as a second one.
      setRequestId(made.requestId);
      await saved.requests.refresh();
      onSaved?.(made);
      return fill(SAVED.saved, { name: name.trim() });
    });
    if (done && mayClose()) onClose();
  }

  return (
    <Overlay
      title={SAVED.saveTitle}
      onClose={onClose}
      isFilled={isFilled}
      problem={refused.problem}
      onEdit={refused.clear}
      foot={
        <>
          <CancelButton />
          <Button kind="primary" off={off} pending={refused.pending} onClick={() => void save()}>
            {SAVED.save}
          </Button>
        </>
      }
    >
      <div className={css.fields}>
        <TextField label={SAVED.saveName} error={refused.at('name')} value={name} onChange={setName} />
        <TextField
          label={SAVED.saveFolder}
          error={refused.at('folder')}
          value={folder}
          suggestions={folders}
          onChange={setFolder}
        />
        <TextField
          label={SAVED.saveShortcut}
          hint={SAVED.saveShortcutHint}
          inputMode="numeric"
          value={shortcut}
          error={isDigit ? refused.at('shortcut') : SAVED.badShortcut}
          onChange={setShortcut}
        />
        <Checkbox label={SAVED.savePalette} checked={inPalette} onChange={setInPalette} />
      </div>
    </Overlay>
  );
}
