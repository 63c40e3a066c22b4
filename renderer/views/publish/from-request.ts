/** Fills the form from a publish. */
import { isObject } from '../../../core/contract/is-object.ts';
import type { PublishParams } from '../../../core/contract/publish.ts';
import { asText } from '../../format/curl.ts';
import { PUBLISH } from '../../copy/publish.ts';
import type { FileData } from '../../state/draft-shapes.ts';
import { EMPTY_SINGLE, type Pair, type SingleDraft } from '../../state/publish-drafts.ts';
import { OWN_TYPE } from './single-request.ts';

const NAMED = new Set([
  'specversion',
  'id',
  'source',
  'type',
  'subject',
  'time',
  'dataschema',
  'datacontenttype',
  'data',
  'data_base64',
]);

function tryObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    // A text with variables may be no JSON; then it stays text.
    return undefined;
  }
}

function fileOf(base64: string | undefined): FileData | undefined {
  if (base64 === undefined) return undefined;
  const padding = /=*$/.exec(base64)?.[0].length ?? 0;
  return { name: PUBLISH.bytes, base64, bytes: Math.floor((base64.length * 3) / 4) - padding };
}

/**
 * The fields that repeat this publish.
 * @param nextId numbers for rows
 */
export function draftOfRequest(request: PublishParams, nextId: () => number): SingleDraft {
  const { pubsubname, topic, appId = '', contentType = '', metadata = {}, data, dataBase64 } = request;
  const { ttlInSeconds = '', rawPayload, ...rest } = metadata;
  const pairs = (of: Readonly<Record<string, string>>): readonly Pair[] =>
    Object.entries(of).map(([key, value]) => ({ id: nextId(), key, value }));
  const isRaw = rawPayload === 'true';
  const draft: SingleDraft = {
    ...EMPTY_SINGLE,
    pubsubname,
    topic,
    appId,
    contentType,
    envelope: isRaw ? 'raw' : 'wrap',
    data: asText(data),
    file: fileOf(dataBase64),
    ttl: ttlInSeconds,
    metadata: pairs(isRaw || rawPayload === undefined ? rest : { ...rest, rawPayload }),
  };
  const event = contentType.startsWith(OWN_TYPE) && !isRaw ? tryObject(asText(data)) : undefined;
  if (event === undefined) return draft;
  const word = (name: string): string => {
    const value = event[name];
    return value === undefined ? '' : asText(value);
  };
  const { data_base64: bytes } = event;
  const id = word('id') === '{{uuid}}' ? '' : word('id');
  const time = word('time') === '{{now}}' ? '' : word('time');
  const extensions = Object.entries(event).filter(([name]) => !NAMED.has(name));
  return {
    ...draft,
    envelope: 'own',
    contentType: word('datacontenttype') || 'application/json',
    data: asText(event['data']),
    file: fileOf(typeof bytes === 'string' ? bytes : undefined),
    isNewId: id === '',
    isNow: word('time') === '{{now}}',
    attributes: {
      // A value that the form fills in itself is left open again.
      id,
      time,
      source: word('source'),
      type: word('type'),
      subject: word('subject'),
      dataschema: word('dataschema'),
    },
    extensions: pairs(Object.fromEntries(extensions.map(([name, value]) => [name, asText(value)]))),
  };
}
