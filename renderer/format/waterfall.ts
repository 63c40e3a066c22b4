/** The history of a message as bars on lanes over one time scale; long idle gaps are folded. */
import { keptAnswer } from '../../core/contract/cause.ts';
import { isEndedState, type DeliveryState } from '../../core/contract/delivery.ts';
import type { Attempt, Delivery, MessageDetail } from '../../core/contract/message.ts';
import { DETAIL, TIMELINE } from '../copy/detail.ts';
import { fill } from '../copy/fill.ts';
import { CHIP_WORDS } from '../copy/states.ts';
import { duration } from './quantity.ts';

/** Kinds of bars; `call` is an attempt whose parts are unknown. */
export type SpanKind = 'published' | 'call' | 'connect' | 'send' | 'wait' | 'read' | DeliveryState;

/** Start and end in ms since 1970. */
export interface Span {
  readonly kind: SpanKind;
  readonly from: number;
  readonly to: number;
  readonly title: string;
}

export interface Lane {
  readonly id: string;
  readonly title: string;
  /** Text after the title: the duration, or the state. */
  readonly note?: string;
  readonly spans: readonly Span[];
}

/** A gap that is drawn narrow; its ends are shares of the whole width. */
export interface Fold {
  readonly from: number;
  readonly to: number;
  readonly ms: number;
}

export interface Scale {
  readonly folds: readonly Fold[];
  readonly totalMs: number;
  /** Position of a moment as a share of the whole width, from 0 to 1. */
  shareAt(at: number): number;
}

/** Number of attempts beyond which they share one lane. */
const OWN_LANES = 12;
/** Maximum number of attempts or states that are drawn: the newest ones. */
const DRAWN = 200;
/** A gap longer than this multiple of the longest activity is folded. */
const IDLE_FACTOR = 5;
const FOLD_SHARE = 0.14;
const FOLDS_SHARE = 0.5;

interface Stretch {
  readonly state: DeliveryState;
  readonly from: number;
  readonly to: number;
}

/** Time that the delivery spent in each state, in order; a final state has no stretch. */
function stretchesOf(delivery: Pick<Delivery, 'transitions'>, now: number): readonly Stretch[] {
  const { transitions } = delivery;
  return transitions.flatMap(({ to, at }, index) => {
    const next = transitions[index + 1];
    if (next === undefined && isEndedState(to)) return [];
    const from = Date.parse(at);
    return [{ state: to, from, to: Math.max(from, next === undefined ? now : Date.parse(next.at)) }];
  });
}

const PARTS = [
  ['connect', 'connectMs'],
  ['send', 'sendMs'],
  ['wait', 'waitMs'],
  ['read', 'readMs'],
] as const;

function callSpans(attempt: Attempt, now: number): readonly Span[] {
  const from = Date.parse(attempt.startedAt);
  const to = attempt.endedAt === undefined ? Math.max(now, from) : Date.parse(attempt.endedAt);
  const { timing } = attempt;
  if (timing === undefined) {
    return [{ kind: 'call', from, to, title: `${TIMELINE.parts.call} ${duration(to - from)}` }];
  }
  let at = from;
  return PARTS.map(([kind, member]) => {
    const span = {
      kind,
      from: at,
      to: at + timing[member],
      title: `${TIMELINE.parts[kind]} ${duration(timing[member])}`,
    };
    at = span.to;
    return span;
  });
}

function attemptLanes({ attempts }: Delivery, now: number): readonly Lane[] {
  if (attempts.length > OWN_LANES) {
    return [
      {
        id: 'attempts',
        title: fill(TIMELINE.attempts, { n: attempts.length }),
        spans: attempts.slice(-DRAWN).flatMap((attempt) => callSpans(attempt, now)),
      },
    ];
  }
  return attempts.map((attempt) => ({
    id: attempt.attemptId,
    title: fill(TIMELINE.attempt, { n: attempt.number }),
    note: attempt.durationMs === undefined ? TIMELINE.running : duration(attempt.durationMs),
    spans: callSpans(attempt, now),
  }));
}

/** The lane of answers that a hold keeps or kept back: the call is over, and the delivery goes on when the answer is released. */
function answerHeldLanes(delivery: Delivery, now: number): readonly Lane[] {
  const { attempts, transitions, heldAt } = delivery;
  const endedAt = heldAt === 'response' ? attempts.at(-1)?.endedAt : undefined;
  const from = endedAt === undefined ? undefined : Date.parse(endedAt);
  const times = [
    ...transitions.flatMap((each) => keptAnswer(delivery, each) ?? []),
    ...(from === undefined ? [] : [{ from, to: Math.max(from, now) }]),
  ];
  if (times.length === 0) return [];
  const title = DETAIL.answerHeld;
  return [
    {
      id: 'answer-held',
      title,
      note: duration(times.reduce((sum, { from: began, to }) => sum + to - began, 0)),
      spans: times.slice(-DRAWN).map(({ from: began, to }) => ({
        kind: 'held',
        from: began,
        to,
        title: `${title} ${duration(to - began)}`,
      })),
    },
  ];
}

/** Lanes of one delivery: published, queued, held, each attempt, waits, end. */
export function lanesOf(
  message: Pick<MessageDetail, 'at'>,
  delivery: Delivery,
  now: number,
): readonly Lane[] {
  const stretches = stretchesOf(delivery, now);
  const [first] = delivery.transitions;
  const published = Date.parse(message.at);
  const accepted = first === undefined ? published : Math.max(published, Date.parse(first.at));
  const took = duration(accepted - published);
  const lane = (state: DeliveryState, title: string): readonly Lane[] => {
    const own = stretches.filter((stretch) => stretch.state === state);
    if (own.length === 0) return [];
    const spans = own.slice(-DRAWN).map(({ from, to }) => ({
      kind: state,
      from,
      to,
      title: `${CHIP_WORDS[state]} ${duration(to - from)}`,
    }));
    return [
      { id: state, title, note: duration(own.reduce((sum, { from, to }) => sum + to - from, 0)), spans },
    ];
  };
  const last = delivery.transitions.at(-1);
  const end: readonly Lane[] =
    last === undefined || !isEndedState(last.to)
      ? []
      : [
          {
            id: 'end',
            title: TIMELINE.end,
            note: CHIP_WORDS[last.to],
            spans: [
              {
                kind: last.to,
                from: Date.parse(last.at),
                to: Date.parse(last.at),
                title: CHIP_WORDS[last.to],
              },
            ],
          },
        ];
  return [
    {
      id: 'published',
      title: TIMELINE.published,
      note: took,
      spans: [{ kind: 'published', from: published, to: accepted, title: `${TIMELINE.published} ${took}` }],
    },
    ...lane('queued', CHIP_WORDS.queued),
    ...lane('held', CHIP_WORDS.held),
    ...attemptLanes(delivery, now),
    ...answerHeldLanes(delivery, now),
    ...lane('retrying', TIMELINE.waits),
    ...lane('parked', CHIP_WORDS.parked),
    ...end,
  ];
}

/** All events of a message on one lane, to overlay it on another message. */
export function overlaidLane(message: MessageDetail, title: string, now: number): Lane {
  const spans = message.deliveries.flatMap((delivery) =>
    lanesOf(message, delivery, now).flatMap(({ spans: own }) => own),
  );
  const at = Date.parse(message.at);
  return {
    id: message.messageId,
    title,
    spans: spans.length > 0 ? spans : [{ kind: 'published', from: at, to: at, title: TIMELINE.published }],
  };
}

const ACTIVE: ReadonlySet<SpanKind> = new Set(['published', 'call', 'connect', 'send', 'wait', 'read']);

/** One scale for all lanes; gaps over five times the longest activity are folded, as long as there is a call to look at. */
export function scaleOf(lanes: readonly Lane[]): Scale {
  const spans = lanes.flatMap((lane) => lane.spans);
  const active = spans.filter(({ kind }) => ACTIVE.has(kind));
  const hasCalls = active.some(({ kind }) => kind !== 'published');
  const longest = Math.max(1, ...lanes.map((lane) => activityOf(lane)));
  // The time is cut at every start and end; only a piece between activities can be idle.
  const cuts = [...new Set(spans.flatMap(({ from, to }) => [from, to]))].toSorted((a, b) => a - b);
  const first = cuts[0] ?? 0;
  const pieces = cuts.slice(1).map((to, index) => {
    const from = cuts[index] ?? first;
    const isBusy = active.some((span) => span.from < to && span.to > from);
    return { from, to, ms: to - from, isFolded: hasCalls && !isBusy && to - from > IDLE_FACTOR * longest };
  });
  const folded = pieces.filter(({ isFolded }) => isFolded).length;
  const foldShare = folded === 0 ? 0 : Math.min(FOLD_SHARE, FOLDS_SHARE / folded);
  const real = pieces.reduce((sum, { ms, isFolded }) => (isFolded ? sum : sum + ms), 0);
  const perMs = real === 0 ? 0 : (1 - foldShare * folded) / real;
  let share = 0;
  const drawn = pieces.map((piece) => {
    const start = share;
    share += piece.isFolded ? foldShare : piece.ms * perMs;
    return { ...piece, start, end: share };
  });
  return {
    folds: drawn
      .filter(({ isFolded }) => isFolded)
      .map(({ start, end, ms }) => ({ from: start, to: end, ms })),
    totalMs: (cuts.at(-1) ?? first) - first,
    shareAt(at) {
      const piece = drawn.find(({ to }) => at <= to) ?? drawn.at(-1);
      if (piece === undefined || at <= first) return 0;
      const within = piece.ms === 0 ? 0 : Math.min(1, (at - piece.from) / piece.ms);
      return Math.min(1, piece.start + within * (piece.end - piece.start));
    },
  };
}

/** Longest activity on a lane: a whole call, not each of its parts. */
function activityOf({ spans }: Lane): number {
  let longest = 0;
  let from: number | undefined;
  let until = -Infinity;
  for (const span of spans) {
    if (!ACTIVE.has(span.kind)) continue;
    if (from === undefined || span.from > until) from = span.from;
    until = Math.max(until, span.to);
    longest = Math.max(longest, until - from);
  }
  return longest;
}
