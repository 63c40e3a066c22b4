/** The form for one message. */
import { useRef, useState, type KeyboardEvent, type ReactElement } from 'react';
import { Button } from '../../components/Button.tsx';
import { CodeBox } from '../../components/CodeBox.tsx';
import { Radios, TextField } from '../../components/Fields.tsx';
import { TabBar } from '../../components/TabBar.tsx';
import { ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { CONTENT_TYPES, PUBLISH } from '../../copy/publish.ts';
import { prettyJson } from '../../format/body.ts';
import { size } from '../../format/quantity.ts';
import { useAway, useConsole } from '../../state/context.ts';
import type { SingleDraft } from '../../state/publish-drafts.ts';
import { useSelected } from '../../state/store.ts';
import { AttributesTab } from './AttributesTab.tsx';
import { Pairs } from './Pairs.tsx';
import { PublishAnswer } from './PublishAnswer.tsx';
import css from './SingleForm.module.css';
import { blockingMistakes, dataWarning, previewOf, OWN_TYPE } from './single-request.ts';
import { Target, useTarget } from './Target.tsx';
import { usePublish } from './use-publish.ts';

/** Form, preview and answer. */
export function SingleForm(): ReactElement {
  const { drafts } = useConsole();
  const stored = useSelected(drafts.store, (state) => state.single);
  const draft: SingleDraft = { ...stored, ...useTarget(stored) };
  const away = useAway(ACT_WHY.away);
  const [tab, setTab] = useState('data');
  const [tried, setTried] = useState(false);
  const [warned, setWarned] = useState('');
  const { send, stop, answer, running } = usePublish();
  const mistakes = blockingMistakes(draft);
  const warning = dataWarning(draft);
  const isWarned = warning !== undefined && warned === draft.data;
  const [times, setTimes] = useState('1');
  const [everyMs, setEveryMs] = useState('0');

  function publish(): void {
    if (away !== undefined || running !== undefined) return;
    setTried(true);
    if (mistakes.length > 0) return;
    // Odd data is said once; the second press sends it as it is.
    if (warning !== undefined && !isWarned) {
      setWarned(draft.data);
      return;
    }
    void send(draft, {
      times: Math.min(10_000, Math.max(1, Number(times) || 1)),
      everyMs: Math.max(0, Number(everyMs) || 0),
    });
  }

  function onKey(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    publish();
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
          { id: 'data', title: PUBLISH.data, panel: () => <DataPanel draft={draft} /> },
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
        ]}
      />
      <p className={css.preview}>
        <span className={css.muted}>{PUBLISH.preview}</span> <code>{previewOf(draft)}</code>
      </p>
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
        <Button type="submit" kind="primary" off={away} pending={running !== undefined} keys={['Mod+Enter']}>
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
            <Button onClick={stop}>{PUBLISH.stop}</Button>
          </>
        )}
      </div>
      <PublishAnswer answer={answer} warning={isWarned ? warning : undefined} />
    </form>
  );
}

function contentTypeHint(draft: SingleDraft): string | undefined {
  if (draft.envelope === 'own') return OWN_TYPE;
  return draft.contentType === '' ? PUBLISH.noContentTypeHint : undefined;
}

function DataPanel({ draft }: { readonly draft: SingleDraft }): ReactElement {
  const { drafts, toasts } = useConsole();
  const file = useRef<HTMLInputElement>(null);
  const isJson = /json/i.test(draft.contentType);
  const warning = dataWarning(draft);
  const pretty = prettyJson(draft.data);
  const state =
    !isJson || draft.data === '' ? '' : warning === undefined ? PUBLISH.validJson : PUBLISH.notJson;
  return (
    <>
      <CodeBox
        label={PUBLISH.dataLabel}
        value={draft.data}
        language={isJson ? 'json' : /xml/i.test(draft.contentType) ? 'xml' : 'text'}
        readOnly={false}
        invalid={warning !== undefined}
        wrap
        className={css.editor}
        onChange={(data) => drafts.editSingle({ data })}
      />
      <div className={css.tools}>
        <Button
          off={pretty === undefined ? PUBLISH.notJson : undefined}
          onClick={() => pretty !== undefined && drafts.editSingle({ data: pretty })}
        >
          {PUBLISH.format}
        </Button>
        <Button onClick={() => file.current?.click()}>{PUBLISH.load}</Button>
        <input
          ref={file}
          type="file"
          hidden
          onChange={(event) => {
            event.target.files?.[0]?.text().then(
              (data) => drafts.editSingle({ data }),
              (reason: unknown) => toasts.failed(fill(PUBLISH.loadFailed, { message: String(reason) })),
            );
          }}
        />
        <span className={css.muted}>
          {[state, size(new TextEncoder().encode(draft.data).length)]
            .filter((each) => each !== '')
            .join(' · ')}
        </span>
        {warning !== undefined && <span className={css.warning}>{warning}</span>}
      </div>
    </>
  );
}
