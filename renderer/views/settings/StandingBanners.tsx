/** The banners of the host with their whole text, also those that were dismissed in this window. */
import type { ReactElement } from 'react';
import { WholeFlags } from '../../components/WholeFlags.tsx';
import { GENERAL } from '../../copy/settings.ts';
import { presentBanners } from '../../state/connection.ts';
import { useConsole } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import page from '../page.module.css';
import css from './Settings.module.css';

/** A list of them; nothing while there are none. */
export function StandingBanners(): ReactElement | null {
  const { connection } = useConsole();
  const banners = useSelected(connection, presentBanners) ?? [];
  if (banners.length === 0) return null;
  return (
    <section aria-label={GENERAL.banners} className={css.group}>
      <h2>{GENERAL.banners}</h2>
      <ul>
        {banners.map(({ id, text, level }) => (
          <li key={id} className={level === 'error' ? page.problem : undefined}>
            <WholeFlags text={text} />
          </li>
        ))}
      </ul>
    </section>
  );
}
