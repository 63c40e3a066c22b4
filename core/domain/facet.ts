/** What messages are grouped by, and what own columns show: one text per message, the same wherever it is kept. */
import { rankOf } from '../contract/attention.ts';
import type { DeliveryState } from '../contract/delivery.ts';
import type { DeliveryRow, MessageRow, RowState } from '../contract/message.ts';
import { GROUPINGS } from '../contract/words.ts';
import { answerText } from './answer-text.ts';
import { valueAt } from './filter/evaluate.ts';
import { stepsOf } from './filter/tokens.ts';
import type { Description } from './inbound.ts';

export type Facet =
  | { readonly kind: (typeof GROUPINGS)[number] }
  /** A value in the payload: member names and indices from its top. */
  | { readonly kind: 'data'; readonly path: readonly (string | number)[] }
  /** The payload in one line; nothing is grouped by it. */
  | { readonly kind: 'preview' };

/** Replays of replays are followed so far. */
export const LONGEST_CHAIN = 1000;
/** Values that are alike in this many characters count as one. */
const LONGEST_VALUE = 500;
/** Extension of an event that names what it belongs to. */
const CORRELATION = 'correlationid';

/** Reads "topic", "type", "state" and the others of `GROUPINGS`, or a path as the filter language writes it; undefined: it is not one of them. */
export function readFacet(text: string): Facet | undefined {
  const kind = GROUPINGS.find((each) => each === text);
  if (kind !== undefined) return { kind };
  if (!text.startsWith('data')) return undefined;
  const path = stepsOf(text.slice('data'.length));
  return path.length > 0 && written(path) === text ? { kind: 'data', path } : undefined;
}

function written(path: readonly (string | number)[]): string {
  return `data${path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')}`;
}

/** What the values of facets are read from. */
export interface FacetSource {
  readonly row: Pick<MessageRow, 'topic' | 'eventType' | 'traceId' | 'batchId'>;
  /** When it was accepted, in milliseconds since 1970. */
  readonly atMs: number;
  /** Read at most once, and only when a facet needs it. */
  readonly payload: () => Description;
  /** The payload in one line. */
  readonly preview: () => string;
  /** State that needs attention most. */
  readonly state: RowState;
  /** The delivery that needs attention most; read only where a facet is about deliveries. */
  readonly delivery: () => Pick<DeliveryRow, 'route' | 'lastAnswer'> | undefined;
  /** Id of the message at the head of the chain of replays; undefined: it is no replay. */
  readonly chain: string | undefined;
}

/** One value for each facet; undefined where the message has none. */
export function factsFor(facets: readonly Facet[], source: FacetSource): readonly (string | undefined)[] {
  let payload: Description | undefined;
  const read = (): Description => (payload ??= source.payload());
  return facets.map((facet) => factFor(facet, source, read));
}

function factFor(
  facet: Facet,
  { row, atMs, chain, preview, state, delivery }: FacetSource,
  read: () => Description,
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
    case 'data':
      return shown(valueAt(read().data, facet.path));
  }
}

/** "1772375528 orders · order.created · 200 SUCCESS": equal for what a person takes for one burst. */
function repeatOf(
  { topic, eventType }: Pick<MessageRow, 'topic' | 'eventType'>,
  atMs: number,
  answer: string | undefined,
): string {
  const kind = [topic, eventType, answer].filter((each) => each !== undefined);
  return `${Math.floor(atMs / 1000)} ${kind.join(' · ')}`;
}

/** Text as it is, anything else as JSON; NUL as its sign, which is how every store can hold it. */
function shown(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  const cut = text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
  return cut.includes('\0') ? cut.replaceAll('\0', '\u2400') : cut;
}

/** The one word that says most about a message: of its deliveries and its own stage the one that needs attention most. */
export function worstState({
  deliveries,
  stage,
}: {
  readonly deliveries: readonly { readonly state: DeliveryState }[];
  readonly stage?: MessageRow['stage'];
}): RowState {
  let worst: RowState | undefined = stage;
  for (const { state } of deliveries) {
    if (worst === undefined || rankOf(state) < rankOf(worst)) worst = state;
  }
  return worst ?? 'none';
}
