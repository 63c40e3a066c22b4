/** Which columns the list has, in which order and how wide. */
import { ArrowLeft, ArrowRight, Columns3 } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button, IconButton } from '../../components/Button.tsx';
import { Tick } from '../../components/Fields.tsx';
import { PopoverPanel } from '../../components/PopoverPanel.tsx';
import { fill } from '../../copy/fill.ts';
import { COLUMN_CHOICE, COLUMNS } from '../../copy/messages.ts';
import { ALL_COLUMNS, COLUMN_PX, DEFAULT_COLUMNS, type Column } from '../../format/columns.ts';
import { useConsole } from '../../state/context.ts';
import { useMembers } from '../../state/store.ts';
import css from './ColumnChoice.module.css';

/** A button with a panel: shown columns first, in their order. */
export function ColumnChoice(): ReactElement {
  const { ui } = useConsole();
  const { columns, columnWidths } = useMembers(ui, ({ columns, columnWidths }) => ({
    columns,
    columnWidths,
  }));
  const shown = columns.flatMap((id) => ALL_COLUMNS.find((column) => column.id === id) ?? []);
  const others = ALL_COLUMNS.filter(({ id }) => !columns.includes(id));
  return (
    <PopoverPanel
      title={COLUMN_CHOICE.title}
      trigger={<Button icon={Columns3}>{COLUMN_CHOICE.button}</Button>}
    >
      <ul className={css.list}>
        {shown.map((column) => (
          <Line key={column.id} column={column} columns={columns} width={columnWidths[column.id]} />
        ))}
        {others.map((column) => (
          <Line key={column.id} column={column} columns={columns} width={columnWidths[column.id]} />
        ))}
      </ul>
      <Button onClick={() => ui.setState({ columns: DEFAULT_COLUMNS, columnWidths: {} })}>
        {COLUMN_CHOICE.reset}
      </Button>
    </PopoverPanel>
  );
}

interface LineProps {
  readonly column: Column;
  readonly columns: readonly string[];
  readonly width: number | undefined;
}

function Line({ column, columns, width }: LineProps): ReactElement {
  const { ui } = useConsole();
  const { id } = column;
  const name = { column: COLUMNS[id] };
  const place = columns.indexOf(id);
  const isShown = place >= 0;

  function move(step: -1 | 1): void {
    const next = columns.filter((each) => each !== id);
    next.splice(place + step, 0, id);
    ui.setState({ columns: next });
  }

  function setWidth(text: string): void {
    ui.setState(({ columnWidths }) => {
      const { [id]: _before, ...rest } = columnWidths;
      const px = Number(text);
      const isNone = text.trim() === '' || !Number.isFinite(px);
      return { columnWidths: isNone ? rest : { ...rest, [id]: Math.round(px) } };
    });
  }

  return (
    <li className={css.line}>
      <Tick
        label={COLUMNS[id]}
        checked={isShown}
        onChange={(on) =>
          ui.setState({ columns: on ? [...columns, id] : columns.filter((each) => each !== id) })
        }
      />
      <span className={css.space} />
      {isShown && (
        <>
          <input
            type="number"
            className={css.width}
            aria-label={fill(COLUMN_CHOICE.width, name)}
            min={COLUMN_PX.least}
            max={COLUMN_PX.most}
            step={4}
            value={width ?? ''}
            placeholder={column.width === 'fill' ? '' : String(column.width)}
            onChange={(event) => setWidth(event.target.value)}
          />
          <IconButton
            icon={ArrowLeft}
            label={fill(COLUMN_CHOICE.up, name)}
            onClick={() => place > 0 && move(-1)}
          />
          <IconButton
            icon={ArrowRight}
            label={fill(COLUMN_CHOICE.down, name)}
            onClick={() => place < columns.length - 1 && move(1)}
          />
        </>
      )}
    </li>
  );
}
