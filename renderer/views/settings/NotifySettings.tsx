/** Which notifications a person wants, and whether they may leave the window. */
import { useState, type ReactElement } from 'react';
import { Checkbox } from '../../components/Fields.tsx';
import { NOTIFICATIONS } from '../../copy/notifications.ts';
import { useConsole } from '../../state/context.ts';
import { NOTIFY_KINDS } from '../../state/notifier.ts';
import { useMembers } from '../../state/store.ts';
import page from '../page.module.css';
import css from './Settings.module.css';

/** A check box per kind; all are off at first. */
export function NotifySettings(): ReactElement {
  const { ui } = useConsole();
  const { notify, notifyOutside } = useMembers(ui, 'notify', 'notifyOutside');
  const [refused, setRefused] = useState(false);

  async function setOutside(wanted: boolean): Promise<void> {
    if (!wanted || typeof Notification === 'undefined') {
      ui.setState({ notifyOutside: false });
      setRefused(wanted);
      return;
    }
    const isAllowed = (await Notification.requestPermission()) === 'granted';
    setRefused(!isAllowed);
    ui.setState({ notifyOutside: isAllowed });
  }

  return (
    <section aria-label={NOTIFICATIONS.heading} className={css.group}>
      <h2>{NOTIFICATIONS.heading}</h2>
      <p className={page.muted}>{NOTIFICATIONS.hint}</p>
      {NOTIFY_KINDS.map((kind) => (
        <Checkbox
          key={kind}
          label={NOTIFICATIONS.kinds[kind]}
          checked={notify.includes(kind)}
          onChange={(on) =>
            ui.setState({ notify: on ? [...notify, kind] : notify.filter((each) => each !== kind) })
          }
        />
      ))}
      <Checkbox
        isSwitch
        label={NOTIFICATIONS.desktop}
        hint={NOTIFICATIONS.desktopHint}
        checked={notifyOutside}
        onChange={(on) => void setOutside(on)}
      />
      <p role="status" className={page.problem}>
        {refused ? NOTIFICATIONS.desktopRefused : ''}
      </p>
    </section>
  );
}
