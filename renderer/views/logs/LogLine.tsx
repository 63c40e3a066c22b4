/** One log line; drawn again only when its own values change. */
import { Bug, CircleAlert, Info, TriangleAlert, type LucideIcon } from 'lucide-react';
import { memo, type ReactElement } from 'react';
import { Link } from 'wouter';
import type { LogEntry } from '../../../core/contract/console.ts';
import { AppName } from '../../components/AppName.tsx';
import { GridRow } from '../../components/grid/Grid.tsx';
import { LOGS } from '../../copy/logs.ts';
import { clockTime, utcTime } from '../../format/clock-time.ts';
import { RulePopover } from '../../components/RulePopover.tsx';
import { inOneLine, linkOfLine } from './log-text.ts';
import css from './Logs.module.css';

const ICONS: Readonly<Record<LogEntry['level'], LucideIcon>> = {
  debug: Bug,
  info: Info,
  warn: TriangleAlert,
  error: CircleAlert,
};

/** The element id of a line, for `aria-activedescendant`. */
export function lineDomId(number: number): string {
  return `log-${number}`;
}

export interface LogLineProps {
  readonly line: LogEntry;
  /** Index among the shown lines, from 0. */
  readonly index: number;
  readonly number: number;
  /** Distance from the start of the lines in px. */
  readonly top: number | undefined;
  readonly isCurrent: boolean;
  /** Receives the element, if lines differ in height. */
  readonly measure: ((element: Element | null) => void) | undefined;
}

/** One line: time, level, part, text, rule, link. */
export const LogLine = memo(function LogLine(props: LogLineProps): ReactElement {
  const { line, index, number, top, isCurrent, measure } = props;
  const Icon = ICONS[line.level];
  const where = linkOfLine(line);
  return (
    <GridRow
      ref={measure}
      index={index}
      top={top}
      isCurrent={isCurrent}
      id={lineDomId(number)}
      data-level={line.level}
      className={css.line}
    >
      <span role="gridcell" className={css.time} title={utcTime(line.at)}>
        {clockTime(line.at)}
      </span>
      <span role="gridcell" className={css.level}>
        <Icon aria-hidden size={12} className={css.icon} />
        <span className={css.levelWord}>{LOGS.levels[line.level]}</span>
      </span>
      <span role="gridcell" className={css.part}>
        {line.appId === undefined ? line.part : <AppName appId={line.appId} />}
      </span>
      <span role="gridcell" className={css.text} title={measure === undefined ? line.text : undefined}>
        <bdi>{measure === undefined ? inOneLine(line.text) : line.text}</bdi>
      </span>
      <span role="gridcell" className={css.rule}>
        {line.rule !== undefined && <RulePopover rule={line.rule} sentence={line.text} />}
      </span>
      <span role="gridcell" className={css.link}>
        {where !== undefined && (
          <Link href={where} aria-label={LOGS.open}>
            {LOGS.openShort}
          </Link>
        )}
      </span>
    </GridRow>
  );
});
