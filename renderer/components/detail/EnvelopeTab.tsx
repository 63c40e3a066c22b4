/** The CloudEvent's attributes, the publish metadata and the origin of the message. */
import type { ReactElement } from 'react';
import { Facts } from '../Facts.tsx';
import { Link } from 'wouter';
import { isUnfinishedState } from '../../../core/contract/delivery.ts';
import type { Delivery, MessageDetail } from '../../../core/contract/message.ts';
import { useNow } from '../clock.ts';
import { DataTable } from '../DataTable.tsx';
import { ENVELOPE } from '../../copy/detail.ts';
import { fill } from '../../copy/fill.ts';
import { addressPart } from '../../../core/contract/address-part.ts';
import { asText } from '../../format/curl.ts';
import { clockTime } from '../../format/clock-time.ts';
import { count, duration, size } from '../../format/quantity.ts';
import { visible } from '../../format/visible-text.ts';
import { useConsole } from '../../state/context.ts';
import css from './EnvelopeTab.module.css';

const REQUIRED = ['specversion', 'id', 'source', 'type'];
const KNOWN = [
  ...REQUIRED,
  'datacontenttype',
  'time',
  'subject',
  'dataschema',
  'topic',
  'pubsubname',
  'traceid',
  'traceparent',
  'tracestate',
  'expiration',
];
const PAYLOAD = new Set(['data', 'data_base64']);

interface AttributeRow {
  readonly name: string;
  readonly value: string;
  readonly note: string;
}

function noteOf(name: string, isThere: boolean): string {
  if (!isThere) return REQUIRED.includes(name) ? ENVELOPE.missing : '';
  return KNOWN.includes(name) ? '' : ENVELOPE.extension;
}

function attributeRows(envelope: Readonly<Record<string, unknown>>): readonly AttributeRow[] {
  const names = [
    ...new Set([...REQUIRED, ...KNOWN.filter((name) => name in envelope), ...Object.keys(envelope)]),
  ];
  return names
    .filter((name) => !PAYLOAD.has(name))
    .map((name) => {
      const isThere = envelope[name] !== undefined && envelope[name] !== '';
      return {
        name,
        value: asText(envelope[name]),
        note: noteOf(name, isThere),
      };
    });
}

/** Shows three short tables. */
export function EnvelopeTab({ message }: { readonly message: MessageDetail }): ReactElement {
  const { envelope, raw, metadata } = message;
  const entries = Object.entries(metadata);
  return (
    <div className={css.tab}>
      {raw && <p>{ENVELOPE.raw}</p>}
      {!raw && envelope === undefined && <p>{ENVELOPE.none}</p>}
      {envelope !== undefined && <Attributes rows={attributeRows(envelope)} />}
      <section className={css.part}>
        <h3>{ENVELOPE.metadata}</h3>
        {entries.length === 0 ? (
          <p className={css.muted}>{ENVELOPE.noMetadata}</p>
        ) : (
          <Facts
            facts={entries.map(([key, value]) => [
              key,
              <>
                <bdi>{visible(value)}</bdi>
                {key === 'ttlInSeconds' && message.expiresAt !== undefined && (
                  <Expiry at={message.expiresAt} of={message} />
                )}
              </>,
            ])}
          />
        )}
      </section>
      <Origin message={message} />
    </div>
  );
}

/** Table of attributes; the third column is left out if it is empty. */
function Attributes({ rows }: { readonly rows: readonly AttributeRow[] }): ReactElement {
  const hasNotes = rows.some(({ note }) => note !== '');
  return (
    <div className={css.attributes}>
      <DataTable
        label={ENVELOPE.table}
        columns={[ENVELOPE.attribute, ENVELOPE.value, ...(hasNotes ? [ENVELOPE.note] : [])]}
        rows={rows.map(({ name, value, note }) => ({
          id: name,
          cells: [
            <code key="name">{name}</code>,
            <bdi key="value">{visible(value)}</bdi>,
            ...(hasNotes ? [note] : []),
          ],
          isBad: note === ENVELOPE.missing,
        }))}
      />
    </div>
  );
}

interface ExpiryProps {
  readonly at: string;
  readonly of: Expires;
}

function Expiry({ at, of }: ExpiryProps): ReactElement {
  const { readOnly } = useConsole();
  // What was open in a recording does not expire now.
  const isOpen = readOnly === undefined && canExpire(of);
  const now = useNow(isOpen);
  return <span className={css.muted}> {expiryText(at, of, isOpen ? now : undefined)}</span>;
}

type Expires = Pick<MessageDetail, 'stage'> & { readonly deliveries: readonly Pick<Delivery, 'state'>[] };

/** Whether something of the message is still open, so that its time to live may end it. */
export function canExpire({ stage, deliveries }: Expires): boolean {
  return stage === 'held' || stage === 'waiting' || deliveries.some(({ state }) => isUnfinishedState(state));
}

/**
 * When the message expires or expired. Of one that ended otherwise only the time is said that was set.
 * @param nowMs undefined: nothing of it is open now
 */
export function expiryText(at: string, of: Expires, nowMs: number | undefined): string {
  const time = clockTime(at);
  const isExpired = of.stage === 'expired' || of.deliveries.some(({ state }) => state === 'expired');
  if (isExpired) return fill(ENVELOPE.expired, { time });
  if (nowMs === undefined) return fill(ENVELOPE.validUntil, { time });
  const left = Date.parse(at) - nowMs;
  return left > 0
    ? fill(ENVELOPE.expires, { time, t: duration(Math.ceil(left / 1000) * 1000) })
    : fill(ENVELOPE.expiryDue, { time });
}

function Origin({ message }: { readonly message: MessageDetail }): ReactElement {
  const facts: readonly (readonly [string, ReactElement | string])[] = [
    [ENVELOPE.origin, ENVELOPE.originWords[message.source]],
    [ENVELOPE.appId, message.appId],
    [ENVELOPE.messageId, <code key="id">{message.messageId}</code>],
    [ENVELOPE.number, count(message.number)],
    [ENVELOPE.size, size(message.sizeBytes)],
    ...(message.caller === undefined
      ? callerGone(message)
      : [[ENVELOPE.caller, <code key="caller">{message.caller.address}</code>] as const]),
    ...(message.caller?.entryId === undefined
      ? []
      : [[ENVELOPE.entryId, <code key="entry">{visible(message.caller.entryId)}</code>] as const]),
    ...(message.batchId === undefined
      ? []
      : [
          [
            ENVELOPE.batch,
            <Link key="batch" href={`/messages?f=${addressPart(`batch:${message.batchId}`)}`}>
              {message.batchId}
            </Link>,
          ] as const,
        ]),
    ...(message.replayOf === undefined
      ? []
      : [
          [
            ENVELOPE.replayOf,
            <Link key="replay" href={`/messages?m=${addressPart(message.replayOf)}`}>
              {message.replayOf}
            </Link>,
          ] as const,
        ]),
    ...Object.entries(message.broker ?? {}).map(
      ([name, value]) => [ENVELOPE.broker[name] ?? name, <code key={name}>{value}</code>] as const,
    ),
    ...(message.waitingFor === undefined
      ? []
      : [[ENVELOPE.waitingFor, message.waitingFor.join(', ')] as const]),
    ...(message.flags === undefined || message.flags.length === 0
      ? []
      : [[ENVELOPE.flags, message.flags.join(' ')] as const]),
  ];
  return (
    <section className={css.part}>
      <h3>{ENVELOPE.origin}</h3>
      <Facts facts={facts} />
      {message.caller !== undefined && <CallerHeaders headers={message.caller.headers} />}
    </section>
  );
}

const CALLED: ReadonlySet<MessageDetail['source']> = new Set(['http', 'bulk', 'grpc', 'grpc-bulk']);

/** Text for an unknown caller. A call over HTTP or gRPC had one, which the journal does not store. */
function callerGone({ source }: MessageDetail): readonly (readonly [string, ReactElement])[] {
  return CALLED.has(source) ? [[ENVELOPE.caller, <CallerGone key="caller" />]] : [];
}

function CallerGone(): ReactElement {
  const { readOnly } = useConsole();
  return (
    <span className={css.muted}>
      {readOnly === undefined ? ENVELOPE.callerGone : ENVELOPE.callerNotRecorded}
    </span>
  );
}

function CallerHeaders({ headers }: { readonly headers: Readonly<Record<string, string>> }): ReactElement {
  const entries = Object.entries(headers);
  return (
    <details>
      <summary className={css.muted}>{fill(ENVELOPE.callerHeaders, { n: entries.length })}</summary>
      <Facts
        facts={entries.map(([name, value]) => [name, <bdi key={name}>{visible(value)}</bdi>] as const)}
      />
    </details>
  );
}
