/** An editor for JSON on the Event router screen, with the mistake of the text below it. */
import { useContext, useId, type ReactElement } from 'react';
import { CodeBox } from '../../components/CodeBox.tsx';
import { Edited } from '../../components/edited-context.ts';
import css from './EventRouter.module.css';

export interface JsonBoxProps {
  readonly label: string;
  readonly value: string;
  /** Why the text cannot be used; undefined: it can. */
  readonly wrong: string | undefined;
  readonly onChange: (value: string) => void;
}

/** Shows text and complaint. */
export function JsonBox({ label, value, wrong, onChange }: JsonBoxProps): ReactElement {
  const id = useId();
  const edited = useContext(Edited);
  return (
    <>
      <CodeBox
        label={label}
        value={value}
        language="json"
        readOnly={false}
        invalid={wrong !== undefined}
        describedBy={wrong === undefined ? undefined : id}
        className={css.editor}
        onChange={(next) => {
          edited();
          onChange(next);
        }}
      />
      {wrong !== undefined && (
        <p id={id} role="alert" className={css.problem}>
          {wrong}
        </p>
      )}
    </>
  );
}
