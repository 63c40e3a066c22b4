/** The bell: the last fifty notifications and what actions said, as text. */
import { Bell as BellIcon, CircleAlert, CircleCheck } from 'lucide-react';
import type { ReactElement } from 'react';
import { IconButton } from '../components/Button.tsx';
import { PopoverPanel } from '../components/PopoverPanel.tsx';
import { NOTIFICATIONS } from '../copy/notifications.ts';
import { useConsole } from '../state/context.ts';
import { useSelected } from '../state/store.ts';
import css from './Banner.module.css';

/** A button and its list. */
export function Bell(): ReactElement {
  const { toasts } = useConsole();
  const past = useSelected(toasts.store, (state) => state.past);
  return (
    <PopoverPanel
      title={NOTIFICATIONS.title}
      align="end"
      trigger={<IconButton icon={BellIcon} label={NOTIFICATIONS.open} />}
    >
      {past.length === 0 ? (
        <p>{NOTIFICATIONS.none}</p>
      ) : (
        <ul aria-label={NOTIFICATIONS.title} className={css.past}>
          {past.map(({ id, kind, text }) => {
            const Icon = kind === 'failed' ? CircleAlert : CircleCheck;
            return (
              <li key={id} className={css.pastItem}>
                <Icon aria-hidden size={14} />
                <span>{text}</span>
              </li>
            );
          })}
        </ul>
      )}
    </PopoverPanel>
  );
}
