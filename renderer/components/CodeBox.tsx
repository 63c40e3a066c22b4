/** A text with colours, or an editor for one; plain text until the editor is loaded. */
import { useEffect, useLayoutEffect, useRef, useState, type ReactElement, type RefObject } from 'react';
import type { CodeMirrorProps } from './code/CodeMirror.tsx';
import { cx } from './class-names.ts';
import css from './CodeBox.module.css';
import { later } from './later.tsx';
import { Boundary } from './States.tsx';

const CodeMirror = later<PlainProps>(async () => (await import('./code/CodeMirror.tsx')).CodeMirror, Plain);

/** Fetches the editor. */
export const fetchEditor = CodeMirror.fetch;

/** Number of characters up to which a text that is only read is drawn plain before its editor is made: laying out more takes longer than the editor. */
const PLAIN_FIRST = 8 * 1024;

export interface CodeBoxProps extends Omit<CodeMirrorProps, 'wrap' | 'readOnly' | 'startsAt'> {
  readonly wrap?: boolean;
  readonly readOnly?: boolean;
  readonly className?: string | undefined;
}

/** The editor; until it is loaded, a `<pre>` or a text area. */
export function CodeBox({ wrap = false, readOnly = true, className, ...rest }: CodeBoxProps): ReactElement {
  const typedAt = useRef<number>(undefined);
  const waits = useWaitsForPaint(readOnly && rest.value.length <= PLAIN_FIRST);
  const onLeave = (cursor: number): void => {
    typedAt.current = cursor;
  };
  const props = { wrap, readOnly, startsAt: typedAt, onLeave, ...rest };
  return (
    <div className={cx(css.box, className)} data-focus-later={rest.takesFocus === true ? '' : undefined}>
      <Boundary instead={<Plain {...props} />}>
        {waits ? <Plain {...props} /> : <CodeMirror {...props} />}
      </Boundary>
    </div>
  );
}

/**
 * Whether the editor is still to come. It is made in a task of its own after what surrounds it is painted: together they hold up the page
 * for longer than a person waits for the answer to a click.
 * @param isWanted false: it comes at once
 */
function useWaitsForPaint(isWanted: boolean): boolean {
  const [waits, setWaits] = useState(isWanted);
  useEffect(() => {
    if (!waits) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setWaits(false));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [waits]);
  return waits;
}

interface PlainProps extends CodeMirrorProps {
  /** Called when the editor replaces the text while it has the focus. */
  readonly onLeave: (cursor: number) => void;
}

/** The text without an editor. The position of the cursor in it, or that it has the focus, is passed on to the editor. */
function Plain(props: PlainProps): ReactElement {
  const { label, value, wrap, readOnly, onChange, onLeave, takesFocus = false } = props;
  if (readOnly || onChange === undefined)
    return <PlainText label={label} value={value} wrap={wrap} onLeave={onLeave} />;
  return (
    <PlainEditor label={label} value={value} takesFocus={takesFocus} onChange={onChange} onLeave={onLeave} />
  );
}

/** Calls `onLeave` when the element is removed while it has the focus. */
function useFocusPassedOn<E extends HTMLElement>(onLeave: (element: E) => void): RefObject<E | null> {
  const element = useRef<E>(null);
  const report = useRef(onLeave);
  useLayoutEffect(() => {
    const own = element.current;
    const leave = report.current;
    return () => {
      if (own !== null && own === document.activeElement) leave(own);
    };
  }, []);
  return element;
}

type PlainTextProps = Pick<PlainProps, 'label' | 'value' | 'wrap' | 'onLeave'>;

function PlainText({ label, value, wrap, onLeave }: PlainTextProps): ReactElement {
  const text = useFocusPassedOn<HTMLPreElement>(() => onLeave(0));
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolled region must take the focus
    <pre ref={text} aria-label={label} tabIndex={0} className={cx(css.plain, css.text, wrap && css.wrap)}>
      {value}
    </pre>
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
  const field = useFocusPassedOn<HTMLTextAreaElement>(({ selectionStart }) => onLeave(selectionStart));
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
