/** A button that opens a small panel with a title over the page. */
import { Popover } from '@base-ui/react/popover';
import { useState, type MouseEvent, type ReactElement, type ReactNode } from 'react';
import css from './PopoverPanel.module.css';

export interface PopoverPanelProps {
  /** The trigger: an element that takes the props of a button. */
  readonly trigger: ReactElement<Record<string, unknown>>;
  readonly title: string;
  readonly align?: 'start' | 'end';
  readonly children: ReactNode;
}

/** Whether a click follows a link in this window, away from what the panel is about. */
function followsLink({ target, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  if (ctrlKey || metaKey || shiftKey) return false;
  return target instanceof Element && target.closest('a[href]') !== null;
}

/**
 * A panel that gets the focus and returns it to the button; Escape, a link in it or a click outside closes it. Elements
 * under it cannot be clicked meanwhile, because a half covered button is too small to hit.
 */
export function PopoverPanel({ trigger, title, align = 'start', children }: PopoverPanelProps): ReactElement {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Popover.Root modal open={isOpen} onOpenChange={setIsOpen}>
      <Popover.Trigger render={trigger} />
      <Popover.Portal>
        <Popover.Positioner sideOffset={4} align={align} className={css.positioner}>
          <Popover.Popup
            className={css.popup}
            onClick={(event) => {
              if (followsLink(event)) setIsOpen(false);
            }}
          >
            <Popover.Title className={css.title}>{title}</Popover.Title>
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
