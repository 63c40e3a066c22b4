/** An original event beside its new form, and what differs. */
import { useMemo, useState, type ReactElement } from 'react';
import { CodeBox } from '../components/CodeBox.tsx';
import { TabBar } from '../components/TabBar.tsx';
import { EDIT } from '../copy/acts.ts';
import { fill } from '../copy/fill.ts';
import { changedLines, diffLines } from '../format/diff.ts';
import type { Language } from '../components/code/CodeMirror.tsx';
import css from './EventEditor.module.css';

export interface EventEditorProps {
  readonly original: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly language: Language;
}

/** Tabs "Edit" and "Changes n". */
export function EventEditor({ original, value, onChange, language }: EventEditorProps): ReactElement {
  const [tab, setTab] = useState('edit');
  const lines = useMemo(() => diffLines(original, value), [original, value]);
  const changed = changedLines(lines);
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
          panel: () => (
            <div className={css.sides}>
              <div className={css.side}>
                <p className={css.head}>{EDIT.originalHead}</p>
                <CodeBox
                  label={EDIT.original}
                  value={original}
                  language={language}
                  className={css.code}
                  wrap
                />
              </div>
              <div className={css.side}>
                <p className={css.head}>{EDIT.nextHead}</p>
                <CodeBox
                  label={EDIT.next}
                  value={value}
                  language={language}
                  readOnly={false}
                  onChange={onChange}
                  className={css.code}
                  wrap
                />
              </div>
            </div>
          ),
        },
        {
          id: 'changes',
          title: fill(EDIT.changes, { n: changed }),
          panel: () =>
            changed === 0 ? (
              <p className={css.none}>{EDIT.noChanges}</p>
            ) : (
              <pre className={css.diff}>
                {lines.map((line, index) => (
                  // oxlint-disable-next-line react/no-array-index-key -- lines are drawn anew with every change
                  <span key={index} data-kind={line.kind} className={css.line}>
                    {line.kind === 'added' ? '+ ' : line.kind === 'removed' ? '- ' : '  '}
                    {line.text}
                  </span>
                ))}
              </pre>
            ),
        },
      ]}
    />
  );
}
