/** The width of one column, by keyboard. */
import { useState, type ReactElement } from 'react';
import { Button } from '../../components/Button.tsx';
import { CancelButton } from '../../components/CancelButton.tsx';
import { TextField } from '../../components/Fields.tsx';
import { useDiffers } from '../../components/use-differs.ts';
import { Overlay } from '../../components/Overlay.tsx';
import { COLUMN_CHOICE } from '../../copy/columns.ts';
import { VIEWS_COMMON } from '../../copy/common.ts';
import { fill } from '../../copy/fill.ts';
import { ALL_COLUMNS, COLUMN_PX, ownColumn } from '../../format/columns.ts';
import { columnsOf, setColumnWidth } from '../../state/columns.ts';
import { useConsole } from '../../state/context.ts';

/** A dialog with one field. */
export function ColumnWidth({ column: id }: { readonly column: string }): ReactElement {
  const { commands, ui } = useConsole();
  const column = ALL_COLUMNS.find((each) => each.id === id) ?? ownColumn(id);
  const usual = column?.width === 'fill' ? '' : String(column?.width ?? '');
  const [text, setText] = useState(String(columnsOf(ui.getState()).columnWidths[id] ?? usual));
  const isFilled = useDiffers({ text });
  const px = Number(text);
  const fits = text.trim() !== '' && px >= COLUMN_PX.least && px <= COLUMN_PX.most;
  const [isTyped, setIsTyped] = useState(false);
  const isWrong = isTyped && !fits;
  const range = fill(COLUMN_CHOICE.widthRange, COLUMN_PX);

  function keep(width: number | undefined): void {
    setColumnWidth(ui, id, width);
    commands.close();
  }

  return (
    <Overlay
      title={fill(COLUMN_CHOICE.menu, { column: column?.title ?? id })}
      onClose={commands.close}
      isFilled={isFilled}
      foot={
        <>
          <Button onClick={() => keep(undefined)}>{COLUMN_CHOICE.usualWidth}</Button>
          <CancelButton />
          <Button kind="primary" type="submit" form="column-width" off={fits ? undefined : range}>
            {VIEWS_COMMON.save}
          </Button>
        </>
      }
    >
      <form
        id="column-width"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (fits) keep(px);
        }}
      >
        <TextField
          label={COLUMN_CHOICE.widthLabel}
          error={isWrong ? range : undefined}
          hint={isWrong ? undefined : range}
          inputMode="numeric"
          value={text}
          onChange={(next) => {
            setIsTyped(true);
            setText(next);
          }}
        />
      </form>
    </Overlay>
  );
}
