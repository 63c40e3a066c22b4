/** Open recordings, and opening another one. */
import { FolderOpen } from 'lucide-react';
import { useRef, useState, type ReactElement } from 'react';
import type { Recording } from '../../../core/contract/recording.ts';
import { whyNotRead } from '../../format/why-not-read.ts';
import { Button } from '../../components/Button.tsx';
import { Problem } from '../../components/RefusedForm.tsx';
import { useRefused } from '../../components/use-refused.ts';
import { Failed, Loading } from '../../components/States.tsx';
import { ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { COMPARE_RECORDINGS } from '../../copy/compare.ts';
import { RECORDINGS } from '../../copy/recordings.ts';
import { dayAndTime } from '../../format/clock-time.ts';
import { count } from '../../format/quantity.ts';
import { recordingProblems } from '../../format/recording-problems.ts';
import { useAway, useConsole, useResource } from '../../state/context.ts';
import page from '../page.module.css';
import css from './Recordings.module.css';

/** A file field and a list. */
export function ImportPart(): ReactElement {
  const { navigation, recordings } = useConsole();
  const refused = useRefused();
  const away = useAway(ACT_WHY.away);
  const field = useRef<HTMLInputElement>(null);
  const [reading, setReading] = useState<string | undefined>();
  const { value, status, failure } = useResource(recordings.list);

  async function read(file: File): Promise<void> {
    await refused.run('recordings.import', async () => {
      const recording = await recordings.import(file.name, file, ({ done, count: of }) => {
        const percent = Math.round((done / of) * 100);
        setReading(fill(RECORDINGS.reading, { name: file.name, percent }));
      });
      navigation.go('/recordings', { r: recording.recordingId });
      return undefined;
    });
    setReading(undefined);
  }

  return (
    <section aria-label={RECORDINGS.import} className={page.box}>
      <h2>{RECORDINGS.import}</h2>
      <p className={page.muted}>{RECORDINGS.chooseHint}</p>
      <input
        ref={field}
        type="file"
        accept=".jsonl,.ndjson,application/x-ndjson"
        hidden
        aria-label={RECORDINGS.choose}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = '';
          if (file !== undefined) void read(file);
        }}
      />
      <div className={page.bar}>
        <Button
          icon={FolderOpen}
          off={away}
          pending={reading !== undefined}
          onClick={() => field.current?.click()}
        >
          {RECORDINGS.choose}
        </Button>
        <span role="status">{reading}</span>
      </div>
      <Problem text={refused.problem} />
      <h3>{RECORDINGS.open}</h3>
      {value === undefined && status === 'failed' && (
        <Failed
          text={fill(RECORDINGS.failed, { message: whyNotRead(failure) })}
          again={() => void recordings.list.refresh()}
        />
      )}
      {value === undefined && status !== 'failed' && <Loading text={RECORDINGS.loading} rows={2} />}
      {value?.items.length === 0 && <p className={page.muted}>{RECORDINGS.none}</p>}
      <ul aria-label={RECORDINGS.open} className={css.open}>
        {value?.items.map((each) => (
          <OpenOne key={each.recordingId} recording={each} />
        ))}
      </ul>
    </section>
  );
}

function OpenOne({ recording }: { readonly recording: Recording }): ReactElement {
  const { acting, call, navigation, recordings } = useConsole();
  const { recordingId, name, messages, exportedAt, product, isMasked } = recording;
  const n = count(messages);
  const facts =
    exportedAt === undefined
      ? fill(RECORDINGS.amount, { n })
      : fill(RECORDINGS.facts, { n, at: dayAndTime(exportedAt), product: product ?? '' });
  return (
    <li className={css.one}>
      <strong>
        <bdi>{name}</bdi>
      </strong>
      <span className={page.muted}>
        {facts}
        {isMasked && ` · ${RECORDINGS.masked}`}
      </span>
      {recordingProblems(recording).map((text) => (
        <span key={text} className={page.problem}>
          {text}
        </span>
      ))}
      <span className={page.bar}>
        <Button
          aria-label={fill(RECORDINGS.showOf, { name })}
          onClick={() => navigation.go('/recordings', { r: recordingId })}
        >
          {RECORDINGS.show}
        </Button>
        <Button
          aria-label={fill(COMPARE_RECORDINGS.of, { name })}
          onClick={() => navigation.go('/recordings', { part: 'compare', a: recordingId })}
        >
          {COMPARE_RECORDINGS.short}
        </Button>
        <Button
          aria-label={fill(RECORDINGS.testOf, { name })}
          onClick={() => navigation.go('/recordings', { part: 'test', from: recordingId })}
        >
          {RECORDINGS.test}
        </Button>
        <Button
          aria-label={fill(RECORDINGS.closeOf, { name })}
          onClick={() =>
            void acting.run('recordings.close', async () => {
              await call('recordings.close', { recordingId });
              recordings.forget(recordingId);
              await recordings.list.refresh();
              return undefined;
            })
          }
        >
          {RECORDINGS.close}
        </Button>
      </span>
    </li>
  );
}
