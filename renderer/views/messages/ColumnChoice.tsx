/**
 * Choice of the list's columns, their order and widths; columns with a value of the payload are added here.
 */
import { theApp } from '../../../core/contract/app-text.ts';
import { ArrowDown, ArrowUp, Columns3 } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { Button, IconButton } from '../../components/Button.tsx';
import { TextField, Checkbox } from '../../components/Fields.tsx';
import { useLeftState } from '../../components/left-state.ts';
import { PopoverPanel } from '../../components/PopoverPanel.tsx';
import { COLUMN_CHOICE, NOT_ADDED } from '../../copy/columns.ts';
import { fill } from '../../copy/fill.ts';
import { ALL_COLUMNS, COLUMN_PX, ownColumn, type Column } from '../../format/columns.ts';
import {
  addOwnColumn,
  columnsOf,
  hiddenColumns,
  resetColumns,
  setColumnWidth,
  showColumn,
  stepColumn,
} from '../../state/columns.ts';
import { useConsole } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import { ANCHORS } from '../../keys/anchors.ts';
import css from './ColumnChoice.module.css';

function columnOf(id: string): Column | undefined {
  return ALL_COLUMNS.find((column) => column.id === id) ?? ownColumn(id);
}

/** A button with a panel: shown columns first, in order. */
export function ColumnChoice(): ReactElement {
  const { ui } = useConsole();
  const appId = useSelected(ui, (state) => state.appId);
  const set = useSelected(ui, columnsOf);
  const { columns, columnWidths } = set;
  const lines = [...columns, ...hiddenColumns(columns)];
  return (
    <PopoverPanel
      title={COLUMN_CHOICE.title}
      trigger={<IconButton id={ANCHORS.columns} icon={Columns3} label={COLUMN_CHOICE.button} />}
    >
      {appId !== '' && <p className={css.note}>{fill(COLUMN_CHOICE.forApp, { app: theApp(appId) })}</p>}
      {/* Each field has the name of its column for those who do not see the heads. */}
      <div className={css.heads} aria-hidden>
        <span>{COLUMN_CHOICE.head}</span>
        <span className={css.space} />
        <span className={css.widthHead}>{COLUMN_CHOICE.widthHead}</span>
      </div>
      <ul className={css.list}>
        {lines.flatMap((id) => {
          const column = columnOf(id);
          if (column === undefined) return [];
          return [<Line key={id} column={column} columns={columns} width={columnWidths[id]} />];
        })}
      </ul>
      <OwnColumn />
      <Button onClick={() => resetColumns(ui)}>{COLUMN_CHOICE.reset}</Button>
    </PopoverPanel>
  );
}

/** A field for a path into the payload. */
function OwnColumn(): ReactElement {
  const { ui } = useConsole();
  // The panel closes by a click beside it: what was typed is there again.
  const [path, changePath] = useLeftState('path of an own column', '');
  const [why, setWhy] = useState<string>();
  return (
    <form
      className={css.own}
      onSubmit={(event) => {
        event.preventDefault();
        const added = addOwnColumn(ui, path.trim());
        setWhy(added === 'added' ? undefined : NOT_ADDED[added]);
        if (added === 'added') changePath(() => '');
      }}
    >
      <TextField
        mono
        label={COLUMN_CHOICE.own}
        hint={COLUMN_CHOICE.ownHint}
        error={why}
        value={path}
        onChange={(next) => {
          changePath(() => next);
          setWhy(undefined);
        }}
      />
      <Button type="submit">{COLUMN_CHOICE.add}</Button>
    </form>
  );
}

interface LineProps {
  readonly column: Column;
  readonly columns: readonly string[];
  readonly width: number | undefined;
}

function Line({ column, columns, width }: LineProps): ReactElement {
  const { ui } = useConsole();
  const { id, title } = column;
  const name = { column: title };
  const isShown = columns.includes(id);

  function setWidth(text: string): void {
    const px = Number(text);
    setColumnWidth(ui, id, text.trim() === '' || !Number.isFinite(px) ? undefined : px);
  }

  return (
    <li className={css.line}>
      <Checkbox
        label={title}
        hint={id === 'app' ? COLUMN_CHOICE.appHint : undefined}
        checked={isShown}
        onChange={(on) => showColumn(ui, id, on)}
      />
      <span className={css.space} />
      {isShown && (
        <>
          <WidthField
            name={fill(COLUMN_CHOICE.width, name)}
            column={column}
            width={width}
            onWidth={setWidth}
          />
          <IconButton
            icon={ArrowUp}
            label={fill(COLUMN_CHOICE.up, name)}
            onClick={() => stepColumn(ui, id, -1)}
          />
          <IconButton
            icon={ArrowDown}
            label={fill(COLUMN_CHOICE.down, name)}
            onClick={() => stepColumn(ui, id, 1)}
          />
        </>
      )}
    </li>
  );
}

interface WidthFieldProps {
  readonly name: string;
  readonly column: Column;
  readonly width: number | undefined;
  readonly onWidth: (text: string) => void;
}

/** A field for a width. It applies when the field is left, at Enter, or with its arrows, not while typing. */
function WidthField({ name, column, width, onWidth }: WidthFieldProps): ReactElement {
  const [typed, setTyped] = useState<string>();
  return (
    <input
      type="number"
      className={css.width}
      aria-label={name}
      min={COLUMN_PX.least}
      max={COLUMN_PX.most}
      step={4}
      value={typed ?? width ?? ''}
      placeholder={column.width === 'fill' ? '' : String(column.width)}
      onChange={(event) => {
        const px = Number(event.target.value);
        const fits = px >= COLUMN_PX.least && px <= COLUMN_PX.most;
        setTyped(fits ? undefined : event.target.value);
        if (fits || event.target.value === '') onWidth(event.target.value);
      }}
      onBlur={() => {
        if (typed !== undefined) onWidth(typed);
        setTyped(undefined);
      }}
    />
  );
}
