/** Sends a handshake or saved samples to the webhook, with a right or wrong token. */
import { Save, Send, X } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import type { EventRouterComponent } from '../../../core/contract/event-router/components.ts';
import type { EmulateResult } from '../../../core/contract/event-router/methods.ts';
import type { TokenFault } from '../../../core/contract/event-router/local-router-status.ts';
import { TOKEN_FAULTS } from '../../../core/contract/event-router/words.ts';
import { Button, IconButton } from '../../components/Button.tsx';
import { Choice } from '../../components/Choice.tsx';
import { Field, TextField } from '../../components/Fields.tsx';
import { useLeftState } from '../../components/left-state.ts';
import { RefusedForm } from '../../components/RefusedForm.tsx';
import { useRefused } from '../../components/use-refused.ts';
import { fill } from '../../copy/fill.ts';
import { EMULATOR, TOKEN_FAULT_WORDS } from './copy/local-router.ts';
import { duration } from '../../format/quantity.ts';
import { eventsIn, sampleText, type Sample } from './samples.ts';
import { useConsole } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import css from './EventRouter.module.css';
import { JsonBox } from './JsonBox.tsx';
import { Panel } from './Panel.tsx';
import { useRouterActs } from './use-router-acts.ts';

const HANDSHAKE = 'handshake';

function isTokenFault(value: string): value is TokenFault {
  return TOKEN_FAULTS.some((each) => each === value);
}

interface Fields {
  /** The handshake, a kind of events, or the name of a saved sample. */
  readonly kind: string;
  readonly text: string;
  readonly token: TokenFault;
}

/** The form and the answer. */
export function EmulatePanel({ component }: { readonly component: EventRouterComponent }): ReactElement {
  const { call, ui } = useConsole();
  const { away, isPending, run } = useRouterActs();
  const saved = useSelected(ui, (state) => state.routerSamples);
  const [start] = useState<Fields>(() => ({ kind: 'event', text: sampleText(1), token: 'valid' }));
  const [{ kind, text, token }, change] = useLeftState(`sent to ${component.name}`, start);
  const set = (part: Partial<Fields>): void => change((now) => ({ ...now, ...part }));
  const [answer, setAnswer] = useState<EmulateResult>();
  const isHandshake = kind === HANDSHAKE;
  const refused = useRefused(['events']);
  const read = isHandshake ? undefined : eventsIn(text);
  const wrong =
    read === undefined || read.ok ? undefined : fill(EMULATOR.notEvents, { message: read.message });
  const choose = (next: string): void => {
    setAnswer(undefined);
    const sample = saved.find(({ name }) => name === next);
    if (sample !== undefined) set({ kind: next, text: sample.text });
    else if (next === HANDSHAKE) set({ kind: next });
    else set({ kind: next, text: sampleText(next === 'batch' ? 3 : 1) });
  };
  const send = async (): Promise<undefined> => {
    setAnswer(undefined);
    const what =
      read === undefined || !read.ok
        ? { send: 'handshake' as const }
        : { send: 'events' as const, events: read.events, batch: read.isArray };
    setAnswer(await call('eventRouter.emulate', { component: component.name, token, ...what }));
    return undefined;
  };
  return (
    <Panel title={EMULATOR.send}>
      <RefusedForm refused={refused} className={css.tab}>
        <div className={css.fields}>
          <Field label={EMULATOR.sendKind}>
            {({ id }) => (
              <Choice
                wide
                id={id}
                label={EMULATOR.sendKind}
                value={kind}
                options={[
                  ...Object.entries(EMULATOR.kinds).map(([value, title]) => ({ value, title })),
                  ...saved.map(({ name }) => ({ value: name, title: name })),
                ]}
                onChange={choose}
              />
            )}
          </Field>
          <TokenChoice token={token} onChange={(next) => set({ token: next })} />
          <Button
            icon={Send}
            off={away ?? wrong}
            pending={isPending('emulate')}
            onClick={() => run('emulate', send, refused)}
          >
            {EMULATOR.sendNow}
          </Button>
        </div>
        {!isHandshake && (
          <>
            <JsonBox
              label={EMULATOR.events}
              value={text}
              wrong={wrong ?? refused.at('events')}
              onChange={(next) => set({ text: next })}
            />
            <SaveSample kind={kind} text={text} onSaved={(name) => set({ kind: name })} />
          </>
        )}
      </RefusedForm>
      <Answer answer={answer} />
    </Panel>
  );
}

interface TokenChoiceProps {
  readonly token: TokenFault;
  readonly onChange: (token: TokenFault) => void;
}

/** Choice of the token that is sent, right or wrong. */
function TokenChoice({ token, onChange }: TokenChoiceProps): ReactElement {
  return (
    <Field label={EMULATOR.token}>
      {({ id }) => (
        <Choice
          wide
          id={id}
          label={EMULATOR.token}
          value={token}
          options={TOKEN_FAULTS.map((value) => ({ value, title: TOKEN_FAULT_WORDS[value] }))}
          onChange={(next) => isTokenFault(next) && onChange(next)}
        />
      )}
    </Field>
  );
}

/** Answer of the webhook. */
function Answer({ answer }: { readonly answer: EmulateResult | undefined }): ReactElement {
  return (
    <div role="status">
      {answer !== undefined && (
        <>
          <p className={answer.status === 200 ? undefined : css.problem}>
            {answer.status === undefined
              ? [answer.code, answer.error].filter((part) => part !== undefined).join(' ')
              : fill(EMULATOR.answer, { status: answer.status, t: duration(answer.durationMs) })}
            {answer.health !== undefined && ` · ${EMULATOR.healths[answer.health]}`}
          </p>
          {answer.body !== '' && <pre className={css.code}>{answer.body}</pre>}
        </>
      )}
    </div>
  );
}

interface SaveProps {
  readonly kind: string;
  readonly text: string;
  readonly onSaved: (name: string) => void;
}

/** Saves samples in this browser by name. */
function SaveSample({ kind, text, onSaved }: SaveProps): ReactElement {
  const { ui } = useConsole();
  const saved = useSelected(ui, (state) => state.routerSamples);
  const [name, setName] = useState('');
  const wanted = name.trim();
  // The kinds that are always there are in the same list as the saved ones.
  const mistake = Object.hasOwn(EMULATOR.kinds, wanted) ? EMULATOR.needsName : undefined;
  const off = wanted === '' ? EMULATOR.needsName : mistake;
  const keep = (routerSamples: readonly Sample[]): void => ui.setState({ routerSamples });
  return (
    <div className={css.head}>
      <TextField
        hideLabel
        label={EMULATOR.sampleName}
        placeholder={EMULATOR.sampleName}
        error={mistake}
        value={name}
        onChange={setName}
      />
      <Button
        icon={Save}
        off={off}
        onClick={() => {
          keep([...saved.filter((each) => each.name !== wanted), { name: wanted, text }]);
          onSaved(wanted);
          setName('');
        }}
      >
        {EMULATOR.saveSample}
      </Button>
      {saved.some((each) => each.name === kind) && (
        <IconButton
          icon={X}
          label={fill(EMULATOR.removeSample, { name: kind })}
          onClick={() => {
            keep(saved.filter((each) => each.name !== kind));
            onSaved('event');
          }}
        />
      )}
    </div>
  );
}
