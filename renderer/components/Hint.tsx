/** A tooltip around one control: what it does, why it cannot be used, its keys. */
import { Tooltip } from '@base-ui/react/tooltip';
import { useRef, useState, type ReactElement, type ReactNode } from 'react';
import css from './Hint.module.css';
import { Keys } from './Keys.tsx';

export interface HintProps {
  readonly text: ReactNode;
  readonly keys?: readonly string[] | undefined;
  readonly children: ReactElement<Record<string, unknown>>;
  readonly side?: 'top' | 'bottom' | 'left' | 'right' | undefined;
}

/**
 * Shows `text` beside the control on hover and on focus. One that came by the pointer takes it, so that the text can be read under
 * a magnifier; a press on it, or Escape, takes it away. One that came by the keyboard lets the pointer through: over a list it lies
 * on the next control, which must stay within reach of the mouse.
 */
export function Hint({ text, keys, children, side = 'bottom' }: HintProps): ReactElement {
  const [isHovered, setIsHovered] = useState(false);
  const acts = useRef<Tooltip.Root.Actions>(null);
  return (
    <Tooltip.Root
      actionsRef={acts}
      disableHoverablePopup={!isHovered}
      onOpenChange={(isOpen, { reason }) => setIsHovered(isOpen && reason === 'trigger-hover')}
    >
      <Tooltip.Trigger render={children} />
      <Tooltip.Portal>
        <Tooltip.Positioner
          side={side}
          sideOffset={6}
          className={css.positioner}
          data-hovered={isHovered || undefined}
        >
          <Tooltip.Popup className={css.popup} onPointerDown={() => acts.current?.close()}>
            <span>{text}</span>
            {keys !== undefined && keys.length > 0 && <Keys keys={keys} />}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
