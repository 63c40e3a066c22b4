/** A tooltip around one control: its purpose, why it is disabled, its keys. */
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
 * Shows `text` beside the control on hover and on focus. A tooltip opened by the pointer can be hovered, so
 * that it can be read under a magnifier; a click on it, or Escape, closes it. A tooltip opened by the
 * keyboard lets the pointer through, because over a list it covers the next control.
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
