/** The column heads of the list. */
import type { ReactElement } from 'react';
import { COLUMNS } from '../../copy/messages.ts';
import css from './MessageList.module.css';

/** One row of column heads; it stays while the rows scroll. */
export function HeadRow({ showsApp }: { readonly showsApp: boolean }): ReactElement {
  return (
    <div role="rowgroup" className={css.head}>
      <div role="row" className={css.headRow}>
        <span role="columnheader">
          <span className="visually-hidden">{COLUMNS.unread}</span>
        </span>
        <span role="columnheader" className={css.colSelect}>
          <span className="visually-hidden">{COLUMNS.select}</span>
        </span>
        <span role="columnheader" aria-sort="ascending">
          {COLUMNS.time}
        </span>
        {showsApp && (
          <span role="columnheader" className={css.colApp}>
            {COLUMNS.app}
          </span>
        )}
        <span role="columnheader">{COLUMNS.topic}</span>
        <span role="columnheader" className={css.colType}>
          {COLUMNS.type}
        </span>
        <span role="columnheader">{COLUMNS.state}</span>
        <span role="columnheader" className={css.number}>
          <abbr title={COLUMNS.attempts}>{COLUMNS.attemptsShort}</abbr>
        </span>
        <span role="columnheader" className={css.colAnswer}>
          {COLUMNS.answer}
        </span>
        <span role="columnheader" className={css.colSize}>
          {COLUMNS.size}
        </span>
      </div>
    </div>
  );
}
