/** Names a view: a new one with the present filter, or an existing one. */
import { useState, type ReactElement } from 'react';
import { withoutUndefined } from '../../../core/contract/without-undefined.ts';
import { Button } from '../../components/Button.tsx';
import { TextField } from '../../components/Fields.tsx';
import { CancelButton } from '../../components/CancelButton.tsx';
import { useDiffers } from '../../components/use-differs.ts';
import { Overlay } from '../../components/Overlay.tsx';
import { useNoteSent, whileThisIsOpen } from '../../components/own-dialog.ts';
import { ACT_WHY } from '../../copy/acts.ts';
import { VIEWS_COMMON } from '../../copy/common.ts';
import { SAVED_VIEWS } from '../../copy/saved-views.ts';
import { useRefused } from '../../components/use-refused.ts';
import { useAway, useConsole, useParam, useResource } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import css from './SaveView.module.css';

/** A dialog with one field. */
export function SaveView({ savedViewId }: { readonly savedViewId?: string | undefined }): ReactElement {
  const { commands, savedViews } = useConsole();
  const away = useAway(ACT_WHY.away);
  const { value } = useResource(savedViews.list);
  const view = value?.items.find((each) => each.savedViewId === savedViewId);
  // The filter may be applied only now: it is checked first.
  const applied = useParam('f') ?? '';
  const grouped = useParam('g');
  const filter = view?.filter ?? applied;
  const groupBy = view?.groupBy ?? grouped;
  const [name, setName] = useState(view?.name ?? '');
  const noteSent = useNoteSent({ name });
  const isFilled = useDiffers({ name });
  const [isTried, setIsTried] = useState(false);
  const pending = useSelected(commands.store, (state) => state.pending.has('views.save'));
  const refused = useRefused(['name']);
  const isNameless = name.trim() === '';

  async function save(): Promise<void> {
    setIsTried(true);
    if (isNameless) return;
    const more = {
      ...withoutUndefined({ savedViewId, groupBy }),
    };
    refused.clear();
    const then = whileThisIsOpen(commands);
    const mayClose = noteSent();
    const saved = await savedViews.save({ name: name.trim(), filter, ...more }, refused.take);
    if (saved === undefined) return;
    if (mayClose()) then(commands.close);
    // What was typed since is saved over the new view, and not as a second one.
    else then(() => commands.open({ kind: 'save-view', savedViewId: saved.savedViewId }));
  }

  return (
    <Overlay
      title={savedViewId === undefined ? SAVED_VIEWS.title : SAVED_VIEWS.renameTitle}
      onClose={commands.close}
      isFilled={isFilled}
      problem={refused.problem}
      onEdit={refused.clear}
      foot={
        <>
          <CancelButton />
          <Button kind="primary" type="submit" form="save-view" off={away} pending={pending}>
            {VIEWS_COMMON.save}
          </Button>
        </>
      }
    >
      <form
        id="save-view"
        className={css.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (away === undefined) void save();
        }}
      >
        <TextField
          label={SAVED_VIEWS.name}
          value={name}
          error={isTried && isNameless ? SAVED_VIEWS.needsName : refused.at('name')}
          onChange={setName}
          required
          maxLength={100}
          autoComplete="off"
        />
        <p className={css.filter}>
          {SAVED_VIEWS.filter}: <code>{filter === '' ? SAVED_VIEWS.everything : filter}</code>
        </p>
      </form>
    </Overlay>
  );
}
