/** An editor for JSON on the Event router screen, with the mistake of the text below it. */
import { useId, type ReactElement } from 'react';
import { CodeBox } from '../../components/CodeBox.tsx';
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
        onChange={onChange}
      />
      {wrong !== undefined && (
        <p id={id} role="alert" className={css.problem}>
          {wrong}
        </p>
      )}
    </>
  );
}
