/** The button "Cancel" in the foot of a dialog. */
import { useContext, type ReactElement, type Ref } from 'react';
import { CONFIRM } from '../copy/acts.ts';
import { Button } from './Button.tsx';
import { Leave } from './leave-context.ts';

/** Closes its dialog, and asks first where something that was entered would be lost. */
export function CancelButton({ ref }: { readonly ref?: Ref<HTMLButtonElement> }): ReactElement {
  const leave = useContext(Leave);
  return (
    <Button ref={ref} onClick={leave}>
      {CONFIRM.cancel}
    </Button>
  );
}
