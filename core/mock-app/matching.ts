/** Matches requests against response rules. */
import type { MessageRow } from '../contract/message.ts';
import type { ResponseRule } from '../contract/mock-app.ts';
import type { Codec, Wire } from '../domain/codec.ts';
import { compileFilter } from '../domain/filter/evaluate.ts';
import type { CompiledFilter } from '../domain/filter/evaluate.ts';
import { wholeMatch } from '../domain/filter/glob.ts';
import { parseFilter } from '../domain/filter/parse.ts';
import { buildSubject } from '../domain/filter/subject.ts';
import type { FilterSubject } from '../domain/filter/subject.ts';
import type { Steps } from '../domain/steps.ts';
import { routeOf } from './incoming.ts';
import type { Incoming, IncomingEvent } from './incoming.ts';

export interface MatchFacts {
  readonly appId: string;
  readonly codec: Codec;
  readonly nowMs: number;
  /** Returns how often this event was received, this time included. */
  readonly timesSeen: (event: IncomingEvent) => number;
  /** Steps that the filters of all rules may spend on this request. */
  readonly steps: Steps;
  /** Subjects of the events that were read already, for later rules. */
  readonly subjects: Map<IncomingEvent, FilterSubject>;
}

/** Longest id of an event that is part of a key; thousands of keys are kept. */
const MAX_ID_LENGTH = 100;

export type Matcher = (incoming: Incoming, facts: MatchFacts) => boolean;

/**
 * Compiles the conditions of a rule, all of which must hold. Throws OutOfSteps if the filters of the rules
 * need more than `steps`. Topic, route and event type are exact, `*` stands for any run of characters; a
 * route also matches without the query. A batch matches if one of its entries meets event type and filter.
 * check-rules.ts refuses a filter that cannot be parsed; here it throws.
 */
export function compileMatch(match: ResponseRule['match']): Matcher {
  const topic = match.topic === undefined ? undefined : wholeMatch(match.topic);
  const route = match.route === undefined ? undefined : wholeMatch(withSlash(match.route));
  const type = match.eventType === undefined ? undefined : wholeMatch(match.eventType);
  const filter = match.filter === undefined ? undefined : compiled(match.filter);
  return (incoming, facts) => {
    if (topic !== undefined && !(incoming.topic !== undefined && topic(incoming.topic))) return false;
    if (route !== undefined && !route(incoming.path) && !route(routeOf(incoming.path))) return false;
    if (type === undefined && filter === undefined) return true;
    return incoming.events.some((event) => {
      if (type !== undefined && !(event.type !== undefined && type(event.type))) return false;
      return filter === undefined || filter(subjectOf(incoming, event, facts), facts.nowMs);
    });
  };
}

/**
 * Identifies a message over its attempts: by the event's id, or its bytes if it has none. A raw message comes
 * in a wrapper with a new id each time (it has base64 data and no time), so its data is used.
 */
export function messageKey(incoming: Incoming, event: IncomingEvent): string {
  const data = event.event?.['data_base64'];
  if (typeof data === 'string' && event.event?.['time'] === undefined) return `raw ${digest(data)}`;
  if (event.id !== undefined)
    return event.id.length <= MAX_ID_LENGTH ? `id ${event.id}` : `long id ${digest(event.id)}`;
  const wire = wireOf(incoming, event);
  if (wire === undefined) return `entry ${digest(event.entryId ?? '')}`;
  return `bytes ${digest(typeof wire === 'string' ? wire : latin1Of(wire))}`;
}

/**
 * Content of one event; undefined: it is an entry that has none. An event that is all of the body need not be written again, which deep
 * JSON cannot be.
 */
function wireOf(incoming: Incoming, { event, wire }: IncomingEvent): Wire | undefined {
  if (incoming.isWhole === true) return incoming.body;
  if (event !== undefined) return JSON.stringify(event);
  return wire ?? (incoming.kind === 'bulk' ? undefined : incoming.body);
}

function latin1Of({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('latin1');
}

/** The subject of an event for filters, made once for all rules of a request. */
function subjectOf(incoming: Incoming, event: IncomingEvent, facts: MatchFacts): FilterSubject {
  const known = facts.subjects.get(event);
  if (known !== undefined) return known;
  const made = newSubject(incoming, event, facts);
  facts.subjects.set(event, made);
  return made;
}

function newSubject(incoming: Incoming, event: IncomingEvent, facts: MatchFacts): FilterSubject {
  const wire = wireOf(incoming, event) ?? '';
  const contentType = event.event?.['datacontenttype'];
  const subject = event.event?.['subject'];
  const traceId = event.event?.['traceid'];
  const row: MessageRow = {
    messageId: event.id ?? '',
    number: 0,
    at: new Date(facts.nowMs).toISOString(),
    pubsubname: incoming.pubsubname ?? '',
    topic: incoming.topic ?? '',
    appId: facts.appId,
    source: incoming.kind === 'binding' ? 'binding' : 'http',
    ...(event.id === undefined ? {} : { eventId: event.id }),
    ...(event.type === undefined ? {} : { eventType: event.type }),
    contentType: typeof contentType === 'string' ? contentType : (incoming.headers['content-type'] ?? ''),
    sizeBytes: incoming.body.byteLength,
    raw: event.wire !== undefined,
    ...(typeof subject === 'string' ? { subject } : {}),
    ...(typeof traceId === 'string' ? { traceId } : {}),
    deliveries: [
      {
        deliveryId: '',
        appId: facts.appId,
        state: 'attempting',
        attempts: facts.timesSeen(event),
        route: routeOf(incoming.path),
      },
    ],
  };
  return buildSubject({ row, metadata: incoming.headers, wire }, [], facts.codec, facts.steps);
}

function compiled(text: string): CompiledFilter {
  const parsed = parseFilter(text);
  if (!parsed.ok) throw new Error(`a filter was not checked before use: ${parsed.error.message}`);
  return compileFilter(parsed.filter);
}

function withSlash(route: string): string {
  return route.startsWith('/') || route.startsWith('*') ? route : `/${route}`;
}

/**
 * Two rounds of FNV-1a with the length: enough to distinguish a tester's messages, and no key is as large as
 * a body.
 */
function digest(text: string): string {
  let one = 0x811c9dc5;
  let two = 0x01000193;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    two = Math.imul(two ^ (code + at), 0x85ebca6b);
  }
  return `${text.length}.${(one >>> 0).toString(36)}.${(two >>> 0).toString(36)}`;
}
