/** Texts of a message row in the list. */
import { theApp } from '../../core/contract/app-text.ts';
import { TAPS } from '../copy/taps.ts';
import { ATTENTION_ORDER, foremost, withoutDelivery } from '../../core/contract/attention.ts';
import { isUnfinishedState } from '../../core/contract/delivery.ts';
import type { DeliveryRow, LastAnswer, MessageRow } from '../../core/contract/message.ts';
import { LIST } from '../copy/messages.ts';
import { CHIP_WORDS, WAITS_FOR, WAITS_FOR_COMPONENT, type ChipKind } from '../copy/states.ts';
import { fill } from '../copy/fill.ts';
import { clockSeconds } from './clock-time.ts';
import { counted } from './quantity.ts';
import { visibleShort } from './visible-text.ts';

export interface RowChip {
  readonly kind: ChipKind;
  /** Number of deliveries beside the one that the chip shows. */
  readonly more: number;
  /** Accessible name: "Parked, 1 of 3 deliveries; 2 processed" */
  readonly name: string;
  /** Tooltip that replaces the meaning of its kind. */
  readonly meaning?: string;
}

/**
 * Text about a delivery whose app no longer subscribes to its topic; undefined: it does not wait for that.
 */
export function waitText({ appId, waitsFor }: Pick<DeliveryRow, 'appId' | 'waitsFor'>): string | undefined {
  if (waitsFor === undefined) return undefined;
  return fill(WAITS_FOR, {
    app: theApp(appId),
    pubsub: waitsFor.pubsubname,
    topic: visibleShort(waitsFor.topic),
  });
}

type ChipRow = Pick<MessageRow, 'deliveries' | 'stage' | 'tap' | 'expectedBy'> &
  Partial<Pick<MessageRow, 'waitingFor' | 'pubsubname'>>;

/** Whether a message waits for its component, not for an app: a restart has to publish it again. */
export function waitsForComponent({ stage, waitingFor }: Pick<ChipRow, 'stage' | 'waitingFor'>): boolean {
  return stage === 'waiting' && waitingFor === undefined;
}

/** The chip of a row, and its accessible name. */
export function chipOf(row: ChipRow): RowChip {
  const first = foremost(row.deliveries);
  if (first === undefined) {
    if (row.pubsubname !== undefined && waitsForComponent(row)) {
      const text = fill(WAITS_FOR_COMPONENT, { pubsub: row.pubsubname });
      return { kind: 'queued', more: 0, name: text, meaning: text };
    }
    const kind: ChipKind = row.stage ?? withoutDelivery(row);
    return { kind, more: 0, name: CHIP_WORDS[kind] };
  }
  const meaning = waitText(first);
  const kind = meaning === undefined ? first.state : 'waiting';
  const shown = meaning === undefined ? {} : { meaning };
  const word = CHIP_WORDS[kind];
  const total = row.deliveries.length;
  if (total === 1) return { kind, more: 0, name: meaning ?? word, ...shown };
  const parts = ATTENTION_ORDER.flatMap((state) => {
    const n = row.deliveries.filter((delivery) => delivery.state === state).length;
    return n === 0 ? [] : [{ state, n }];
  });
  const [lead, ...rest] = parts;
  const others = rest.map(({ state, n }) => `; ${n} ${CHIP_WORDS[state].toLowerCase()}`).join('');
  const name = fill(LIST.chipOfMany, { word, n: lead?.n ?? 1, total }) + others;
  return { kind, more: total - 1, name, ...shown };
}

/** The word of the filter language for the state that the chip shows. */
export function stateWord(row: ChipRow): string {
  // The chip of a message that waits for its component says that it is queued.
  return foremost(row.deliveries) === undefined && waitsForComponent(row) ? 'waiting' : chipOf(row).kind;
}

/** Time of the next attempt of the chip's delivery; undefined: none is planned. */
export function nextAttemptOf(row: Pick<MessageRow, 'deliveries'>): string | undefined {
  return foremost(row.deliveries)?.nextAttemptAt;
}

/**
 * Time of expiry of a message that can still expire; undefined: none of its deliveries is open, or it has no
 * time to live.
 */
export function liveExpiry(row: Pick<MessageRow, 'deliveries' | 'stage' | 'expiresAt'>): string | undefined {
  const isOpen =
    row.stage === 'held' ||
    row.stage === 'waiting' ||
    row.deliveries.some(({ state }) => isUnfinishedState(state));
  return isOpen ? row.expiresAt : undefined;
}

/** Number of attempts of the chip's delivery. */
export function triesOf(row: Pick<MessageRow, 'deliveries'>): number {
  return foremost(row.deliveries)?.attempts ?? 0;
}

/** Text of the chip, by which its column's width is computed. */
export function chipText(row: ChipRow): string {
  const { kind, more } = chipOf(row);
  const tries = triesOf(row);
  const numbers = [
    ...(tries > 1 ? [fill(LIST.tries, { n: tries })] : []),
    ...(more > 0 ? [fill(LIST.more, { n: more })] : []),
  ];
  return [CHIP_WORDS[kind], ...numbers].join(' ');
}

/** Number of attempts of all deliveries. */
export function attemptsOf(row: Pick<MessageRow, 'deliveries'>): number {
  return row.deliveries.reduce((sum, delivery) => sum + delivery.attempts, 0);
}

/** Last answer as text: "200 RETRY", "404", "UNAVAILABLE", "no answer"; empty if there is none yet. */
export function answerText(answer: LastAnswer | undefined): string {
  if (answer === undefined) return '';
  if (answer.status === undefined) return answer.error === undefined ? '' : LIST.noAnswer;
  const code = answer.statusText ?? String(answer.status);
  return answer.word === undefined ? code : `${code} ${visibleShort(answer.word)}`;
}

/** Last answer of the chip's delivery. */
function lastAnswerOf(row: Pick<MessageRow, 'deliveries'>): string {
  return answerText(foremost(row.deliveries)?.lastAnswer);
}

/** The part of an answer that decides: "RETRY" of "200 RETRY", "200" of "200 SUCCESS". */
export function shortAnswerOf(row: Pick<MessageRow, 'deliveries'>): string {
  const answer = foremost(row.deliveries)?.lastAnswer;
  if (answer?.status === undefined) return answer?.error === undefined ? '' : LIST.noAnswerShort;
  const { word, ...code } = answer;
  return word === undefined || word === 'SUCCESS' ? answerText(code) : visibleShort(word);
}

type Typed = Pick<MessageRow, 'eventType' | 'raw'> & Partial<Pick<MessageRow, 'source'>>;

/** Whether a message has no type. An event of a binding is passed to the app raw, but it has a type. */
export function isUntyped({ raw, source, eventType }: Typed): boolean {
  return raw && (source !== 'binding' || eventType === undefined);
}

/** Text of the Type column. */
export function typeText(row: Typed): string {
  if (isUntyped(row)) return LIST.rawType;
  return row.eventType === undefined ? LIST.noType : visibleShort(row.eventType);
}

/** Accessible name of a row: "14:32:08, orders, com.acme.order, Retrying, 2 attempts, last answer 503" */
export function rowName(
  row: MessageRow,
  marks: { readonly unread: boolean; readonly asked?: boolean },
): string {
  const parts = [clockSeconds(row.at), visibleShort(row.topic)];
  if (isUntyped(row)) parts.push(LIST.rawWord);
  else if (row.eventType !== undefined) parts.push(visibleShort(row.eventType));
  parts.push(
    marks.asked === true ? CHIP_WORDS.asked : chipOf(row).name,
    counted(attemptsOf(row), LIST.attempt, LIST.attempts),
  );
  const answer = lastAnswerOf(row);
  if (answer !== '') parts.push(fill(LIST.lastAnswerName, { answer }));
  if (marks.unread) parts.push(LIST.unread);
  if (row.tap !== undefined) parts.push(TAPS.mark);
  if (row.pinned === true) parts.push(LIST.pinned);
  return parts.join(', ');
}
