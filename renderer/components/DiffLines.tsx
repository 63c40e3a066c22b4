/** Lines of two texts, with a sign before those that only one of them has. */
import type { ReactElement } from 'react';
import type { DiffLine } from '../format/diff.ts';
import css from './EventEditor.module.css';

/** Shows the lines. The signs are part of the text, so that colour is not the only difference. */
export function DiffLines({ lines }: { readonly lines: readonly DiffLine[] }): ReactElement {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolled region must take the focus
    <pre className={css.diff} tabIndex={0}>
      {lines.map((line, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines are drawn again with every change
        <span key={index} data-kind={line.kind} className={css.line}>
          {line.kind === 'added' ? '+ ' : line.kind === 'removed' ? '- ' : '  '}
          {line.text}
        </span>
      ))}
    </pre>
  );
}
