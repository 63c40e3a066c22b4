/** The Recordings screen: record, export, import, comparison, and tests. */
import type { ReactElement } from 'react';
import { RECORDINGS } from '../../copy/recordings.ts';
import { useParam } from '../../state/context.ts';
import page from '../page.module.css';
import css from './Recordings.module.css';
import { ComparePart } from './ComparePart.tsx';
import { ExportPart } from './ExportPart.tsx';
import { ImportPart } from './ImportPart.tsx';
import { RecordPart } from './RecordPart.tsx';
import { TestPart } from './TestPart.tsx';

/** Five parts. */
export function RecordingsView(): ReactElement {
  const from = useParam('from');
  return (
    <div className={page.view}>
      <div className={page.head}>
        <h1>{RECORDINGS.title}</h1>
      </div>
      <div className={page.body}>
        <div className={page.stack}>
          <RecordPart />
          <div className={css.pair}>
            <ExportPart />
            <ImportPart />
          </div>
          <ComparePart />
          {/* A test of another recording begins with nothing chosen. */}
          <TestPart key={from} />
        </div>
      </div>
    </div>
  );
}
