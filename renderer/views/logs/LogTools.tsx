/** The tools above the log lines: level, filter, follow, pause, wrap, copy, download. */
import { ChevronsDown, Copy, Download, Pause } from 'lucide-react';
import { useEffect, useState, type ReactElement } from 'react';
import type { LogEntry } from '../../../core/contract/console.ts';
import { Button } from '../../components/Button.tsx';
import { Choice } from '../../components/Choice.tsx';
import { Checkbox } from '../../components/Fields.tsx';
import { fill } from '../../copy/fill.ts';
import { LOGS } from '../../copy/logs.ts';
import { LOG_MAX } from '../../state/logs.ts';
import { count } from '../../format/quantity.ts';
import { ANCHORS } from '../../keys/anchors.ts';
import { useConsole } from '../../state/context.ts';
import { useMembers, useSelected } from '../../state/store.ts';
import page from '../page.module.css';
import { linesText, logFileName } from './log-text.ts';
import css from './Logs.module.css';

const LEVELS: readonly LogEntry['level'][] = ['debug', 'info', 'warn', 'error'];
const REST_MS = 250;
const MISTAKE_ID = `${ANCHORS.logFilter}-mistake`;

/** Two groups of tools, and the number of lines. */
export function LogTools(): ReactElement {
  const { acting, logs, toasts, ui } = useConsole();
  const { level, follow, paused } = useMembers(logs.store, 'level', 'follow', 'paused');
  const total = useSelected(logs.store, ({ lines }) => lines.length);
  const wrap = useSelected(ui, (state) => state.wrap);

  function download(): void {
    const file = logFileName(new Date());
    const url = URL.createObjectURL(
      new Blob([linesText(logs.store.getState().lines)], { type: 'text/plain' }),
    );
    const link = document.createElement('a');
    link.href = url;
    link.download = file;
    link.click();
    URL.revokeObjectURL(url);
    toasts.done(fill(LOGS.downloaded, { file }));
  }

  return (
    <div className={page.head}>
      <h1>{LOGS.title}</h1>
      <Choice
        label={LOGS.level}
        value={level}
        options={LEVELS.map((each) => ({ value: each, title: LOGS.levelsFrom[each] }))}
        onChange={(next) => {
          const chosen = LEVELS.find((each) => each === next);
          if (chosen !== undefined) logs.show({ level: chosen });
        }}
      />
      <FilterText />
      <span role="status" className={page.muted}>
        {paused ? LOGS.paused : fill(counted(total), { n: count(total) })}
      </span>
      <div className={page.bar}>
        <Button
          icon={ChevronsDown}
          hint={LOGS.followHint}
          aria-pressed={follow}
          className={css.toggle}
          onClick={() => logs.show({ follow: !follow })}
        >
          {LOGS.follow}
        </Button>
        <Button
          icon={Pause}
          hint={LOGS.pauseHint}
          aria-pressed={paused}
          className={css.toggle}
          onClick={() => logs.show({ paused: !paused })}
        >
          {LOGS.pause}
        </Button>
        <Checkbox label={LOGS.wrap} checked={wrap} onChange={(next) => ui.setState({ wrap: next })} />
        <Button
          icon={Copy}
          hint={LOGS.copyHint}
          off={total === 0 ? LOGS.empty : undefined}
          onClick={() => void acting.copy(linesText(logs.store.getState().lines))}
        >
          {LOGS.copy}
        </Button>
        <Button
          icon={Download}
          hint={LOGS.downloadHint}
          off={total === 0 ? LOGS.empty : undefined}
          onClick={download}
        >
          {LOGS.download}
        </Button>
      </div>
    </div>
  );
}

/** Number of lines, with a note if the oldest were dropped. */
function counted(total: number): string {
  return total >= LOG_MAX ? LOGS.countedMost : LOGS.counted;
}

/** The filter of the lines; applied after a pause in typing, with a mistake below it. */
function FilterText(): ReactElement {
  const { logs } = useConsole();
  const { filter, mistake } = useMembers(logs.store, 'filter', 'mistake');
  const [text, setText] = useState(filter);
  useEffect(() => setText((typed) => (typed.trim() === filter ? typed : filter)), [filter]);
  useEffect(() => {
    if (text.trim() === filter) return undefined;
    const timer = setTimeout(() => logs.show({ filter: text.trim() }), REST_MS);
    return () => clearTimeout(timer);
  }, [logs, text, filter]);
  return (
    <div className={css.filter}>
      <label htmlFor={ANCHORS.logFilter} className="visually-hidden">
        {LOGS.filter}
      </label>
      <input
        id={ANCHORS.logFilter}
        type="search"
        autoComplete="off"
        spellCheck={false}
        placeholder={LOGS.filterHint}
        className={css.filterInput}
        aria-describedby={mistake === undefined ? undefined : MISTAKE_ID}
        aria-invalid={mistake === undefined ? undefined : true}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') logs.show({ filter: text.trim() });
          if (event.key === 'Escape' && text !== '') {
            event.preventDefault();
            setText('');
            logs.show({ filter: '' });
          }
        }}
      />
      <p id={MISTAKE_ID} role="status" className={css.mistake}>
        {mistake}
      </p>
    </div>
  );
}
