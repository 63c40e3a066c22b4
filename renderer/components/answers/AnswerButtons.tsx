/**
 * The buttons that answer a call instead of the app. Keys 1 to 6 press them while one of them, or their row,
 * has the focus.
 */
import { useState, type KeyboardEvent, type ReactElement } from 'react';
import type { Answer, WaitingAnswer } from '../../../core/contract/mock-app.ts';
import { STATUS_WORDS, type StatusWord } from '../../../core/contract/status-words.ts';
import { Button } from '../Button.tsx';
import { Choice } from '../Choice.tsx';
import { PreviewLine } from '../PreviewLine.tsx';
import { ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { ANSWER_WORDS, WAITING } from '../../copy/mock-app.ts';
import { isSingleKey, stepOf } from '../../keys/chord.ts';
import { isTyping } from '../../keys/use-keys.ts';
import type { TakesFailure } from '../../state/acting.ts';
import { useAway, useConsole } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import css from './AnswerButtons.module.css';

interface QuickAnswer {
  readonly title: string;
  readonly answer: Answer;
}

const QUICK: readonly QuickAnswer[] = [
  { title: ANSWER_WORDS.success, answer: { kind: 'respond', status: 200, body: { status: 'SUCCESS' } } },
  { title: ANSWER_WORDS.retry, answer: { kind: 'respond', status: 200, body: { status: 'RETRY' } } },
  { title: ANSWER_WORDS.drop, answer: { kind: 'respond', status: 200, body: { status: 'DROP' } } },
  { title: '404', answer: { kind: 'respond', status: 404 } },
  { title: '503', answer: { kind: 'respond', status: 503 } },
];

/** The answer SUCCESS for each entry of a batch. */
export const ALL_SUCCESS: Answer = { kind: 'respond-bulk', status: 200, statuses: 'all-success' };

export interface Answering {
  readonly answer: (answer: Answer) => void;
  /** Opens the form for any other answer. */
  readonly askOther: () => void;
  /** True from an answer until its call has left the list. */
  readonly isPending: boolean;
  /** Key handler for the element around the buttons. */
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/**
 * Whether a key without Ctrl, Alt or Meta was pressed on the buttons or beside them. The events of a dialog come here too, because React passes
 * them on to the component that opened it; what is typed there answers nothing.
 */
function isOwnKey({ target, currentTarget, nativeEvent }: KeyboardEvent): boolean {
  if (!(target instanceof Element) || !currentTarget.contains(target)) return false;
  return isSingleKey(stepOf(nativeEvent)) && !isTyping(target);
}

/** Id of the answer to a call while the host has not taken it. */
function answerId(deliveryId: string): string {
  return `answer ${deliveryId}`;
}

/**
 * Gives an answer to the waiting call of a delivery. False: it was refused.
 * @param refused receives the refusal, for a form that shows it itself
 */
export function useGiveAnswer(
  deliveryId: string,
): (answer: Answer, refused?: TakesFailure) => Promise<boolean> {
  const { acting, call, mockApps } = useConsole();
  return (answer, refused) =>
    acting.run(
      answerId(deliveryId),
      async () => {
        await call('deliveries.answer', { deliveryId, answer });
        // A form closes before its call leaves the list, so that the next call can get the focus.
        void mockApps.waiting.refresh();
        return WAITING.answered;
      },
      refused,
    );
}

/** Answers one call by button or by key. */
export function useAnswering(item: WaitingAnswer): Answering {
  const { commands, mockApps } = useConsole();
  const away = useAway(ACT_WHY.away);
  const { deliveryId } = item;
  const give = useGiveAnswer(deliveryId);
  const id = answerId(deliveryId);
  const isPending = useSelected(commands.store, ({ pending }) => pending.has(id));
  function answer(given: Answer): void {
    if (commands.store.getState().pending.has(id)) return;
    // The buttons are off until the call has left the list.
    void commands.during(id, async () => (await give(given)) && mockApps.waiting.refresh());
  }
  const askOther = (): void => commands.open({ kind: 'answer', deliveryId });
  return {
    answer,
    isPending,
    askOther,
    onKeyDown(event) {
      if (!isOwnKey(event) || away !== undefined) return;
      // A key that is held down answers one call, not the next one, which gets the focus.
      if (event.repeat && /^(?:Enter|\d)$/.test(event.key)) {
        event.preventDefault();
        return;
      }
      const quick = QUICK[Number(event.key) - 1];
      if (quick !== undefined && item.entries === undefined) answer(quick.answer);
      else if (event.key === '6' && item.entries === undefined && !isPending) askOther();
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}

export interface AnswerButtonsProps {
  readonly item: WaitingAnswer;
  readonly answering: Answering;
}

/** One button for each usual answer; for a batch one choice for each entry. */
export function AnswerButtons({ item, answering }: AnswerButtonsProps): ReactElement {
  const away = useAway(ACT_WHY.away);
  const { answer, askOther, isPending } = answering;
  if (item.entries !== undefined)
    return <BatchAnswer item={item} entries={item.entries} pending={isPending} onAnswer={answer} />;
  return (
    <div
      data-answers
      role="group"
      aria-label={fill(WAITING.group, { topic: item.topic })}
      className={css.buttons}
    >
      {QUICK.map((quick, index) => (
        <Button
          key={quick.title}
          off={away}
          pending={isPending}
          once
          keys={[String(index + 1)]}
          onClick={() => answer(quick.answer)}
        >
          {quick.title}
        </Button>
      ))}
      <Button off={away} pending={isPending} keys={['6']} onClick={askOther}>
        {WAITING.other}
      </Button>
    </div>
  );
}

/** A word for an entry; "": the answer leaves the entry out. */
type EntryWord = StatusWord | '';
const WORDS: readonly EntryWord[] = [...STATUS_WORDS, ''];

function isWord(word: string): word is EntryWord {
  return WORDS.some((each) => each === word);
}

interface BatchAnswerProps {
  readonly item: WaitingAnswer;
  readonly entries: NonNullable<WaitingAnswer['entries']>;
  readonly pending: boolean;
  readonly onAnswer: (answer: Answer) => void;
}

function BatchAnswer({ item, entries, pending, onAnswer }: BatchAnswerProps): ReactElement {
  const away = useAway(ACT_WHY.away);
  const [words, setWords] = useState<Readonly<Record<string, EntryWord>>>({});
  const send = (chosen: Readonly<Record<string, EntryWord>>): void => {
    const statuses = Object.fromEntries(
      entries.map(({ entryId }) => {
        const word = chosen[entryId] ?? 'SUCCESS';
        return [entryId, word === '' ? null : word] as const;
      }),
    );
    onAnswer({ kind: 'respond-bulk', status: 200, statuses });
  };
  return (
    <fieldset className={css.entries} aria-label={WAITING.entries}>
      {entries.map(({ entryId, number }, index) => (
        <span key={entryId} className={css.entry}>
          <span>{index + 1}</span>
          <span className={css.preview}>
            <PreviewLine number={number} version={undefined} />
          </span>
          <Choice
            label={fill(WAITING.entry, { n: index + 1 })}
            value={words[entryId] ?? 'SUCCESS'}
            options={WORDS.map((word) => ({ value: word, title: word === '' ? WAITING.leftOut : word }))}
            onChange={(word) => isWord(word) && setWords({ ...words, [entryId]: word })}
          />
        </span>
      ))}
      <Button kind="primary" off={away} pending={pending} once onClick={() => send(words)}>
        {WAITING.send}
      </Button>
      <Button off={away} pending={pending} once onClick={() => onAnswer(ALL_SUCCESS)}>
        {WAITING.allSuccess}
      </Button>
      <span className="visually-hidden">{fill(WAITING.item, { topic: item.topic, path: item.path })}</span>
    </fieldset>
  );
}
