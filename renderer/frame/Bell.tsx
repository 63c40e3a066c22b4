/** The bell: the last fifty notifications and results of actions, as text with their time. */
import { Popover } from '@base-ui/react/popover';
import { Bell as BellIcon, CircleAlert, CircleCheck, ClipboardList } from 'lucide-react';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { Button, IconButton } from '../components/Button.tsx';
import { PopoverPanel } from '../components/PopoverPanel.tsx';
import { NOTIFICATIONS } from '../copy/notifications.ts';
import { COMMAND_TITLES } from '../copy/commands.ts';
import { fill } from '../copy/fill.ts';
import { clockSeconds, utcTime } from '../format/clock-time.ts';
import { count } from '../format/quantity.ts';
import { copyActs } from '../keys/frame-commands.ts';
import { useConsole } from '../state/context.ts';
import { useSelected } from '../state/store.ts';
import type { Toast } from '../state/toasts.ts';
import css from './TopBar.module.css';

/** A button and its list. */
export function Bell(): ReactElement {
  const console = useConsole();
  const { toasts } = console;
  const made = useSelected(console.made, (acts) => acts.length);
  const past = useSelected(toasts.store, (state) => state.past);
  return (
    <PopoverPanel
      title={NOTIFICATIONS.title}
      align="end"
      trigger={<IconButton icon={BellIcon} label={NOTIFICATIONS.open} />}
    >
      <PastList past={past} />
      <OnlyListed />
      {made > 0 && (
        <Popover.Close
          render={<Button icon={ClipboardList} title={fill(NOTIFICATIONS.scriptHint, { n: count(made) })} />}
          onClick={() => copyActs(console)}
        >
          {COMMAND_TITLES.copyActs}
        </Popover.Close>
      )}
    </PopoverPanel>
  );
}

/** Says that no event shows itself, which is how a console begins, and leads to the choice. */
function OnlyListed(): ReactElement | null {
  const { ui } = useConsole();
  const isNone = useSelected(ui, ({ notify }) => notify.length === 0);
  if (!isNone) return null;
  return (
    <p>
      {NOTIFICATIONS.onlyListed} <Link href="/settings?s=general">{NOTIFICATIONS.choose}</Link>
    </p>
  );
}

/** The notifications, newest first; some have a button that leads to their subject. */
export function PastList({ past }: { readonly past: readonly Toast[] }): ReactElement {
  if (past.length === 0) return <p>{NOTIFICATIONS.none}</p>;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolled region must take the focus
    <ul aria-label={NOTIFICATIONS.title} className={css.past} tabIndex={0}>
      {past.map(({ id, kind, text, action, at }) => {
        const Icon = kind === 'failed' ? CircleAlert : CircleCheck;
        const iso = new Date(at).toISOString();
        return (
          <li key={id} className={css.pastItem} data-kind={kind}>
            <Icon aria-hidden size={14} />
            <time dateTime={iso} title={utcTime(iso)} className={css.pastTime}>
              {clockSeconds(iso)}
            </time>
            <span>{text}</span>
            {action?.title === NOTIFICATIONS.show && (
              <Popover.Close render={<Button kind="quiet" />} onClick={action.run}>
                {action.title}
              </Popover.Close>
            )}
          </li>
        );
      })}
    </ul>
  );
}
