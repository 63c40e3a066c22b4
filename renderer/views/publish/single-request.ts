/** Turns a draft into the parameters of the publish, and finds its mistakes. */
import type { PublishParams } from '../../../core/contract/publish.ts';
import { fill } from '../../copy/fill.ts';
import { PUBLISH } from '../../copy/publish.ts';
import { publishUrl } from '../../format/curl.ts';
import { jsonMistake } from '../../../core/contract/json-position.ts';
import type { TextQuestion } from '../../format/text-facts.ts';
import { withoutVariables } from '../../format/variables.ts';
import type { SingleDraft } from '../../state/publish-drafts.ts';
import { firstMistake, pairMistakes, type PairMistakes } from './pair-mistakes.ts';

export const OWN_TYPE = 'application/cloudevents+json';
const EXTENSION = /^[a-z0-9]+$/;

export const REQUIRED = ['id', 'source', 'type'] as const;
export type RequiredAttribute = (typeof REQUIRED)[number];

/** Metadata of the request: the typed ones, TTL and rawPayload. */
function metadataOf(draft: SingleDraft): Readonly<Record<string, string>> {
  const typed = draft.metadata.filter(({ key }) => key !== '').map(({ key, value }) => [key, value] as const);
  return Object.fromEntries([
    ...typed,
    ...(draft.ttl === '' ? [] : [['ttlInSeconds', draft.ttl] as const]),
    ...(draft.envelope === 'raw' ? [['rawPayload', 'true'] as const] : []),
  ]);
}

/** The custom event as text. `newId` and `now` fill fields that were left open. */
function ownEvent(draft: SingleDraft, newId: string, now: string): string {
  const { attributes, extensions, contentType, data, file } = draft;
  const optional = Object.entries({
    subject: attributes.subject,
    dataschema: attributes.dataschema,
    datacontenttype: contentType === OWN_TYPE ? '' : contentType,
  }).filter(([, value]) => value !== '');
  const isJson = /json/i.test(contentType) || contentType === '';
  // Data that is JSON, or becomes JSON with its variables, is inserted as typed: its digits and order stay.
  const asTyped =
    file === undefined && isJson && data !== '' && jsonMistake(withoutVariables(data)) === undefined;
  const time = attributes.time || (draft.isNow ? now : '');
  const event = {
    specversion: '1.0',
    id: attributes.id || (draft.isNewId ? newId : ''),
    source: attributes.source,
    type: attributes.type,
    ...(time === '' ? {} : { time }),
    ...Object.fromEntries(optional),
    ...Object.fromEntries(extensions.filter(({ key }) => key !== '').map(({ key, value }) => [key, value])),
    ...(file !== undefined ? { data_base64: file.base64 } : data === '' || asTyped ? {} : { data }),
  };
  const text = JSON.stringify(event);
  return asTyped ? `${text.slice(0, -1)},"data":${data}}` : text;
}

/** Request of the form; the host fills in what is left open. */
export function templateOf(draft: SingleDraft): PublishParams {
  return requestOf(draft, '{{uuid}}', '{{now}}');
}

/** Parameters of `messages.publish`. The data is a text, so that its bytes are the typed ones. */
export function requestOf(draft: SingleDraft, newId: string, now: string): PublishParams {
  const { pubsubname, topic, appId, envelope, contentType, data, file } = draft;
  const own = envelope === 'own';
  const type = own ? OWN_TYPE : contentType;
  return {
    pubsubname,
    topic,
    ...(own
      ? { data: ownEvent(draft, newId, now) }
      : file === undefined
        ? { data }
        : { dataBase64: file.base64 }),
    metadata: metadataOf(draft),
    ...(type === '' ? {} : { contentType: type }),
    ...(appId === '' ? {} : { appId }),
  };
}

/** Whether a text is a whole number of seconds from 1; a variable may become one. */
function isTtl(text: string): boolean {
  return /^[1-9]\d*$/.test(text) || /\{\{[^{}]+\}\}/.test(text);
}

/** Metadata that have their own fields in the form. */
function namedBy({ ttl, envelope }: SingleDraft): readonly string[] {
  return [...(ttl === '' ? [] : ['ttlInSeconds']), ...(envelope === 'raw' ? ['rawPayload'] : [])];
}

/** Mistakes in the rows of metadata. */
export function metadataMistakes(draft: SingleDraft): PairMistakes {
  return pairMistakes(draft.metadata, {
    named: namedBy(draft),
    oddValue: ({ key, value }) => (key === 'ttlInSeconds' && !isTtl(value) ? PUBLISH.ttlNumber : undefined),
  });
}

/** Mistakes in the rows of extensions. */
export function extensionMistakes({ extensions }: SingleDraft): PairMistakes {
  return pairMistakes(extensions, {
    oddKey: (key) => (EXTENSION.test(key) ? undefined : fill(PUBLISH.badExtension, { key })),
  });
}

/** Required attributes of a custom event that are missing. */
export function missingAttributes({ attributes, isNewId }: SingleDraft): readonly RequiredAttribute[] {
  return REQUIRED.filter((name) => attributes[name] === '' && !(name === 'id' && isNewId));
}

/** Fields of the form that are always visible; the others are on tabs. */
export type FormField = 'pubsub' | 'topic' | 'ttl' | 'times' | 'every';

export interface FieldMistake {
  /** Field of the mistake; undefined: it is on a tab, so the mistake is shown beside the button. */
  readonly field?: FormField;
  readonly text: string;
}

/** Mistakes in the number and pace of repeated publishes. */
export function repeatMistakes(times: string, everyMs: string): readonly FieldMistake[] {
  const isTimes = /^[1-9]\d*$/.test(times) && Number(times) <= 10_000;
  const isEvery = /^\d+$/.test(everyMs) && Number(everyMs) <= 3_600_000;
  return [
    ...(isTimes ? [] : [{ field: 'times' as const, text: PUBLISH.badTimes }]),
    ...(isEvery ? [] : [{ field: 'every' as const, text: PUBLISH.badEvery }]),
  ];
}

/** Mistakes that prevent the publish, in words. */
export function blockingMistakes(draft: SingleDraft): readonly FieldMistake[] {
  const { pubsubname, topic, ttl, envelope } = draft;
  const isOwn = envelope === 'own';
  const missing = isOwn ? missingAttributes(draft) : [];
  const onTabs = [
    firstMistake(metadataMistakes(draft)),
    missing.length > 0 ? fill(PUBLISH.missing, { names: missing.join(', ') }) : undefined,
    isOwn ? firstMistake(extensionMistakes(draft)) : undefined,
  ];
  return [
    ...(pubsubname === '' ? [{ field: 'pubsub' as const, text: PUBLISH.noPubsub }] : []),
    ...(topic === '' ? [{ field: 'topic' as const, text: PUBLISH.noTopic }] : []),
    ...(ttl !== '' && !isTtl(ttl) ? [{ field: 'ttl' as const, text: PUBLISH.ttlNumber }] : []),
    ...onTabs.flatMap((text) => (text === undefined ? [] : [{ text }])),
  ];
}

/** Question whether the data is JSON or XML, as its content type says; undefined: any data is valid. */
export function dataQuestion({
  contentType,
  data,
  envelope,
}: Pick<SingleDraft, 'contentType' | 'data' | 'envelope'>): TextQuestion | undefined {
  if (data === '' || envelope === 'raw') return undefined;
  const kind = /json/i.test(contentType) ? 'json' : /xml/i.test(contentType) ? 'xml' : undefined;
  return kind === undefined ? undefined : { text: data, kind, variables: true };
}

/**
 * Text on what the app gets for empty data: a sidecar accepts an empty body, and treats it by its content
 * type.
 */
export function nothingSent({ contentType, envelope }: SingleDraft): keyof typeof PUBLISH.nothing {
  if (envelope === 'own') return 'none';
  if (envelope === 'raw') return 'raw';
  const [media = ''] = contentType.toLowerCase().split(';');
  if (media === OWN_TYPE) return 'event';
  return media === 'application/octet-stream' ? 'bytes' : 'text';
}

/** The request line that would be sent. */
export function previewOf(draft: SingleDraft): string {
  const metadata = metadataOf(draft);
  const to = { pubsubname: draft.pubsubname || '-', topic: draft.topic };
  return `POST ${publishUrl('', to, metadata)}`;
}
