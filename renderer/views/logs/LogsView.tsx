/** The Logs screen: the log of the host, with the rule and the message of each line. */
import { useEffect, type ReactElement } from 'react';
import { Button } from '../../components/Button.tsx';
import { Empty, Loaded } from '../../components/States.tsx';
import { LOGS } from '../../copy/logs.ts';
import { useConsole } from '../../state/context.ts';
import { useMembers, useSelected } from '../../state/store.ts';
import page from '../page.module.css';
import { LogGrid } from './LogGrid.tsx';
import { LogTools } from './LogTools.tsx';
import css from './Logs.module.css';

/** The tools above the lines. */
export function LogsView(): ReactElement {
  const { logs } = useConsole();
  const newest = useSelected(logs.store, ({ lines }) => lines.at(-1));
  useEffect(() => logs.watch(), [logs]);
  // Visible lines count as seen, also new ones.
  useEffect(() => {
    logs.viewed();
    return () => logs.viewed();
  }, [logs, newest]);
  return (
    <div className={css.view}>
      <LogTools />
      <Body />
    </div>
  );
}

function Body(): ReactElement {
  const { logs } = useConsole();
  const { status, failure, filter } = useMembers(logs.store, 'status', 'failure', 'filter');
  const total = useSelected(logs.store, ({ lines }) => lines.length);
  return (
    <Loaded
      value={status === 'ready' ? total : undefined}
      failure={status === 'failed' ? failure : undefined}
      loading={LOGS.loading}
      failed={LOGS.failed}
      rows={12}
      again={() => void logs.refresh()}
    >
      {(total) => (total > 0 ? <LogGrid /> : <NoLines isFiltered={filter.trim() !== ''} />)}
    </Loaded>
  );
}

function NoLines({ isFiltered }: { readonly isFiltered: boolean }): ReactElement {
  const { logs } = useConsole();
  if (!isFiltered) return <Empty title={LOGS.empty} />;
  return (
    <Empty title={LOGS.noneByFilter}>
      <div className={page.bar}>
        <Button onClick={() => logs.show({ filter: '' })}>{LOGS.clearFilter}</Button>
      </div>
    </Empty>
  );
}
