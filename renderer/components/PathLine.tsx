/** Path of the cursor in the data, and actions on the value there, such as making a filter of it. */
import { Columns3, Copy, ListFilter } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button } from './Button.tsx';
import { fill } from '../copy/fill.ts';
import { VIEWER } from '../copy/viewer.ts';
import { quotedValue } from '../format/cell-term.ts';
import { isOwnColumn } from '../format/columns.ts';
import { filterKey, pathText, type JsonPosition } from '../format/json-cursor.ts';
import { addOwnColumn, columnsOf, MAX_OWN } from '../state/columns.ts';
import { useConsole } from '../state/context.ts';
import { useSelected } from '../state/store.ts';
import css from './PathLine.module.css';

/** A value as a term of the filter language; undefined for objects, arrays and texts that are too long. */
export function filterTerm(cursor: JsonPosition): string | undefined {
  const key = filterKey(cursor.path);
  if (key === undefined || cursor.scalar === undefined || cursor.scalar.length > 200) return undefined;
  const value: unknown = JSON.parse(cursor.scalar);
  return `${key}:${typeof value === 'string' ? quotedValue(value) : cursor.scalar}`;
}

export interface PathLineProps {
  readonly cursor: JsonPosition | undefined;
}

/** The footer of the viewer of a message's data. */
export function PathLine({ cursor }: PathLineProps): ReactElement {
  const console = useConsole();
  const columns = useSelected(console.ui, (state) => columnsOf(state).columns);
  if (cursor === undefined) return <p className={css.hint}>{VIEWER.pathHint}</p>;
  const path = pathText('data', cursor.path);
  const key = filterKey(cursor.path);
  const term = filterTerm(cursor);
  const isFull = columns.filter(isOwnColumn).length >= MAX_OWN;
  const columnOff =
    key === undefined
      ? VIEWER.noKey
      : columns.includes(key)
        ? VIEWER.columnThere
        : isFull
          ? fill(VIEWER.columnsFull, { n: MAX_OWN })
          : undefined;
  return (
    <div className={css.line}>
      <code role="status" aria-label={fill(VIEWER.pathIs, { path })} className={css.path}>
        {path}
      </code>
      <Button
        kind="quiet"
        icon={ListFilter}
        off={key === undefined ? VIEWER.noKey : term === undefined ? VIEWER.noScalar : undefined}
        onClick={() => console.navigation.change({ f: term, off: undefined })}
      >
        {VIEWER.filterBy}
      </Button>
      <Button
        kind="quiet"
        icon={Columns3}
        off={columnOff}
        onClick={() => {
          if (key === undefined) return;
          if (addOwnColumn(console.ui, key) === 'added')
            console.toasts.done(fill(VIEWER.columnAdded, { path: key }));
        }}
      >
        {VIEWER.addColumn}
      </Button>
      <Button kind="quiet" icon={Copy} onClick={() => void console.acting.copy(path)}>
        {VIEWER.copyPath}
      </Button>
    </div>
  );
}
