/** The form for one message. */
import { useEffect, useEffectEvent, useState, type KeyboardEvent, type ReactElement } from 'react';
import type { PublishParams } from '../../../core/contract/publish.ts';
import { Button } from '../../components/Button.tsx';
import { ChoiceMenu } from '../../components/ChoiceMenu.tsx';
import { Radios, TextField } from '../../components/Fields.tsx';
import { TabBar } from '../../components/TabBar.tsx';
import { ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { CONTENT_TYPES, PUBLISH } from '../../copy/publish.ts';
import { SAVED, SCHEMA, VARIABLES } from '../../copy/saved.ts';
import { publishEntries } from '../../components/copy-menu.ts';
import type { Console } from '../../state/console.ts';
import { useAway, useConsole } from '../../state/context.ts';
import type { SingleDraft } from '../../state/publish-drafts.ts';
import { useSelected } from '../../state/store.ts';
import { AttributesTab } from './AttributesTab.tsx';
import { DataPanel } from './DataPanel.tsx';
import { Pairs } from './Pairs.tsx';
import { RequestPreview } from './RequestPreview.tsx';
import { PublishAnswer } from './PublishAnswer.tsx';
import css from './SingleForm.module.css';
import { JumpChoice } from '../../components/JumpChoice.tsx';
import { SaveDialog } from '../../components/SaveDialog.tsx';
import { SchemaTab } from './SchemaTab.tsx';
import { blockingMistakes, OWN_TYPE, templateOf } from './single-request.ts';
import { Target, useTarget } from './Target.tsx';
import { useDataCheck } from './use-data-check.ts';
import { VariablesTab } from './VariablesTab.tsx';

/** Form, preview and answer. */
export function SingleForm({ tab: draftTab }: { readonly tab: number }): ReactElement {
  const console = useConsole();
  const { drafts, publishRuns } = console;
  const stored = useSelected(drafts.store, (state) => state.single);
  const draft: SingleDraft = { ...stored, ...useTarget(stored) };
  const away = useAway(ACT_WHY.away);
  const [tab, setTab] = useState('data');
  const [tried, setTried] = useState(false);
  const [warned, setWarned] = useState<{ readonly data: string; readonly over: object | undefined }>();
  const { answer, running } = useSelected(publishRuns.store, ({ runs }) => runs[draftTab]) ?? {};
  const check = useDataCheck(draft);
  const warning = check.mistake === undefined ? undefined : fill(PUBLISH.jsonAt, { ...check.mistake });
  const isChecking = check.reading.state === 'reading';
  const isWarned = warning !== undefined && warned?.data === draft.data;
  /** The data that was to be published while it was still being read. */
  const [waitsFor, setWaitsFor] = useState<string>();
  const [saves, setSaves] = useState(false);
  const [times, setTimes] = useState('1');
  const [everyMs, setEveryMs] = useState('0');
  const mistakes = [...blockingMistakes(draft), ...repeatMistakes(times, everyMs)];

  function publish(): void {
    if (away !== undefined || running !== undefined) return;
    setTried(true);
    if (mistakes.length > 0) return;
    if (isChecking) {
      setWaitsFor(draft.data);
      return;
    }
    // Odd data is said once; the second press sends it as it is.
    if (warning !== undefined && !isWarned) {
      setWarned({ data: draft.data, over: answer });
      return;
    }
    void publishRuns.send(draftTab, templateOf(draft), { times: Number(times), everyMs: Number(everyMs) });
  }

  const publishNow = useEffectEvent(publish);
  const { state } = check.reading;
  useEffect(() => {
    if (waitsFor === undefined || (state === 'reading' && waitsFor === draft.data)) return;
    setWaitsFor(undefined);
    // Only what was asked for and has been read goes out: not what was given up, and not what was typed meanwhile.
    if (state === 'known' && waitsFor === draft.data) publishNow();
  }, [waitsFor, state, draft.data]);

  function onKey(event: KeyboardEvent): void {
    // A dialog that was opened from here has keys of its own.
    if (!(event.ctrlKey || event.metaKey) || !isWithin(event)) return;
    if (event.key === 'Enter') publish();
    else if (event.key.toLowerCase() === 's') setSaves(true);
    else return;
    event.preventDefault();
  }

  return (
    <form
      aria-label={PUBLISH.form}
      className={css.form}
      onKeyDownCapture={onKey}
      onSubmit={(event) => {
        event.preventDefault();
        publish();
      }}
    >
      <Target value={draft} onChange={drafts.editSingle} />
      <div className={css.kind}>
        <Radios
          label={PUBLISH.envelope}
          value={draft.envelope}
          onChange={(envelope) => drafts.editSingle({ envelope })}
          options={[
            { value: 'wrap', title: PUBLISH.wrap },
            { value: 'own', title: PUBLISH.own },
            { value: 'raw', title: PUBLISH.raw },
          ]}
        />
        <TextField
          label={PUBLISH.contentType}
          mono
          value={draft.contentType}
          placeholder={PUBLISH.noContentType}
          hint={contentTypeHint(draft)}
          suggestions={CONTENT_TYPES}
          onChange={(contentType) => drafts.editSingle({ contentType })}
        />
        <TextField
          label={PUBLISH.ttl}
          inputMode="numeric"
          hint={PUBLISH.ttlHint}
          value={draft.ttl}
          onChange={(ttl) => drafts.editSingle({ ttl })}
        />
      </div>
      <TabBar
        label={PUBLISH.parts}
        value={draft.envelope !== 'own' && tab === 'attributes' ? 'data' : tab}
        onChange={setTab}
        fills={false}
        tabs={[
          { id: 'data', title: PUBLISH.data, panel: () => <DataPanel draft={draft} check={check} /> },
          ...(draft.envelope === 'own'
            ? [{ id: 'attributes', title: PUBLISH.attributes, panel: () => <AttributesTab draft={draft} /> }]
            : []),
          {
            id: 'metadata',
            title: PUBLISH.metadata,
            panel: () => (
              <div className={css.panel}>
                <Pairs
                  pairs={draft.metadata}
                  add={PUBLISH.addMetadata}
                  nextId={drafts.nextId}
                  onChange={(metadata) => drafts.editSingle({ metadata })}
                />
              </div>
            ),
          },
          {
            id: 'variables',
            title: VARIABLES.tab,
            panel: () => <VariablesTab request={templateOf(draft)} />,
          },
          { id: 'schema', title: SCHEMA.tab, panel: () => <SchemaTab draft={draft} /> },
        ]}
      />
      <RequestPreview draft={draft} />
      <div className={css.foot}>
        {tried && mistakes.length > 0 && (
          <div role="alert">
            <ul className={css.mistakes}>
              {mistakes.map((mistake) => (
                <li key={mistake}>{mistake}</li>
              ))}
            </ul>
          </div>
        )}
        <div className={css.actions}>
          <Button
            type="submit"
            kind="primary"
            off={away}
            pending={waitsFor !== undefined || running !== undefined}
            keys={['Mod+Enter']}
          >
            {isWarned ? PUBLISH.publishAnyway : PUBLISH.publish}
          </Button>
          <TextField
            label={PUBLISH.repeat}
            inputMode="numeric"
            value={times}
            className={css.short}
            onChange={setTimes}
          />
          <TextField
            label={PUBLISH.every}
            inputMode="numeric"
            value={everyMs}
            className={css.short}
            onChange={setEveryMs}
          />
          <Button keys={['Mod+S']} onClick={() => setSaves(true)}>
            {SAVED.save}
          </Button>
          <ChoiceMenu
            title={PUBLISH.copyAs}
            groups={[{ entries: publishEntries(console, async () => resolved(console, draft)) }]}
          />
          {running !== undefined && running.of > 1 && (
            <>
              <span
                role="progressbar"
                aria-label={PUBLISH.publish}
                aria-valuemax={running.of}
                aria-valuenow={running.done}
              >
                {fill(PUBLISH.progress, { done: running.done, of: running.of })}
              </span>
              <Button onClick={() => publishRuns.stop(draftTab)}>{PUBLISH.stop}</Button>
            </>
          )}
        </div>
        <PublishAnswer
          // Beside a warning the answer to the publish before would read as one to this.
          answer={isWarned && warned.over === answer ? undefined : answer}
          warning={isWarned ? warning : undefined}
        />
      </div>
      <JumpChoice />
      {saves && <SaveDialog request={templateOf(draft)} onClose={() => setSaves(false)} />}
    </form>
  );
}

/** Whether a key was pressed in what is drawn here; what a dialog tells comes by its owner. */
export function isWithin({ currentTarget, target }: KeyboardEvent): boolean {
  return target instanceof Node && currentTarget.contains(target);
}

function repeatMistakes(times: string, everyMs: string): readonly string[] {
  const isTimes = /^[1-9]\d*$/.test(times) && Number(times) <= 10_000;
  const isEvery = /^\d+$/.test(everyMs) && Number(everyMs) <= 3_600_000;
  return [...(isTimes ? [] : [PUBLISH.badTimes]), ...(isEvery ? [] : [PUBLISH.badEvery])];
}

/** What is copied has its variables filled in: elsewhere nobody does it. */
async function resolved(console: Console, draft: SingleDraft): Promise<PublishParams> {
  return (await console.call('requests.resolve', { request: templateOf(draft) })).request;
}

function contentTypeHint(draft: SingleDraft): string | undefined {
  if (draft.envelope === 'own') return OWN_TYPE;
  return draft.contentType === '' ? PUBLISH.noContentTypeHint : undefined;
}
