/** A tooltip around one control: what it does, why it cannot be used, its keys. */
import { Tooltip } from '@base-ui/react/tooltip';
import type { ReactElement, ReactNode } from 'react';
import css from './Hint.module.css';
import { Keys } from './Keys.tsx';

export interface HintProps {
  readonly text: ReactNode;
  readonly keys?: readonly string[] | undefined;
  readonly children: ReactElement<Record<string, unknown>>;
  readonly side?: 'top' | 'bottom' | 'left' | 'right' | undefined;
}

/**
 * Shows `text` beside the control on hover and on focus. The pointer goes through it: over a list it lies on the next control, which
 * must stay within reach.
 */
export function Hint({ text, keys, children, side = 'bottom' }: HintProps): ReactElement {
  return (
    <Tooltip.Root disableHoverablePopup>
      <Tooltip.Trigger render={children} />
      <Tooltip.Portal>
        <Tooltip.Positioner side={side} sideOffset={6} className={css.positioner}>
          <Tooltip.Popup className={css.popup}>
            <span>{text}</span>
            {keys !== undefined && keys.length > 0 && <Keys keys={keys} />}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
