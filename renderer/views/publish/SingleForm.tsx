/** The form for one message. */
import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent, type ReactElement } from 'react';
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
import { useAway, useConsole, useParam } from '../../state/context.ts';
import type { SingleDraft } from '../../state/publish-drafts.ts';
import type { RunState } from '../../state/publish-run.ts';
import { useSelected } from '../../state/store.ts';
import { useIsWide } from '../../components/use-narrow.ts';
import { AttributesTab } from './AttributesTab.tsx';
import { DataPanel } from './DataPanel.tsx';
import { OutcomeLine, OutcomeSide } from './Outcome.tsx';
import { Pairs } from './Pairs.tsx';
import { RequestPreview } from './RequestPreview.tsx';
import { PublishAnswer } from './PublishAnswer.tsx';
import css from './SingleForm.module.css';
import { JumpChoice } from '../../components/JumpChoice.tsx';
import { SaveDialog } from '../../components/SaveDialog.tsx';
import { SchemaTab } from './SchemaTab.tsx';
import {
  blockingMistakes,
  metadataMistakes,
  OWN_TYPE,
  repeatMistakes,
  templateOf,
  type FieldMistake,
  type FormField,
} from './single-request.ts';
import { Target, useTarget } from './Target.tsx';
import { useDataCheck, type DataCheck } from './use-data-check.ts';
import { VariablesTab } from './VariablesTab.tsx';

interface Sending {
  readonly publish: () => void;
  /** Number of tries that mistakes prevented. */
  readonly refused: number;
  /** Whether a publish was tried: what is missing is shown from then on. */
  readonly tried: boolean;
  /** Mistakes that prevent the publish, shown after the first try. */
  readonly mistakes: readonly FieldMistake[];
  /** Text about odd data, which is reported before a second press sends it. What is odd stands beside the data. */
  readonly warning: string | undefined;
  readonly answer: RunState['answer'];
  readonly running: RunState['running'];
  /** True while the publish waits for its data to be read. */
  readonly isWaiting: boolean;
  readonly times: string;
  readonly setTimes: (text: string) => void;
  readonly everyMs: string;
  readonly setEveryMs: (text: string) => void;
}

/** Publishes the draft of a tab: after its data was read, and only at the second press if the data is odd. */
function useSending(draftTab: number, draft: SingleDraft, check: DataCheck): Sending {
  const { publishRuns } = useConsole();
  const away = useAway(ACT_WHY.away);
  const [tried, setTried] = useState(false);
  const [refused, setRefused] = useState(0);
  const [warned, setWarned] = useState<{ readonly data: string; readonly over: object | undefined }>();
  const { answer, running } = useSelected(publishRuns.store, ({ runs }) => runs[draftTab]) ?? {};
  const warning = check.mistake === undefined ? undefined : fill(PUBLISH.jsonAt, { ...check.mistake });
  const isChecking = check.reading.state === 'reading';
  const isWarned = warning !== undefined && warned?.data === draft.data;
  /** The data to publish, which is still being read. */
  const [waitsFor, setWaitsFor] = useState<string>();
  const [times, setTimes] = useState('1');
  const [everyMs, setEveryMs] = useState('0');
  const mistakes = [...blockingMistakes(draft), ...repeatMistakes(times, everyMs)];

  function publish(): void {
    if (away !== undefined || running !== undefined) return;
    setTried(true);
    if (mistakes.length > 0) {
      setRefused((before) => before + 1);
      return;
    }
    if (isChecking) {
      setWaitsFor(draft.data);
      return;
    }
    // Odd data is reported once; the second press sends it unchanged.
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
    // Data is sent only if it was requested and has been read, not if it was cancelled or edited meanwhile.
    if (state === 'known' && waitsFor === draft.data) publishNow();
  }, [waitsFor, state, draft.data]);

  return {
    publish,
    refused,
    tried,
    mistakes: tried ? mistakes : [],
    warning: isWarned ? PUBLISH.oddData : undefined,
    // The answer to the previous publish would look like the answer to this one beside a warning.
    answer: isWarned && warned.over === answer ? undefined : answer,
    running,
    isWaiting: waitsFor !== undefined,
    times,
    setTimes,
    everyMs,
    setEveryMs,
  };
}

/** Form, preview and answer. */
export function SingleForm({ tab: draftTab }: { readonly tab: number }): ReactElement {
  const { drafts } = useConsole();
  const stored = useSelected(drafts.store, (state) => state.single);
  const draft: SingleDraft = { ...stored, ...useTarget(stored) };
  const check = useDataCheck(draft);
  const [saves, setSaves] = useState(false);
  const sending = useSending(draftTab, draft, check);
  const { publish, refused } = sending;
  const formOf = useRef<HTMLFormElement>(null);
  // The field that is to be changed first takes the keyboard; a mistake on another tab has none.
  useEffect(() => {
    if (refused > 0) formOf.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refused]);
  const errorOf = (field: FormField): string | undefined => errorIn(sending.mistakes, field);

  function onKey(event: KeyboardEvent): void {
    // A dialog that was opened from here has its own keys.
    if (!(event.ctrlKey || event.metaKey) || !isWithin(event)) return;
    if (event.key === 'Enter') publish();
    else if (event.key.toLowerCase() === 's') setSaves(true);
    else return;
    event.preventDefault();
  }

  const isWide = useIsWide();
  const form = (
    <form
      ref={formOf}
      aria-label={PUBLISH.form}
      className={css.form}
      // The form says beside a field what is missing.
      noValidate
      onKeyDownCapture={onKey}
      onSubmit={(event) => {
        event.preventDefault();
        publish();
      }}
    >
      <Target value={draft} errorOf={errorOf} onChange={drafts.editSingle} />
      <KindFields draft={draft} ttlError={errorOf('ttl')} />
      <Parts draft={draft} check={check} tried={sending.tried} />
      <RequestPreview draft={draft} />
      {!isWide && <OutcomeLine draft={draft} />}
      <Foot tab={draftTab} draft={draft} sending={sending} onSave={() => setSaves(true)} />
      {saves && <SaveDialog request={templateOf(draft)} onClose={() => setSaves(false)} />}
    </form>
  );
  // The form keeps its place in the tree, so that nothing typed is lost while a window is resized.
  return (
    <div className={css.sides}>
      {form}
      {isWide && <OutcomeSide draft={draft} />}
    </div>
  );
}

function errorIn(mistakes: readonly FieldMistake[], field: FormField): string | undefined {
  return mistakes.find((mistake) => mistake.field === field)?.text;
}

interface KindFieldsProps {
  readonly draft: SingleDraft;
  readonly ttlError: string | undefined;
}

/** Fields for envelope, content type and time to live. */
function KindFields({ draft, ttlError }: KindFieldsProps): ReactElement {
  const { drafts } = useConsole();
  return (
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
        error={ttlError}
        value={draft.ttl}
        onChange={(ttl) => drafts.editSingle({ ttl })}
      />
    </div>
  );
}

interface PartsProps {
  readonly draft: SingleDraft;
  readonly check: DataCheck;
  readonly tried: boolean;
}

/** The tabs of the message: data, attributes, metadata, variables, schema. */
function Parts({ draft, check, tried }: PartsProps): ReactElement {
  const { drafts, navigation } = useConsole();
  // A command opens the schema; another tab of the person ends that.
  const asked = useParam('part') === 'schema' ? 'schema' : undefined;
  const [own, setOwn] = useState('data');
  const tab = asked ?? own;
  return (
    <TabBar
      label={PUBLISH.parts}
      value={draft.envelope !== 'own' && tab === 'attributes' ? 'data' : tab}
      onChange={(next) => {
        setOwn(next);
        if (asked !== undefined) navigation.change({ part: undefined });
      }}
      fills={false}
      tabs={[
        { id: 'data', title: PUBLISH.data, panel: () => <DataPanel draft={draft} check={check} /> },
        ...(draft.envelope === 'own'
          ? [
              {
                id: 'attributes',
                title: PUBLISH.attributes,
                panel: () => <AttributesTab draft={draft} tried={tried} />,
              },
            ]
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
                {...(tried && { mistakes: metadataMistakes(draft) })}
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
  );
}

interface FootProps {
  readonly tab: number;
  readonly draft: SingleDraft;
  readonly sending: Sending;
  readonly onSave: () => void;
}

/** Buttons, number of publishes, and the result. */
function Foot({ tab, draft, sending, onSave }: FootProps): ReactElement {
  const console = useConsole();
  const away = useAway(ACT_WHY.away);
  const { mistakes, warning, answer, running, isWaiting, times, setTimes, everyMs, setEveryMs } = sending;
  const onTabs = mistakes.filter(({ field }) => field === undefined);
  return (
    <div className={css.foot}>
      {onTabs.length > 0 && (
        <div role="alert">
          <ul className={css.mistakes}>
            {onTabs.map(({ text }) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
      )}
      <div className={css.sends}>
        <Button
          type="submit"
          kind="primary"
          off={away}
          pending={isWaiting || running !== undefined}
          keys={['Mod+Enter']}
        >
          {warning === undefined ? PUBLISH.publish : PUBLISH.publishAnyway}
        </Button>
        <Button keys={['Mod+S']} onClick={onSave}>
          {SAVED.save}
        </Button>
        <ChoiceMenu
          title={PUBLISH.copyAs}
          groups={[{ entries: publishEntries(console, async () => resolved(console, draft)) }]}
        />
        <PublishAnswer answer={answer} warning={warning} />
      </div>
      <div className={css.options}>
        <TextField
          label={PUBLISH.repeat}
          inputMode="numeric"
          value={times}
          error={errorIn(mistakes, 'times')}
          className={css.short}
          onChange={setTimes}
        />
        <TextField
          label={PUBLISH.every}
          inputMode="numeric"
          value={everyMs}
          error={errorIn(mistakes, 'every')}
          className={css.short}
          onChange={setEveryMs}
        />
        <JumpChoice isUnderLabel />
        {running !== undefined && running.of > 1 && <Repeating tab={tab} running={running} />}
      </div>
    </div>
  );
}

interface RepeatingProps {
  readonly tab: number;
  readonly running: NonNullable<RunState['running']>;
}

/** Progress of several publishes, with a button that stops them. */
function Repeating({ tab, running }: RepeatingProps): ReactElement {
  const { publishRuns } = useConsole();
  return (
    <>
      <span
        role="progressbar"
        aria-label={PUBLISH.publish}
        aria-valuemax={running.of}
        aria-valuenow={running.done}
      >
        {fill(PUBLISH.progress, { done: running.done, of: running.of })}
      </span>
      <Button onClick={() => publishRuns.stop(tab)}>{PUBLISH.stop}</Button>
    </>
  );
}

/** Whether a key was pressed in an element inside; React also passes on events of dialogs that it owns. */
export function isWithin({ currentTarget, target }: KeyboardEvent): boolean {
  return target instanceof Node && currentTarget.contains(target);
}

/** The request with its variables filled in, for a copy that is used elsewhere. */
async function resolved(console: Console, draft: SingleDraft): Promise<PublishParams> {
  return (await console.call('requests.resolve', { request: templateOf(draft) })).request;
}

function contentTypeHint(draft: SingleDraft): string | undefined {
  if (draft.envelope === 'own') return OWN_TYPE;
  return draft.contentType === '' ? PUBLISH.noContentTypeHint : undefined;
}
