/** Deliveries that wait for a person's answer, oldest first. */
import { useEffect, useRef, useState, type KeyboardEvent, type ReactElement } from 'react';
import type { Answer, WaitingAnswer } from '../../../core/contract/mock-app.ts';
import { Button } from '../../components/Button.tsx';
import { Choice } from '../../components/Choice.tsx';
import { useNow } from '../../components/clock.ts';
import { PreviewLine } from '../../components/PreviewLine.tsx';
import { fill } from '../../copy/fill.ts';
import { ACTS, ACT_WHY } from '../../copy/acts.ts';
import { ANSWER_WORDS, WAITING } from '../../copy/mock-app.ts';
import { clockSpan, duration } from '../../format/quantity.ts';
import { useAway, useConsole, useResource } from '../../state/context.ts';
import css from './MockApp.module.css';
import { OtherAnswer } from './OtherAnswer.tsx';

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

/** The queue; nothing is drawn while nobody waits. */
export function WaitingList(): ReactElement | null {
  const { mockApps } = useConsole();
  const { value } = useResource(mockApps.waiting);
  const items = value?.items ?? [];
  const list = useRef<HTMLUListElement>(null);
  const place = useRef<number>(undefined);
  // The keyboard goes on with the next one when the one it stood on was answered.
  useEffect(() => {
    if (place.current === undefined || document.activeElement !== document.body) return;
    const rest = list.current?.children;
    const next = rest?.item(Math.min(place.current, rest.length - 1));
    next?.querySelector<HTMLElement>('[data-answers] button, button')?.focus();
  }, [items.length]);
  if (items.length === 0) return null;
  return (
    <section className={css.waiting} aria-label={WAITING.list}>
      <h2>{WAITING.list}</h2>
      <ul
        ref={list}
        className={css.items}
        aria-label={WAITING.list}
        onFocus={({ target }) => {
          const item = target.closest('li');
          place.current =
            item === null ? undefined : items.findIndex((_, at) => list.current?.children[at] === item);
        }}
      >
        {items.map((item) => (
          <Item key={item.deliveryId} item={item} />
        ))}
      </ul>
    </section>
  );
}

function useAnswer(item: WaitingAnswer): (answer: Answer) => void {
  const { acting, call, mockApps } = useConsole();
  return (answer) => {
    void acting.say('answer', async () => {
      await call('deliveries.answer', { deliveryId: item.deliveryId, answer });
      await mockApps.waiting.refresh();
      return WAITING.answered;
    });
  };
}

function Item({ item }: { readonly item: WaitingAnswer }): ReactElement {
  const { acting } = useConsole();
  const away = useAway(ACT_WHY.away);
  const now = useNow();
  const answer = useAnswer(item);
  const [other, setOther] = useState(false);
  const left = item.givesUpAt === undefined ? undefined : Date.parse(item.givesUpAt) - now;

  function onKey(event: KeyboardEvent): void {
    if (event.target instanceof HTMLInputElement || away !== undefined) return;
    const quick = QUICK[Number(event.key) - 1];
    if (quick !== undefined && item.entries === undefined) answer(quick.answer);
    else if (event.key === '6') setOther(true);
    else return;
    event.preventDefault();
  }

  return (
    <li className={css.item} onKeyDown={onKey}>
      <span className={css.preview}>
        <PreviewLine number={item.number} />
      </span>
      <span>{fill(WAITING.attempt, { n: item.attempt })}</span>
      <strong>{fill(WAITING.item, { topic: item.topic, path: item.path })}</strong>
      <span className={css.muted} aria-hidden>
        {fill(WAITING.waited, { t: clockSpan(now - Date.parse(item.since)) })}
      </span>
      {left !== undefined && (
        <span className={css.muted} aria-hidden>
          {fill(WAITING.givesUp, { t: duration(Math.max(0, Math.ceil(left / 1000) * 1000)) })}
        </span>
      )}
      <Button kind="quiet" onClick={() => acting.show(item.messageId)}>
        {ACTS.open}
      </Button>
      {item.entries === undefined ? (
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
              keys={[String(index + 1)]}
              onClick={() => answer(quick.answer)}
            >
              {quick.title}
            </Button>
          ))}
          <Button off={away} keys={['6']} onClick={() => setOther(true)}>
            {WAITING.other}
          </Button>
        </div>
      ) : (
        <BatchAnswer item={item} entries={item.entries} onAnswer={answer} />
      )}
      {other && <OtherAnswer onAnswer={answer} onClose={() => setOther(false)} />}
    </li>
  );
}

type EntryWord = 'SUCCESS' | 'RETRY' | 'DROP' | '';
const WORDS: readonly EntryWord[] = ['SUCCESS', 'RETRY', 'DROP', ''];

function isWord(word: string): word is EntryWord {
  return WORDS.some((each) => each === word);
}

interface BatchAnswerProps {
  readonly item: WaitingAnswer;
  readonly entries: NonNullable<WaitingAnswer['entries']>;
  readonly onAnswer: (answer: Answer) => void;
}

function BatchAnswer({ item, entries, onAnswer }: BatchAnswerProps): ReactElement {
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
      {entries.map(({ entryId }, index) => (
        <span key={entryId} className={css.entry}>
          <span>{index + 1}</span>
          <Choice
            label={fill(WAITING.entry, { n: index + 1 })}
            value={words[entryId] ?? 'SUCCESS'}
            options={WORDS.map((word) => ({ value: word, title: word === '' ? WAITING.leftOut : word }))}
            onChange={(word) => isWord(word) && setWords({ ...words, [entryId]: word })}
          />
        </span>
      ))}
      <Button kind="primary" onClick={() => send(words)}>
        {WAITING.send}
      </Button>
      <Button onClick={() => onAnswer({ kind: 'respond-bulk', status: 200, statuses: 'all-success' })}>
        {WAITING.allSuccess}
      </Button>
      <span className="visually-hidden">{fill(WAITING.item, { topic: item.topic, path: item.path })}</span>
    </fieldset>
  );
}
