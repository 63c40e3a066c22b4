/** Choice whether a published message is opened at once. */
import type { ReactElement } from 'react';
import { Choice } from './Choice.tsx';
import { Field } from './Fields.tsx';
import { PUBLISH } from '../copy/publish.ts';
import { useConsole } from '../state/context.ts';
import { useSelected } from '../state/store.ts';
import { JUMPS } from '../state/ui.ts';
import css from './JumpChoice.module.css';

/**
 * The choice, on the publish form and in the settings.
 * @param isUnderLabel true: it is placed under its label, like the fields beside it
 */
export function JumpChoice({ isUnderLabel = false }: { readonly isUnderLabel?: boolean }): ReactElement {
  const { ui } = useConsole();
  const jump = useSelected(ui, (state) => state.jump);
  return (
    <div className={isUnderLabel ? undefined : css.choice}>
      <Field label={PUBLISH.jump}>
        {({ id }) => (
          <Choice
            id={id}
            label={PUBLISH.jump}
            value={jump}
            options={JUMPS.map((value) => ({ value, title: PUBLISH.jumps[value] }))}
            onChange={(next) => ui.setState({ jump: JUMPS.find((each) => each === next) ?? jump })}
          />
        )}
      </Field>
    </div>
  );
}
