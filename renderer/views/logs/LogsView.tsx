/** The Logs screen: what the host wrote, with the rule and the message of each line. */
import { useEffect, type ReactElement } from 'react';
import { Button } from '../../components/Button.tsx';
import { Empty, Failed, Loading } from '../../components/States.tsx';
import { fill } from '../../copy/fill.ts';
import { LOGS } from '../../copy/logs.ts';
import { useConsole } from '../../state/context.ts';
import { useMembers, useSelected } from '../../state/store.ts';
import page from '../page.module.css';
import { LogGrid } from './LogGrid.tsx';
import { LogTools } from './LogTools.tsx';
import css from './Logs.module.css';

/** Tools over the lines. */
export function LogsView(): ReactElement {
  const { logs } = useConsole();
  const newest = useSelected(logs.store, ({ lines }) => lines.at(-1));
  useEffect(() => logs.watch(), [logs]);
  // What is in sight counts as seen, also while new lines come.
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
  const { status, failure, total, filter } = useMembers(logs.store, ({ status, failure, lines, filter }) => ({
    status,
    failure,
    total: lines.length,
    filter,
  }));
  if (status === 'failed') {
    return (
      <Failed
        text={fill(LOGS.failed, { message: failure?.message.replace(/\.$/, '') })}
        details={failure === undefined ? undefined : `${failure.code}: ${failure.message}`}
        again={() => void logs.refresh()}
      />
    );
  }
  if (status !== 'ready') return <Loading text={LOGS.loading} rows={12} />;
  if (total > 0) return <LogGrid />;
  if (filter.trim() === '') return <Empty title={LOGS.empty} />;
  return (
    <Empty title={LOGS.noneByFilter}>
      <div className={page.bar}>
        <Button onClick={() => logs.show({ filter: '' })}>{LOGS.clearFilter}</Button>
      </div>
    </Empty>
  );
}
