/** A text with colours, or an editor for one; plain text until the editor is loaded. */
import { lazy, Suspense, useLayoutEffect, useRef, type ReactElement } from 'react';
import type { CodeMirrorProps } from './code/CodeMirror.tsx';
import { cx } from './class-names.ts';
import css from './CodeBox.module.css';
import { Boundary } from './States.tsx';

/** Fetches the editor. */
export const fetchEditor = async () => ({ default: (await import('./code/CodeMirror.tsx')).CodeMirror });
const CodeMirror = lazy(fetchEditor);

export interface CodeBoxProps extends Omit<CodeMirrorProps, 'wrap' | 'readOnly' | 'startsAt'> {
  readonly wrap?: boolean;
  readonly readOnly?: boolean;
  readonly className?: string | undefined;
}

/** The editor; until it is loaded, a `<pre>` or a text area. */
export function CodeBox({ wrap = false, readOnly = true, className, ...rest }: CodeBoxProps): ReactElement {
  const { label, value, onChange, takesFocus = false } = rest;
  const typedAt = useRef<number>(undefined);
  const plain =
    readOnly || onChange === undefined ? (
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolled region must take the focus
      <pre aria-label={label} tabIndex={0} className={cx(css.plain, wrap && css.wrap)}>
        {value}
      </pre>
    ) : (
      <PlainEditor
        label={label}
        value={value}
        takesFocus={takesFocus}
        onChange={onChange}
        onLeave={(cursor) => (typedAt.current = cursor)}
      />
    );
  return (
    <div className={cx(css.box, className)} data-focus-later={takesFocus ? '' : undefined}>
      <Boundary instead={plain}>
        <Suspense fallback={plain}>
          <CodeMirror wrap={wrap} readOnly={readOnly} startsAt={typedAt} {...rest} />
        </Suspense>
      </Boundary>
    </div>
  );
}

interface PlainEditorProps {
  readonly label: string;
  readonly value: string;
  /** Whether a dialog gives it the focus first, as it would the editor. */
  readonly takesFocus: boolean;
  readonly onChange: (value: string) => void;
  /** Called with the position of the cursor when the editor replaces the text area while a person types. */
  readonly onLeave: (cursor: number) => void;
}

/** A text area that passes its cursor on, so that a person can go on typing in the editor. */
function PlainEditor({ label, value, takesFocus, onChange, onLeave }: PlainEditorProps): ReactElement {
  const field = useRef<HTMLTextAreaElement>(null);
  const report = useRef(onLeave);
  useLayoutEffect(() => {
    const own = field.current;
    const leave = report.current;
    return () => {
      if (own !== null && own === document.activeElement) leave(own.selectionStart);
    };
  }, []);
  return (
    <textarea
      ref={field}
      aria-label={label}
      value={value}
      spellCheck={false}
      data-focus-first={takesFocus ? '' : undefined}
      className={css.plain}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
