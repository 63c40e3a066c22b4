/** The sections General and Storage: facts of this run beside the settings of the host. */
import type { ReactElement, ReactNode } from 'react';
import { Button } from '../../components/Button.tsx';
import { Facts } from '../../components/Facts.tsx';
import { Checkbox } from '../../components/Fields.tsx';
import { ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { GENERAL } from '../../copy/settings.ts';
import { STORAGE } from '../../copy/settings-host.ts';
import { count, size } from '../../format/quantity.ts';
import { WholeFlags } from '../../components/WholeFlags.tsx';
import { JumpChoice } from '../../components/JumpChoice.tsx';
import { openExport } from '../../keys/recording-commands.ts';
import { useAway, useConsole, useIsReadByTaps, useProfileInUse } from '../../state/context.ts';
import { useMembers } from '../../state/store.ts';
import page from '../page.module.css';
import { NotifySettings } from './NotifySettings.tsx';
import css from './Settings.module.css';
import { StandingBanners } from './StandingBanners.tsx';

/** Profile, what the banners say, and the behaviour of this window. */
export function General({ children }: { readonly children: ReactNode }): ReactElement {
  const { ui } = useConsole();
  const profile = useProfileInUse();
  const ofTaps = useIsReadByTaps();
  const { newEventId, announce } = useMembers(ui, 'newEventId', 'announce');
  return (
    <div className={page.stack}>
      <Facts
        facts={[
          [
            GENERAL.profile,
            <span key="profile">
              <strong>{profile}</strong>{' '}
              <span className={css.meaning}>
                <WholeFlags text={ofTaps ? GENERAL.profileOfTaps : GENERAL.profileHint} />
              </span>
            </span>,
          ],
        ]}
      />
      <StandingBanners />
      <div className={css.group}>
        <JumpChoice />
        <Checkbox
          label={GENERAL.newEventId}
          checked={newEventId}
          onChange={(next) => ui.setState({ newEventId: next })}
        />
        <Checkbox
          label={GENERAL.announce}
          checked={announce}
          onChange={(next) => ui.setState({ announce: next })}
        />
      </div>
      <NotifySettings />
      {children}
    </div>
  );
}

const NOT_KEPT = 'not-kept';

/** Whether the history survives this run, and its size. */
export function Storage({ children }: { readonly children: ReactNode }): ReactElement {
  const console = useConsole();
  const { commands, connection, jobs } = console;
  const away = useAway(ACT_WHY.away);
  const { system, runtime } = useMembers(connection, 'system', 'runtime');
  const notKept = system?.banners.find(({ id }) => id === NOT_KEPT);
  const onDisk =
    system?.dataDir === undefined ? STORAGE.onDisk : fill(STORAGE.inFolder, { folder: system.dataDir });
  const where = system?.ephemeral === true ? STORAGE.ephemeral : (notKept?.text ?? onDisk);
  const limit = runtime?.limit ?? 0;
  const kept = runtime?.kept ?? 0;

  function clear(): void {
    const question = {
      title: STORAGE.clearTitle,
      text: fill(STORAGE.clearText, { n: count(kept) }),
      yes: STORAGE.clearYes,
      danger: true,
      run: () => void jobs.remove({ filter: 'NOT is:pinned' }),
    };
    commands.open({ kind: 'confirm', question });
  }

  return (
    <div className={page.stack}>
      <Facts
        facts={[
          [STORAGE.where, where],
          [
            STORAGE.kept,
            fill(limit > 0 ? STORAGE.keptOf : STORAGE.keptOnly, {
              kept: count(kept),
              limit: count(limit),
              size: size(runtime?.keptBytes ?? 0),
            }),
          ],
        ]}
      />
      <div className={page.bar}>
        <Button off={away ?? (kept === 0 ? STORAGE.nothing : undefined)} onClick={clear}>
          {STORAGE.clear}
        </Button>
        <Button onClick={() => openExport(console)}>{STORAGE.export}</Button>
      </div>
      {children}
    </div>
  );
}
