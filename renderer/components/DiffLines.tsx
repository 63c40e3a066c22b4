/** Lines of two texts, with a sign before those that only one of them has. */
import type { ReactElement } from 'react';
import { DIFF } from '../copy/acts.ts';
import { fill } from '../copy/fill.ts';
import type { DiffLine, LeftOut } from '../format/diff.ts';
import { count } from '../format/quantity.ts';
import css from './EventEditor.module.css';

export interface DiffLinesProps {
  readonly lines: readonly (DiffLine | LeftOut)[];
}

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { added: '+ ', removed: '- ', same: '  ' };

/** Shows the lines. The signs are part of the text, so that colour is not the only difference. */
export function DiffLines({ lines }: DiffLinesProps): ReactElement {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolled region must take the focus
    <pre className={css.diff} tabIndex={0}>
      {lines.map((line, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines are drawn again with every change
        <span key={index} data-kind={line.kind} className={css.line}>
          {'text' in line
            ? `${SIGNS[line.kind]}${line.text}`
            : fill(DIFF[line.kind], { n: count(line.lines) })}
        </span>
      ))}
    </pre>
  );
}
