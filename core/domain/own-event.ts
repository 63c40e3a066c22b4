/**
 * Completes a CloudEvent that the caller made. Only its destination is replaced; missing attributes that are
 * needed are added.
 */
import { textOf } from './codec.ts';
import { firstValue, isObject } from './json.ts';
import { joinMembers, memberTexts } from './json-parts.ts';
import { no, ok } from './result.ts';
import type { Complaint, Result } from './result.ts';
import { parseTraceparent } from './trace.ts';
import { expirationAttribute, expirationOf, rfc3339 } from './ttl.ts';
import { FLAGS } from './publish-input.ts';
import type { PublishFacts, PublishInput, Settled, Wrapped } from './publish-input.ts';

/** Most attributes of an event: they are sorted while nothing else runs. */
const MAX_ATTRIBUTES = 100_000;

/**
 * The caller's event as the component gets it. Texts of members stay as they were written; their order
 * becomes alphabetical. Complaint: ERR_PUBSUB_CLOUD_EVENTS_SER for a body that is no JSON object, or has too
 * many members. Behaviour 1.5.
 */
export function ownEvent(input: PublishInput, facts: PublishFacts, settled: Settled): Result<Wrapped> {
  const first = firstValue(textOf(input.body, facts.codec));
  if (first === undefined || !isObject(first.value)) {
    const reason =
      first === undefined ? 'the body is not JSON' : `the body is ${nameOf(first.value)}, not a JSON object`;
    return no(refused(reason, 'a JSON object'));
  }
  if (Object.keys(first.value).length > MAX_ATTRIBUTES) {
    const most = `${MAX_ATTRIBUTES.toLocaleString('en')} attributes`;
    return no(refused(`the event has more than ${most}`, `at most ${most}`));
  }
  const event = first.value;
  const members = memberTexts(first.text);
  const missing = (name: string): boolean => event[name] === undefined || event[name] === null;
  members.set('topic', JSON.stringify(input.topic));
  members.set('pubsubname', JSON.stringify(input.pubsubname));
  if (missing('time')) members.set('time', `"${rfc3339(facts.nowMs)}"`);
  if (missing('traceid')) {
    members.set('traceid', JSON.stringify(facts.traceparent));
    members.set('traceparent', JSON.stringify(facts.traceparent));
  }
  if (missing('tracestate')) members.set('tracestate', JSON.stringify(facts.tracestate));
  if (missing('source')) members.set('source', JSON.stringify(facts.profile.ownEventSource));
  if (missing('type')) members.set('type', JSON.stringify(facts.profile.eventType));
  if (missing('specversion')) members.set('specversion', '"1.0"');
  if (settled.expiresAtMs !== undefined)
    members.set('expiration', `"${expirationAttribute(settled.expiresAtMs)}"`);

  const text = (name: string): string | undefined =>
    typeof event[name] === 'string' ? event[name] : undefined;
  const [eventId, subject] = [text('id'), text('subject')];
  const traceId = parseTraceparent(missing('traceid') ? facts.traceparent : text('traceid'))?.traceId;
  const expiresAtMs = settled.expiresAtMs ?? expirationOf(event);
  return ok({
    kind: 'own',
    wire: joinMembers(members),
    ...(eventId === undefined ? {} : { eventId }),
    eventType: text('type') ?? facts.profile.eventType,
    eventSource: text('source') ?? facts.profile.ownEventSource,
    ...(subject === undefined ? {} : { subject }),
    contentType: settled.contentType,
    ...(traceId === undefined ? {} : { traceId }),
    ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
    flags: [...settled.flags, ...flagsOf(event, first.trailing)],
  });
}

function refused(reason: string, expected: string): Complaint {
  return { code: 'ERR_PUBSUB_CLOUD_EVENTS_SER', field: 'body', expected, reason, params: { reason } };
}

/** Flags for attributes that CloudEvents 1.0 requires and the reference neither adds nor asks for. */
function flagsOf(event: Readonly<Record<string, unknown>>, trailing: boolean): string[] {
  const flags: string[] = trailing ? [FLAGS.trailing] : [];
  if (typeof event['id'] !== 'string' || event['id'] === '') flags.push(FLAGS.noId);
  const version = event['specversion'];
  if (version !== undefined && version !== null && version !== '1.0') flags.push(FLAGS.otherVersion);
  return flags;
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}
