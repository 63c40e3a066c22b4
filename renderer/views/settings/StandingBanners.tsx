/** The banners of the host with their whole text, also those that were dismissed in this window. */
import type { ReactElement } from 'react';
import { LEVEL_ICONS } from '../../components/level-icons.ts';
import { WholeFlags } from '../../components/WholeFlags.tsx';
import { GENERAL } from '../../copy/settings.ts';
import { presentBanners } from '../../state/connection.ts';
import { useConsole } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import css from './Settings.module.css';

/** A list of them; nothing while there are none. */
export function StandingBanners(): ReactElement | null {
  const { connection } = useConsole();
  const banners = useSelected(connection, presentBanners) ?? [];
  if (banners.length === 0) return null;
  return (
    <section aria-label={GENERAL.banners} className={css.group}>
      <h2>{GENERAL.banners}</h2>
      <ul className={css.banners}>
        {banners.map(({ id, text, level }) => {
          const Icon = LEVEL_ICONS[level];
          return (
            <li key={id} data-level={level}>
              <Icon aria-hidden size={14} />
              <span>
                <WholeFlags text={text} />
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
