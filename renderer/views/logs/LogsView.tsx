/** The Logs screen: what the host wrote, with the rule and the message of each line. */
import { CircleAlert, Info, Bug, TriangleAlert, type LucideIcon } from 'lucide-react';
import { useEffect, useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import type { LogEntry } from '../../../core/contract/console.ts';
import { Button } from '../../components/Button.tsx';
import { Choice } from '../../components/Choice.tsx';
import { TextField, Tick } from '../../components/Fields.tsx';
import { Empty, Failed, Loading } from '../../components/States.tsx';
import { cx } from '../../components/class-names.ts';
import { fill } from '../../copy/fill.ts';
import { LOGS } from '../../copy/health.ts';
import { clockTime, utcTime } from '../../format/quantity.ts';
import { useConsole, useResource } from '../../state/context.ts';
import { LOG_MOST } from '../../state/logs.ts';
import { useMembers, useSelected } from '../../state/store.ts';
import page from '../page.module.css';
import css from './Logs.module.css';

const LEVELS: readonly LogEntry['level'][] = ['debug', 'info', 'warn', 'error'];
const ICONS: Readonly<Record<LogEntry['level'], LucideIcon>> = {
  debug: Bug,
  info: Info,
  warn: TriangleAlert,
  error: CircleAlert,
};
const REST_MS = 250;

/** Tools and lines, newest first. */
export function LogsView(): ReactElement {
  const { logs } = useConsole();
  const { status, value, failure } = useResource(logs.lines);
  useEffect(() => {
    logs.viewed();
    return () => logs.viewed();
  }, [logs]);
  return (
    <div className={page.view}>
      <Tools />
      <div className={css.body}>
        {status === 'failed' && (
          <Failed
            text={fill(LOGS.failed, { message: failure?.message.replace(/\.$/, '') })}
            again={() => void logs.lines.refresh()}
          />
        )}
        {value === undefined && status !== 'failed' && <Loading text={LOGS.loading} />}
        {value !== undefined && value.items.length === 0 && <Empty title={LOGS.empty} />}
        {value !== undefined && value.items.length > 0 && (
          <Lines lines={value.items} hasMore={value.nextCursor !== null} />
        )}
      </div>
    </div>
  );
}

function Tools(): ReactElement {
  const { logs, ui } = useConsole();
  const { level, filter, paused } = useMembers(logs.store, ({ level, filter, paused }) => ({
    level,
    filter,
    paused,
  }));
  const wrap = useSelected(ui, (state) => state.wrap);
  const [text, setText] = useState(filter);
  useEffect(() => {
    if (text === filter) return undefined;
    const timer = setTimeout(() => logs.show({ filter: text }), REST_MS);
    return () => clearTimeout(timer);
  }, [logs, text, filter]);
  return (
    <div className={page.head}>
      <h1>{LOGS.title}</h1>
      <Choice
        label={LOGS.level}
        value={level}
        options={LEVELS.map((each) => ({ value: each, title: LOGS.levels[each] }))}
        onChange={(next) => {
          const chosen = LEVELS.find((each) => each === next);
          if (chosen !== undefined) logs.show({ level: chosen });
        }}
      />
      <div className={css.filter}>
        <TextField
          bare
          mono
          label={LOGS.filter}
          placeholder={LOGS.filterHint}
          value={text}
          onChange={setText}
        />
      </div>
      <Button aria-pressed={paused} onClick={() => logs.show({ paused: !paused })}>
        {paused ? LOGS.resume : LOGS.pause}
      </Button>
      <Tick label={LOGS.wrap} checked={wrap} onChange={(next) => ui.setState({ wrap: next })} />
      <span role="status" className={page.muted}>
        {paused ? LOGS.paused : ''}
      </span>
    </div>
  );
}

interface LinesProps {
  readonly lines: readonly LogEntry[];
  readonly hasMore: boolean;
}

function Lines({ lines, hasMore }: LinesProps): ReactElement {
  const { logs, ui } = useConsole();
  const wrap = useSelected(ui, (state) => state.wrap);
  const limit = useSelected(logs.store, (state) => state.limit);
  const { columns } = LOGS;
  return (
    <>
      <div
        role="grid"
        tabIndex={0}
        aria-label={LOGS.grid}
        aria-rowcount={lines.length}
        className={cx(css.grid, wrap && css.wrap)}
      >
        <div role="row" className={css.head}>
          <span role="columnheader">{columns.time}</span>
          <span role="columnheader">{columns.level}</span>
          <span role="columnheader">{columns.part}</span>
          <span role="columnheader">{columns.text}</span>
          <span role="columnheader">{columns.rule}</span>
          <span role="columnheader">{columns.message}</span>
        </div>
        {lines.map((line, index) => {
          const Icon = ICONS[line.level];
          return (
            <div
              role="row"
              key={`${line.at} ${lines.length - index} ${line.text}`}
              className={css.line}
              data-level={line.level}
            >
              <span role="gridcell" className={css.time} title={utcTime(line.at)}>
                {clockTime(line.at)}
              </span>
              <span role="gridcell" className={css.level}>
                <Icon aria-hidden size={12} /> {LOGS.levels[line.level]}
              </span>
              <span role="gridcell" className={css.part}>
                {line.part}
              </span>
              <span role="gridcell" className={css.text} title={wrap ? undefined : line.text}>
                <bdi>{line.text}</bdi>
              </span>
              <span role="gridcell" className={css.rule}>
                {line.rule ?? ''}
              </span>
              <span role="gridcell">{line.messageId !== undefined && <MessageLink line={line} />}</span>
            </div>
          );
        })}
      </div>
      {hasMore && limit < LOG_MOST && (
        <Button className={css.more} onClick={() => logs.show({ limit: LOG_MOST })}>
          {LOGS.more}
        </Button>
      )}
    </>
  );
}

function MessageLink({ line }: { readonly line: LogEntry }): ReactElement {
  const params = new URLSearchParams({ m: line.messageId ?? '' });
  if (line.deliveryId !== undefined) params.set('d', line.deliveryId);
  if (line.attemptId !== undefined) params.set('t', 'attempts');
  return <Link href={`/messages?${params.toString()}`}>{LOGS.open}</Link>;
}
