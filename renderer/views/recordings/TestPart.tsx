/** A test out of messages: their final states become what is expected. */
import { useMemo, useState, type ReactElement } from 'react';
import { TEST_TARGETS, type TestTarget, type ToTestResult } from '../../../core/contract/recording.ts';
import { Button } from '../../components/Button.tsx';
import { Choice } from '../../components/Choice.tsx';
import { CodeBox } from '../../components/CodeBox.tsx';
import { TextField } from '../../components/Fields.tsx';
import { ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { RECORDINGS } from '../../copy/recordings.ts';
import { saveFile } from '../../format/save-file.ts';
import { useAway, useConsole } from '../../state/context.ts';
import page from '../page.module.css';
import { whatsNow } from './choice.ts';
import css from './Recordings.module.css';

/** A form, then the files. */
export function TestPart(): ReactElement {
  const console = useConsole();
  const away = useAway(ACT_WHY.away);
  const whats = useMemo(() => whatsNow(console), [console]);
  const [what, setWhat] = useState(whats[0]?.value ?? 'all');
  const [target, setTarget] = useState<TestTarget>('vitest');
  const [name, setName] = useState('');
  const [made, setMade] = useState<ToTestResult | undefined>();
  const [pending, setPending] = useState(false);

  async function make(): Promise<void> {
    setPending(true);
    const choice = whats.find(({ value }) => value === what)?.choice ?? {};
    await console.acting.say('recordings.toTest', async () => {
      const title = name.trim() === '' ? {} : { name: name.trim() };
      setMade(await console.call('recordings.toTest', { ...choice, target, ...title }));
      return undefined;
    });
    setPending(false);
  }

  const [skipped] = made?.skipped ?? [];
  return (
    <section aria-label={RECORDINGS.toTest} className={page.box}>
      <h2>{RECORDINGS.toTest}</h2>
      <p className={page.muted}>{RECORDINGS.testHint}</p>
      <div className={css.fields}>
        <Choice label={RECORDINGS.what} value={what} options={whats} onChange={setWhat} />
        <Choice
          label={RECORDINGS.target}
          value={target}
          options={TEST_TARGETS.map((value) => ({ value, title: RECORDINGS.targets[value] }))}
          onChange={(next) => setTarget(TEST_TARGETS.find((each) => each === next) ?? 'vitest')}
        />
      </div>
      <TextField label={RECORDINGS.testName} value={name} onChange={setName} />
      <div className={page.bar}>
        <Button kind="primary" off={away} pending={pending} onClick={() => void make()}>
          {RECORDINGS.make}
        </Button>
      </div>
      {skipped !== undefined && (
        <p className={page.problem}>
          {fill(RECORDINGS.skipped, { n: made?.skipped.length, reason: skipped.reason })}
        </p>
      )}
      {made !== undefined && (
        <ul aria-label={RECORDINGS.made} className={css.open}>
          {made.files.map((file) => (
            <li key={file.name} className={css.one}>
              <span className={page.bar}>
                <code>{file.name}</code>
                <Button onClick={() => saveFile(file.name, [file.text])}>
                  {fill(RECORDINGS.save, { name: file.name })}
                </Button>
                <Button onClick={() => void console.acting.copy(file.text)}>
                  {fill(RECORDINGS.copy, { name: file.name })}
                </Button>
              </span>
              <CodeBox label={file.name} value={file.text} language="text" className={css.file} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
