/** Makes a test from messages in three steps: messages, expected end states, kind of test; then its files. */
import { RefreshCw } from 'lucide-react';
import { useEffect, useMemo, useRef, useState, type ReactElement } from 'react';
import type { DeliveryState } from '../../../core/contract/delivery.ts';
import type { TestTarget, ToTestResult } from '../../../core/contract/recording.ts';
import { TEST_TARGETS } from '../../../core/contract/words.ts';
import { clause } from '../../../core/contract/error-text.ts';
import { withoutUndefined } from '../../../core/contract/without-undefined.ts';
import { Button } from '../../components/Button.tsx';
import { Choice } from '../../components/Choice.tsx';
import { CodeBox } from '../../components/CodeBox.tsx';
import { TextField } from '../../components/Fields.tsx';
import { Edited } from '../../components/edited-context.ts';
import { useLeftState } from '../../components/left-state.ts';
import { RefusedForm } from '../../components/RefusedForm.tsx';
import { useRefused, type Refused } from '../../components/use-refused.ts';
import { Empty, Failed, Loading } from '../../components/States.tsx';
import { ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { RECORDINGS, TEST_WIZARD } from '../../copy/recordings.ts';
import { saveFile } from '../../format/save-file.ts';
import type { Console } from '../../state/console.ts';
import { ConsoleProvider, useAway, useConsole, useParam, useResource } from '../../state/context.ts';
import page from '../page.module.css';
import { whatsNow, whatsOf, type What } from './choice.ts';
import css from './Recordings.module.css';
import {
  amountText,
  expectedOf,
  repeatable,
  useOffered,
  useRepeats,
  type Offered,
  type Repeats,
} from './test-messages.ts';
import { TestMessages } from './TestMessages.tsx';
import { useAskedPart } from './use-asked-part.ts';

const EVERYTHING: What = { value: 'all', title: RECORDINGS.whats.all, choice: {} };

/** Expected end states by delivery. */
type Expected = Readonly<Record<string, DeliveryState>>;

const NONE_LEFT: ReadonlySet<string> = new Set();
const AS_RECORDED: Expected = {};

/** What a test can be made from: messages of now, and of each open recording. */
function useWhats(): readonly What[] {
  const console = useConsole();
  const { value: open } = useResource(console.recordings.list);
  return useMemo(
    () => [...whatsNow(console), ...(open?.items ?? []).flatMap((each) => whatsOf(console, each))],
    [console, open],
  );
}

/** The wizard and its result. */
export function TestPart(): ReactElement {
  const console = useConsole();
  const away = useAway(ACT_WHY.away);
  const whats = useWhats();
  const asked = useParam('from');
  const [chosen, setWhat] = useState<string>();
  const first = whats.find(({ choice }) => choice.recordingId === asked) ?? whats[0];
  const { value: what, choice } = whats.find(({ value }) => value === chosen) ?? first ?? EVERYTHING;
  const { recordingId } = choice;
  const [left, changeLeft] = useLeftState('messages left out of the test', NONE_LEFT);
  const [expected, changeExpected] = useLeftState('end states of the test', AS_RECORDED);
  const [target, setTarget] = useState<TestTarget>('scenario');
  const [name, changeName] = useLeftState('title of the test', '');
  const [made, setMade] = useState<ToTestResult | undefined>();
  const refused = useRefused(['name']);
  const { offered, again } = useOffered(choice);
  const rows = offered === undefined || 'failure' in offered ? [] : offered.rows;
  const wanted = rows.filter(({ messageId }) => !left.has(messageId));
  const repeats = useRepeats(wanted, recordingId);
  const { taken, cannot } = repeatable(wanted, repeats);

  async function make(): Promise<void> {
    setMade(undefined);
    await refused.run('recordings.toTest', async () => {
      const given = withoutUndefined({ recordingId, name: name.trim() || undefined });
      const messageIds = wanted.map(({ messageId }) => messageId);
      const expect = expectedOf(wanted, expected);
      const result = await console.call('recordings.toTest', { ...given, target, messageIds, expect });
      setMade(result);
      // The next test is another one; a title that was typed meanwhile is for that, and one of which no test was made is still wanted.
      if (result.files.length > 0) changeName((now) => (now === name ? '' : now));
      return undefined;
    });
  }

  const part = useAskedPart('test');
  const last = useRef<HTMLHeadingElement>(null);

  return (
    // What the host refused was about other choices.
    <Edited value={refused.clear}>
      <section ref={part} aria-label={RECORDINGS.toTest} className={page.box} onInput={refused.clear}>
        <h2>{RECORDINGS.toTest}</h2>
        <p className={page.muted}>{RECORDINGS.testHint}</p>
        <h3>{TEST_WIZARD.step1}</h3>
        <WhichMessages
          what={what}
          whats={whats}
          onWhat={setWhat}
          amount={amountText(offered, taken?.length)}
          cannot={cannot}
          again={recordingId === undefined ? again : undefined}
        />
        <ConsoleProvider value={recordingId === undefined ? console : within(console, recordingId)}>
          <OfferedMessages
            offered={offered}
            again={again}
            left={left}
            onLeft={(next) => changeLeft(() => next)}
            repeats={repeats}
            expected={expected}
            onExpected={(next) => changeExpected(() => next)}
            onSkip={() => last.current?.focus()}
          />
        </ConsoleProvider>
        <h3 ref={last} tabIndex={-1}>
          {TEST_WIZARD.step3}
        </h3>
        <KindOfTest
          target={target}
          onTarget={setTarget}
          name={name}
          onName={(next) => changeName(() => next)}
          off={away ?? (wanted.length === 0 ? TEST_WIZARD.noneTaken : undefined)}
          refused={refused}
          onMake={() => void make()}
        />
        {made !== undefined && <Made made={made} />}
      </section>
    </Edited>
  );
}

interface WhichMessagesProps {
  readonly what: string;
  readonly whats: readonly What[];
  readonly onWhat: (what: string) => void;
  readonly amount: string;
  readonly cannot: string | undefined;
  /** Reads them again; undefined: they are those of a recording, which cannot become more. */
  readonly again: (() => void) | undefined;
}

function WhichMessages({ what, whats, onWhat, amount, cannot, again }: WhichMessagesProps): ReactElement {
  return (
    <div className={css.fields}>
      <Choice label={RECORDINGS.what} value={what} options={whats} onChange={onWhat} />
      <span role="status">
        {amount}
        {cannot !== undefined && <span className={page.problem}> {cannot}</span>}
      </span>
      {again !== undefined && (
        <Button icon={RefreshCw} hint={TEST_WIZARD.readAgainHint} onClick={again}>
          {TEST_WIZARD.readAgain}
        </Button>
      )}
    </div>
  );
}

interface KindOfTestProps {
  readonly target: TestTarget;
  readonly onTarget: (target: TestTarget) => void;
  readonly name: string;
  readonly onName: (name: string) => void;
  readonly off: string | undefined;
  readonly refused: Refused;
  readonly onMake: () => void;
}

/** The last step. */
function KindOfTest(props: KindOfTestProps): ReactElement {
  const { target, onTarget, name, onName, off, refused, onMake } = props;
  return (
    <RefusedForm refused={refused} className={css.fields}>
      <TextField
        hideLabel
        label={RECORDINGS.testName}
        placeholder={RECORDINGS.testName}
        error={refused.at('name')}
        value={name}
        onChange={onName}
      />
      <Choice
        label={RECORDINGS.target}
        value={target}
        options={TEST_TARGETS.map((value) => ({ value, title: RECORDINGS.targets[value] }))}
        onChange={(next) => onTarget(TEST_TARGETS.find((each) => each === next) ?? 'scenario')}
      />
      <Button kind="primary" off={off} pending={refused.pending} onClick={onMake}>
        {RECORDINGS.make}
      </Button>
    </RefusedForm>
  );
}

/** A console that reads payloads from the recording. */
function within(console: Console, recordingId: string): Console {
  return { ...console, ...console.recordings.lists(recordingId) };
}

interface OfferedMessagesProps {
  readonly offered: Offered | undefined;
  readonly again: () => void;
  /** Messages that are not in the test. */
  readonly left: ReadonlySet<string>;
  readonly onLeft: (left: ReadonlySet<string>) => void;
  readonly repeats: Repeats;
  readonly expected: Expected;
  readonly onExpected: (expected: Expected) => void;
  /** Moves the focus past the messages. */
  readonly onSkip: () => void;
}

/** The messages from which the test can be made, or why there are none. */
function OfferedMessages(props: OfferedMessagesProps): ReactElement {
  const { offered, again, left, onLeft, expected, onExpected, onSkip } = props;
  const rows = offered === undefined || 'failure' in offered ? [] : offered.rows;
  return (
    <>
      {offered === undefined && <Loading text={TEST_WIZARD.loading} rows={3} />}
      {offered !== undefined && 'failure' in offered && (
        <Failed text={fill(TEST_WIZARD.failed, { message: clause(offered.failure) })} again={again} />
      )}
      {offered !== undefined && !('failure' in offered) && rows.length === 0 && (
        <Empty title={TEST_WIZARD.none} />
      )}
      {rows.length > 0 && (
        <>
          <h3>{TEST_WIZARD.step2}</h3>
          <button type="button" className={css.skip} onClick={onSkip}>
            {TEST_WIZARD.skip}
          </button>
          <div className={css.messages}>
            <TestMessages
              rows={rows}
              left={left}
              repeats={props.repeats}
              onLeave={(messageId, isLeft) => {
                const next = new Set(left);
                if (isLeft) next.add(messageId);
                else next.delete(messageId);
                onLeft(next);
              }}
              expected={expected}
              onExpect={(deliveryId, state) => onExpected({ ...expected, [deliveryId]: state })}
            />
          </div>
        </>
      )}
    </>
  );
}

function Made({ made }: { readonly made: ToTestResult }): ReactElement {
  const { acting } = useConsole();
  const [skipped] = made.skipped;
  const part = useRef<HTMLDivElement>(null);
  // The result appears below the button, at the end of the visible part, so it is scrolled into view.
  useEffect(() => {
    part.current?.scrollIntoView({ block: 'nearest' });
  }, [made]);
  return (
    <div ref={part}>
      {skipped !== undefined && (
        <p role="status" className={page.problem}>
          {fill(RECORDINGS.skipped, { n: made.skipped.length, reason: skipped.reason })}
        </p>
      )}
      <ul aria-label={RECORDINGS.made} className={css.open}>
        {made.files.map((file) => (
          <li key={file.name} className={css.one}>
            <span className={page.bar}>
              <code>{file.name}</code>
              <Button onClick={() => saveFile(file.name, [file.text])}>
                {fill(RECORDINGS.save, { name: file.name })}
              </Button>
              <Button onClick={() => void acting.copy(file.text)}>
                {fill(RECORDINGS.copy, { name: file.name })}
              </Button>
            </span>
            {file.name.endsWith('.yaml') && (
              <>
                <p className={page.muted}>
                  {RECORDINGS.runTest} <code>{fill(RECORDINGS.testCommand, file)}</code>
                </p>
                <p className={page.muted}>
                  {RECORDINGS.runInClone} <code>{fill(RECORDINGS.cloneCommand, file)}</code>
                </p>
              </>
            )}
            <CodeBox label={file.name} value={file.text} language="text" className={css.file} />
          </li>
        ))}
      </ul>
    </div>
  );
}
