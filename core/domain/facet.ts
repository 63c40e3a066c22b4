/**
 * Values by which messages are grouped, and that own columns show: one text per message, equal in every
 * store.
 */
import { shortened } from '../contract/cut-place.ts';
import { rankOf, withoutDelivery } from '../contract/attention.ts';
import type { MaybeElsewhere } from '../contract/attention.ts';
import type { DeliveryState } from '../contract/delivery.ts';
import type { DeliveryRow, MessageRow, RowState } from '../contract/message.ts';
import { GROUPINGS, GROUP_ORDERS } from '../contract/words.ts';
import type { GroupOrder } from '../contract/words.ts';
import { answerText } from './answer-text.ts';
import { valueAt } from './filter/evaluate.ts';
import { stepsOf } from './filter/tokens.ts';
import type { Description } from './inbound.ts';

export type Facet =
  | { readonly kind: (typeof GROUPINGS)[number] }
  /** A value in the payload: member names and indices from its root. */
  | { readonly kind: 'data'; readonly path: readonly (string | number)[] }
  /** The payload in one line, which is not used for groups. */
  | { readonly kind: 'preview' }
  /** `EDITED` if the line shows what a person made of the payload for the delivery. */
  | { readonly kind: 'edited' };

/** The value of the facet `edited`. */
const EDITED = 'edited';

/** Longest chain of replays that is followed. */
export const MAX_CHAIN = 1000;
/** Values that agree in this many characters count as equal. */
const MAX_VALUE_LENGTH = 500;
/** Extension of an event that names the correlation id. */
const CORRELATION = 'correlationid';

/**
 * Reads "topic", "type", "state" and the others of `GROUPINGS`, or a path as the filter language writes it;
 * undefined: the text is none of them.
 */
export function readFacet(text: string): Facet | undefined {
  const kind = GROUPINGS.find((each) => each === text);
  if (kind !== undefined) return { kind };
  if (!text.startsWith('data')) return undefined;
  const path = stepsOf(text.slice('data'.length));
  return path.length > 0 && written(path) === text ? { kind: 'data', path } : undefined;
}

/** The order of the groups of a facet. */
export function groupOrderOf({ kind }: Facet): GroupOrder {
  return kind === 'data' || kind === 'preview' || kind === 'edited' ? 'time' : GROUP_ORDERS[kind];
}

function written(path: readonly (string | number)[]): string {
  return `data${path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')}`;
}

/** Data from which the values of facets are read. */
export interface FacetSource {
  readonly row: Pick<MessageRow, 'topic' | 'eventType' | 'traceId' | 'batchId'>;
  /** Time of acceptance, in milliseconds since 1970. */
  readonly atMs: number;
  /** Reads the message as it was published; called at most once, and only if a facet needs it. */
  readonly payload: () => Description;
  /** Reads what a person made of it for the delivery that needs attention most; undefined: lists show what was published. */
  readonly edited: () => Description | undefined;
  /** The payload in one line. */
  readonly preview: () => string;
  /** Whether a person edited the payload for the delivery that needs attention most. */
  readonly isEdited: () => boolean;
  /** State that needs attention most. */
  readonly state: RowState;
  /** The delivery that needs attention most; read only if a facet is about deliveries. */
  readonly delivery: () => Pick<DeliveryRow, 'route' | 'lastAnswer'> | undefined;
  /** Id of the message at the head of the chain of replays; undefined: the message is no replay. */
  readonly chain: string | undefined;
}

/** One value for each facet; undefined: the message has none. */
export function factsFor(facets: readonly Facet[], source: FacetSource): readonly (string | undefined)[] {
  let published: Description | undefined;
  let shownNow: Description | undefined;
  const read = (): Description => (published ??= source.payload());
  const readShown = (): Description => (shownNow ??= source.edited() ?? read());
  return facets.map((facet) => factFor(facet, source, { read, readShown }));
}

interface Readers {
  /** The message as it was published. */
  readonly read: () => Description;
  /** The message as lists show it. */
  readonly readShown: () => Description;
}

function factFor(
  facet: Facet,
  { row, atMs, chain, preview, isEdited, state, delivery }: FacetSource,
  { read, readShown }: Readers,
): string | undefined {
  switch (facet.kind) {
    case 'topic':
      return shown(row.topic);
    case 'type':
      return shown(row.eventType);
    case 'state':
      return state;
    case 'route':
      return shown(delivery()?.route);
    case 'answer':
      return shown(answerText(delivery()?.lastAnswer));
    case 'trace':
      return shown(row.traceId);
    case 'batch':
      return shown(row.batchId);
    case 'replay':
      return chain;
    case 'repeats':
      return shown(repeatOf(row, atMs, answerText(delivery()?.lastAnswer)));
    case 'correlation':
      return shown(valueAt(read().envelope, [CORRELATION]));
    case 'preview':
      return preview();
    case 'edited':
      return isEdited() ? EDITED : undefined;
    case 'data':
      return shown(valueAt(readShown().data, facet.path));
  }
}

/**
 * Value of `repeats`: "1772375528 orders · order.created · 200 SUCCESS". Messages that a person sees as one
 * burst have equal values.
 */
function repeatOf(
  { topic, eventType }: Pick<MessageRow, 'topic' | 'eventType'>,
  atMs: number,
  answer: string | undefined,
): string {
  const kind = [topic, eventType, answer].filter((each) => each !== undefined);
  return `${Math.floor(atMs / 1000)} ${kind.join(' · ')}`;
}

/**
 * A value as text: a string as it is, anything else as JSON. NUL becomes its symbol, because not every store
 * can hold it.
 */
function shown(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  const cut = shortened(text, MAX_VALUE_LENGTH);
  return cut.includes('\0') ? cut.replaceAll('\0', '\u2400') : cut;
}

/** The state that needs attention most, of a message's deliveries and its own stage. */
export function worstState({
  deliveries,
  stage,
  ...where
}: MaybeElsewhere & {
  readonly deliveries: readonly { readonly state: DeliveryState }[];
  readonly stage?: MessageRow['stage'];
}): RowState {
  let worst: RowState | undefined = stage;
  for (const { state } of deliveries) {
    if (worst === undefined || rankOf(state) < rankOf(worst)) worst = state;
  }
  return worst ?? withoutDelivery(where);
}
