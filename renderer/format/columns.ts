/** The columns of the message list: ids, widths, and texts for a row. */
import { foremost } from '../../core/contract/attention.ts';
import type { MessageRow } from '../../core/contract/message.ts';
import { CAUSE_SHORT } from '../copy/causes.ts';
import { COLUMNS } from '../copy/messages.ts';
import { answerWords } from './answer-tone.ts';
import { answerText, attemptsOf, chipText, shortAnswerOf, typeText } from './row.ts';
import { clockSeconds, clockTime } from './clock-time.ts';
import { count, duration, size } from './quantity.ts';
import { visibleShort } from './visible-text.ts';

export type ColumnId = Exclude<keyof typeof COLUMNS, 'unread' | 'select' | 'attemptsShort' | 'answerShort'>;

export interface Column {
  /** One of `ColumnId`, or the path of a column that the user added. */
  readonly id: string;
  readonly title: string;
  /** Default width in px; `fill`: the remaining width. */
  readonly width: number | 'fill';
  /** Least width of a column that is as wide as its longest text, up to `width`. */
  readonly leastPx?: number;
  /** Px that the column needs beside the text. */
  readonly besidesPx?: number;
  readonly align?: 'end';
  /** Width of the list in px from which the column is shown; absent: 720. */
  readonly fromPx?: number;
  /** True for a fixed-width font. */
  readonly isMono?: true;
  /** True if a long text keeps its last letters and is cut before them. */
  readonly keepsEnd?: true;
  readonly text: (row: MessageRow) => string;
  /** True if the host cannot sort by the column. */
  readonly isUnsorted?: true;
  /** Index among the user's own columns that are shown. */
  readonly own?: number;
}

type BuiltIn = Omit<Column, 'title' | 'own' | 'id'> & { readonly id: ColumnId };

const OWN_PATH = /^data(?:\.[^\s"().[\]:=<>!]+|\[\d{1,9}\])+$/;

/** Whether an id names a value of the payload. */
export function isOwnColumn(id: string): boolean {
  return OWN_PATH.test(id);
}

/** Title of an own column: "order.id" for `data.order.id`. */
function ownTitle(path: string): string {
  return path.replace(/^data\.?/, '');
}

/**
 * Width of the list in px from which the type and the whole text of an answer fit beside a readable payload.
 */
const ROOM_FOR_TYPE_PX = 1064;

/** Maximum px that the column App takes, with its gap: the other columns are chosen for the room beside it. */
const APP_PX = 104;
/** Width of the list in px from which the column App does not leave all payloads looking alike. */
const ROOM_FOR_APP_PX = 600;

/** Px of the answer in a list that has no room for each reason phrase. */
const ANSWER_PX = 160;

/** The answer in words, or its code alone where they would be cut. */
function answerThatFits(row: MessageRow): string {
  const answer = foremost(row.deliveries)?.lastAnswer;
  const words = answerWords(answer);
  return words.length * LETTER_PX > ANSWER_PX ? answerText(answer) : words;
}

/** All built-in columns, in the order of the menu. */
const BUILT_IN: readonly BuiltIn[] = [
  { id: 'number', width: 64, align: 'end', text: (row) => count(row.number) },
  { id: 'time', width: 104, fromPx: 0, isMono: true, text: (row) => clockTime(row.at) },
  { id: 'app', width: 96, leastPx: 32, fromPx: ROOM_FOR_APP_PX, isMono: true, text: (row) => row.appId },
  { id: 'pubsub', width: 96, text: (row) => row.pubsubname },
  { id: 'topic', width: 140, leastPx: 56, fromPx: 0, isMono: true, text: (row) => visibleShort(row.topic) },
  { id: 'type', width: 220, leastPx: 56, fromPx: ROOM_FOR_TYPE_PX, isMono: true, text: typeText },
  { id: 'preview', width: 'fill', fromPx: 0, isUnsorted: true, text: () => '' },
  { id: 'eventId', width: 160, isMono: true, text: (row) => visibleShort(row.eventId ?? '') },
  { id: 'subject', width: 140, isMono: true, text: (row) => visibleShort(row.subject ?? '') },
  { id: 'state', width: 184, leastPx: 132, besidesPx: 16, fromPx: 0, text: chipText },
  { id: 'attempts', width: 40, align: 'end', text: (row) => String(attemptsOf(row)) },
  {
    id: 'answer',
    // "500 Internal Server Error" fits.
    width: 208,
    leastPx: 76,
    fromPx: 0,
    isMono: true,
    text: (row) => answerWords(foremost(row.deliveries)?.lastAnswer),
  },
  { id: 'duration', width: 80, align: 'end', text: durationText },
  { id: 'cause', width: 200, text: causeText },
  { id: 'next', width: 104, isMono: true, text: nextText },
  { id: 'expires', width: 104, isMono: true, text: (row) => (row.expiresAt ? clockTime(row.expiresAt) : '') },
  { id: 'size', width: 64, align: 'end', text: (row) => size(row.sizeBytes) },
  { id: 'contentType', width: 150, isMono: true, text: (row) => row.contentType },
  { id: 'route', width: 140, isMono: true, text: (row) => foremost(row.deliveries)?.route ?? '' },
  { id: 'origin', width: 88, text: (row) => row.source },
  { id: 'batch', width: 96, isMono: true, text: (row) => row.batchId ?? '' },
  { id: 'trace', width: 120, isMono: true, text: (row) => row.traceId ?? '' },
  { id: 'streamId', width: 140, isMono: true, text: (row) => row.broker?.['id'] ?? '' },
  { id: 'consumer', width: 140, isMono: true, text: (row) => row.broker?.['consumer'] ?? '' },
];

export const ALL_COLUMNS: readonly Column[] = BUILT_IN.map((column) => ({
  ...column,
  title: COLUMNS[column.id],
}));

function durationText(row: MessageRow): string {
  const ms = foremost(row.deliveries)?.lastDurationMs;
  return ms === undefined ? '' : duration(ms);
}

function causeText(row: MessageRow): string {
  const rule = foremost(row.deliveries)?.rule;
  return rule === undefined ? '' : (CAUSE_SHORT[rule] ?? rule);
}

function nextText(row: MessageRow): string {
  const at = foremost(row.deliveries)?.nextAttemptAt;
  return at === undefined ? '' : clockTime(at);
}

export const DEFAULT_COLUMNS: readonly ColumnId[] = [
  'time',
  'app',
  'topic',
  'type',
  'preview',
  'state',
  'answer',
  'duration',
];

/**
 * Default columns of builds without previews. A user with exactly these has changed nothing, and gets the
 * defaults of this build.
 */
export const DEFAULT_BEFORE = ['time', 'app', 'topic', 'type', 'state', 'attempts', 'answer', 'size'];

/** Least and largest width that a user can set, in px. */
export const COLUMN_PX = { least: 40, most: 800 } as const;

/**
 * Changes of columns in a narrow list, so that the payload gets the room: milliseconds, reasons and the middle
 * of topics move into the tooltip. Topics of one app often begin alike, so their ends stay.
 */
const SHORT: Readonly<Record<string, Partial<Column>>> = {
  time: { width: 64, text: (row) => clockSeconds(row.at) },
  topic: { width: 72, leastPx: 48, keepsEnd: true },
  state: { width: 156 },
  answer: { title: COLUMNS.answerShort, width: 54, leastPx: 44, text: shortAnswerOf },
  duration: { width: 76 },
  app: { width: 80, keepsEnd: true },
};

/** Whether the list is too narrow for check boxes; 0 = not measured yet. */
export function isNarrowestList(listPx: number): boolean {
  return listPx > 0 && listPx < 520;
}

/** Width of the list in px from which whole texts leave enough room for the payload. */
const ROOM_FOR_TEXTS_PX = 960;

/** Whether a list of this width shows short texts; 0 = not measured yet. */
export function isShortList(listPx: number): boolean {
  return listPx > 0 && listPx < ROOM_FOR_TEXTS_PX;
}

const BY_ID: ReadonlyMap<string, Column> = new Map(ALL_COLUMNS.map((column) => [column.id, column]));

export interface ShownColumns {
  /** Saved ids of columns; unknown ones of another build are left out. */
  readonly chosen: readonly string[];
  /** Width of the list in px; 0 = not measured yet. */
  readonly listPx: number;
  /** True if several apps are shown; otherwise the column App is left out. */
  readonly severalApps: boolean;
}

/** The columns to draw, in order; in a narrow list only the most important ones. */
export function shownColumns({ chosen, listPx, severalApps }: ShownColumns): readonly Column[] {
  let own = 0;
  const hasApp = severalApps && chosen.includes('app') && listPx >= ROOM_FOR_APP_PX;
  const roomPx = hasApp ? listPx - APP_PX : listPx;
  return chosen.flatMap((id) => {
    const column = BY_ID.get(id) ?? ownColumn(id);
    if (column === undefined || (id === 'app' && !severalApps)) return [];
    if (listPx > 0 && (id === 'app' ? listPx : roomPx) < (column.fromPx ?? 720)) return [];
    const short = isShortList(roomPx) ? SHORT[id] : undefined;
    if (short !== undefined) return [{ ...column, ...short }];
    if (id === 'answer' && listPx > 0 && roomPx < ROOM_FOR_TYPE_PX)
      return [{ ...column, width: ANSWER_PX, text: answerThatFits }];
    return [isOwnColumn(id) ? { ...column, own: own++ } : column];
  });
}

/** A column with a value of the payload, which the row itself does not have; undefined: the id is no path. */
export function ownColumn(id: string): Column | undefined {
  if (!isOwnColumn(id)) return undefined;
  return { id, title: ownTitle(id), width: 140, fromPx: 520, isMono: true, text: () => '' };
}

/** Largest width of one fixed-width letter in px: letters on whole pixels are wider than the font says. */
const LETTER_PX = 8;

/** Number of characters of the longest text of each column that adapts its width. */
export function longestTexts(
  columns: readonly Column[],
  rows: readonly MessageRow[],
): Readonly<Record<string, number>> {
  const measured = columns.filter(({ leastPx }) => leastPx !== undefined);
  return Object.fromEntries(
    measured.map(({ id, text }) => [id, Math.max(0, ...rows.map((row) => text(row).length))]),
  );
}

export interface GridWidths {
  /** Widths in px that a user set. */
  readonly set: Readonly<Record<string, number>>;
  /** Result of `longestTexts`. */
  readonly longest: Readonly<Record<string, number>>;
}

/** Letters that stay at the end of a text that is cut inside. */
const KEPT_LETTERS = 4;

/** A text as a part that may be cut and a part that stays; the second is '' if the whole text has so few letters. */
export function withKeptEnd(text: string, kept = KEPT_LETTERS): readonly [string, string] {
  const letters = Array.from(text);
  if (letters.length <= 2 * kept) return [text, ''];
  return [letters.slice(0, -kept).join(''), letters.slice(-kept).join('')];
}

/** Px between columns, and before the first and after the last one together. */
const GAP_PX = 8;
const SHORT_GAP_PX = 6;
const EDGES_PX = 20;

/** Px between the columns of a list. */
export function gapPx(listPx: number): number {
  return isShortList(listPx) ? SHORT_GAP_PX : GAP_PX;
}

/**
 * Width in px below which a list with these columns scrolls sideways. It is computed, because the browser
 * would measure each row for it.
 */
export function leastWidthPx(template: string, listPx: number): number {
  const tracks = [...template.matchAll(/(\d+)(?:px)?(?:, [^)]+\))?(?= |$)/g)];
  const widths = tracks.reduce((sum, [, px]) => sum + Number(px), 0);
  return widths + (tracks.length - 1) * gapPx(listPx) + EDGES_PX;
}

/**
 * `grid-template-columns` of the list, with the mark and the check box.
 * @param listPx 0 = not measured yet
 */
export function gridTemplate(
  columns: readonly Column[],
  { set, longest }: GridWidths,
  listPx: number,
): string {
  const isNarrowest = isNarrowestList(listPx);
  const isWide = columns.some(({ id }) => id === 'type');
  const previewPx = isNarrowest ? 40 : isWide ? 200 : 72;
  const marks = isNarrowest ? '12px' : isShortList(listPx) ? '8px 24px' : '16px 24px';
  const tracks = columns.map(({ id, width, leastPx, besidesPx = 0 }) => {
    const px = set[id];
    if (px !== undefined) return `${Math.min(COLUMN_PX.most, Math.max(COLUMN_PX.least, px))}px`;
    if (width === 'fill') return `minmax(${previewPx}px, 1fr)`;
    if (leastPx === undefined) return `${width}px`;
    const naturalPx = Math.min(
      width,
      Math.max(leastPx, Math.ceil((longest[id] ?? 0) * LETTER_PX) + 4 + besidesPx),
    );
    // Types of one app begin alike, and a state is followed by a number: both shrink before the payload does.
    const givesWay = naturalPx > leastPx && (id === 'type' || id === 'state');
    return givesWay ? `minmax(${leastPx}px, ${naturalPx}px)` : `${naturalPx}px`;
  });
  // The rest of the width stays empty if there is no `fill` column.
  const hasFill = tracks.some((track) => track.includes('1fr'));
  return [marks, ...tracks, ...(hasFill ? [] : ['minmax(0, 1fr)'])].join(' ');
}
