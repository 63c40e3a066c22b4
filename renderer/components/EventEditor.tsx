/** An original event beside its edited form, and the differences. */
import { useEffect, useState, type ReactElement } from 'react';
import { CodeBox } from './CodeBox.tsx';
import { useIsNarrow } from './use-narrow.ts';
import { fetchQuietly, later } from './later.tsx';
import { Boundary, Loading } from './States.tsx';
import { TabBar } from './TabBar.tsx';
import { EDIT } from '../copy/acts.ts';
import { fill } from '../copy/fill.ts';
import { count } from '../format/quantity.ts';
import { changedLines, diffLines, type DiffLine } from '../format/diff.ts';
import { useDifference, type Compared } from './use-difference.ts';
import type { Language } from './code/editor-extensions.ts';
import { DiffLines } from './DiffLines.tsx';
import { LONG_TEXT } from './use-text-facts.ts';
import css from './EventEditor.module.css';

const MergeEditor = later(
  async () => (await import('./code/MergeEditor.tsx')).MergeEditor,
  // A text field in its place would be removed together with the focus.
  <div aria-busy data-focus-later />,
);
// The editor is loaded together with the dialog that shows it, not after it.
fetchQuietly(MergeEditor.fetch);

export interface EventEditorProps {
  readonly original: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly language: Language;
  /** Facts beside the text, one per line; changed ones are listed among the changes. */
  readonly beside?: { readonly before: string; readonly after: string };
}

function changedOnly(lines: readonly DiffLine[]): readonly DiffLine[] {
  return lines.filter(({ kind }) => kind !== 'same');
}

/** Tabs "Edit" and "Changes n". */
export function EventEditor({ original, value, onChange, language, beside }: EventEditorProps): ReactElement {
  const [tab, setTab] = useState('edit');
  const compared = useDifference(original, value, true);
  const facts = changedOnly(diffLines(beside?.before ?? '', beside?.after ?? ''));
  return (
    <TabBar
      label={EDIT.next}
      value={tab}
      onChange={setTab}
      fills={false}
      tabs={[
        {
          id: 'edit',
          title: EDIT.edit,
          // The cursor, the place and what can be undone are those of before when a person comes back from the changes.
          keptFor: 'edit',
          panel: () => <Sides original={original} value={value} language={language} onChange={onChange} />,
        },
        {
          id: 'changes',
          title: titleOf(compared, facts),
          panel: () => <Changes compared={compared} facts={facts} />,
        },
      ]}
    />
  );
}

/** False while something is drawn first; true from the frame after it. */
function useNextFrame(waits: boolean): boolean {
  const [isOver, setIsOver] = useState(!waits);
  useEffect(() => {
    if (isOver) return undefined;
    const frame = requestAnimationFrame(() => setIsOver(true));
    return () => cancelAnimationFrame(frame);
  }, [isOver]);
  return isOver;
}

function titleOf(compared: Compared, facts: readonly DiffLine[]): string {
  if (compared.state !== 'known') return EDIT.changesComing;
  return fill(EDIT.changes, { n: count(compared.difference.changed + changedLines(facts)) });
}

interface ChangesProps {
  readonly compared: Compared;
  /** Changed facts beside the text. */
  readonly facts: readonly DiffLine[];
}

function Changes({ compared, facts }: ChangesProps): ReactElement {
  if (compared.state === 'comparing') return <Loading text={EDIT.comparing} />;
  if (compared.state === 'unknown') return <p className={css.none}>{EDIT.notCompared}</p>;
  const { changed, lines } = compared.difference;
  if (changed + facts.length === 0) return <p className={css.none}>{EDIT.noChanges}</p>;
  return <DiffLines lines={[...facts, ...(changed === 0 ? [] : lines)]} />;
}

/**
 * Both texts: side by side with marked differences, or one below the other in a narrow window. A long text
 * has no marks, because computing them takes too long.
 */
function Sides({ original, value, language, onChange }: EventEditorProps): ReactElement {
  const isWide = !useIsNarrow();
  const isLong = original.length > LONG_TEXT;
  const isReady = useNextFrame(isLong);
  // Colouring and folding a long text twice would delay the first keystroke.
  const shownAs = isLong ? 'text' : language;
  const plain = (
    <div className={css.sides}>
      <div className={css.side}>
        {!isWide && <p className={css.head}>{EDIT.originalHead}</p>}
        {isReady ? (
          <CodeBox label={EDIT.original} value={original} language={shownAs} className={css.code} wrap />
        ) : (
          <div className={css.code} aria-busy />
        )}
      </div>
      <div className={css.side}>
        {!isWide && <p className={css.head}>{EDIT.nextHead}</p>}
        <CodeBox
          label={EDIT.next}
          value={value}
          language={shownAs}
          readOnly={false}
          takesFocus
          onChange={onChange}
          className={css.code}
          wrap
        />
      </div>
    </div>
  );
  return (
    <>
      {isWide && (
        <div className={css.heads}>
          <p className={css.head}>{EDIT.originalHead}</p>
          <p className={css.head}>{EDIT.nextHead}</p>
        </div>
      )}
      {isWide && !isLong ? (
        <Boundary instead={plain}>
          <div className={css.code} data-focus-later>
            <MergeEditor
              originalLabel={EDIT.original}
              label={EDIT.next}
              original={original}
              value={value}
              language={language}
              onChange={onChange}
            />
          </div>
        </Boundary>
      ) : (
        plain
      )}
    </>
  );
}
