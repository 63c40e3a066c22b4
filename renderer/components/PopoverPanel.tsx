/** A button that opens a small panel with a title over the page. */
import { Popover } from '@base-ui/react/popover';
import type { ReactElement, ReactNode } from 'react';
import css from './PopoverPanel.module.css';

export interface PopoverPanelProps {
  /** The trigger: an element that takes the props of a button. */
  readonly trigger: ReactElement<Record<string, unknown>>;
  readonly title: string;
  readonly align?: 'start' | 'end';
  readonly children: ReactNode;
}

/**
 * A panel that gets the focus and returns it to the button; Escape or a click outside closes it. Elements
 * under it cannot be clicked meanwhile, because a half covered button is too small to hit.
 */
export function PopoverPanel({ trigger, title, align = 'start', children }: PopoverPanelProps): ReactElement {
  return (
    <Popover.Root modal>
      <Popover.Trigger render={trigger} />
      <Popover.Portal>
        <Popover.Positioner sideOffset={4} align={align} className={css.positioner}>
          <Popover.Popup className={css.popup}>
            <Popover.Title className={css.title}>{title}</Popover.Title>
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
