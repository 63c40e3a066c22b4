/** The payload of the open message. */
import { theApp, theAppFirst } from '../../../core/contract/app-text.ts';
import { useMemo, useState, type ReactElement } from 'react';
import { isEndedState } from '../../../core/contract/delivery.ts';
import type { Delivery, MessageDetail, RecordedBody } from '../../../core/contract/message.ts';
import { withoutUndefined } from '../../../core/contract/without-undefined.ts';
import { DATA_TAB } from '../../copy/detail.ts';
import { EDITED } from '../../copy/edited.ts';
import { fill } from '../../copy/fill.ts';
import { bodyOf, bodyOfBase64, bodyOfText, mayBeJson, type Body } from '../../format/body.ts';
import { bodyOfPayload } from '../../format/long-payload.ts';
import { memberText } from '../../format/json-text.ts';
import { useConsole } from '../../state/context.ts';
import { Button } from '../Button.tsx';
import { DataViewer } from '../DataViewer.tsx';
import { PayloadComing } from '../PayloadComing.tsx';
import { useLongPayload } from '../use-long-payload.ts';
import css from './DataTab.module.css';

/**
 * Bytes of the payload: for a raw message those on the wire, else the event's data as they are in the
 * envelope.
 */
export function payloadOf(message: MessageDetail): Body {
  const { data, dataBase64, raw, wire } = message;
  if (dataBase64 !== undefined) return bodyOfBase64(dataBase64);
  if (raw) return bodyOf(wire);
  if (typeof data === 'string') return bodyOfText(data);
  if (data === undefined) return bodyOfText('');
  const isWhole = wire.bodyTruncated !== true && wire.bodyBase64 !== true;
  const written = isWhole ? memberText(wire.body, 'data') : undefined;
  return bodyOfText(written ?? JSON.stringify(data));
}

/** Whether the data of a message are a JSON string, whatever its text looks like; for a payload that came apart its reader says it. */
export function isTextData({ raw, data }: Pick<MessageDetail, 'raw' | 'data'>): boolean {
  return !raw && typeof data === 'string';
}

/** Whether a message is an event without data, as where the fields of a payload were sent as those of an event. */
export function hasNoData({
  data,
  dataBase64,
  raw,
  payloadApart,
}: Pick<MessageDetail, 'data' | 'dataBase64' | 'raw' | 'payloadApart'>): boolean {
  return !raw && payloadApart !== true && data === undefined && dataBase64 === undefined;
}

/** The payload in the bytes that a person edited for a delivery. */
export function editedPayload(raw: boolean, edited: RecordedBody): Body {
  if (raw || edited.bodyBase64 === true || edited.bodyTruncated === true) return bodyOf(edited);
  // Anything without the mark of an event is a payload without an envelope, whatever members it has.
  if (memberText(edited.body, 'specversion') === undefined) return bodyOf(edited);
  const written = memberText(edited.body, 'data');
  if (written !== undefined) return bodyOfText(textIn(written) ?? written);
  const base64 = memberText(edited.body, 'data_base64');
  return base64 === undefined ? bodyOfText('') : bodyOfBase64(textIn(base64) ?? '');
}

/** The content type of what `editedPayload` gives: that of the edited event, which may be another one than that of the message. */
export function editedType(
  { raw, contentType }: Pick<MessageDetail, 'raw' | 'contentType'>,
  { body, bodyBase64, bodyTruncated }: RecordedBody,
): string {
  if (raw || bodyBase64 === true) return contentType;
  if (bodyTruncated === true) return 'application/cloudevents+json';
  const isEvent = memberText(body, 'specversion') !== undefined;
  const written = isEvent ? memberText(body, 'datacontenttype') : undefined;
  return (written === undefined ? undefined : textIn(written)) ?? contentType;
}

/** The value of a JSON string; undefined: the JSON is something else. */
function textIn(json: string): string | undefined {
  if (!json.startsWith('"')) return undefined;
  const value: unknown = JSON.parse(json);
  return typeof value === 'string' ? value : undefined;
}

export interface DataTabProps {
  readonly message: MessageDetail;
  readonly delivery?: Delivery | undefined;
}

/** The payload as JSON, XML, text or hex: as the app of the chosen delivery gets it, with the original a click away. */
export function DataTab({ message, delivery }: DataTabProps): ReactElement {
  if (delivery?.changed === undefined) return <OriginalData message={message} />;
  const { changed, deliveryId } = delivery;
  return <EitherData key={deliveryId} message={message} delivery={delivery} edited={changed} />;
}

function OriginalData({ message }: Pick<DataTabProps, 'message'>): ReactElement {
  return message.payloadApart === true ? <LongData message={message} /> : <ShortData message={message} />;
}

interface EditedProps extends Pick<DataTabProps, 'message'> {
  readonly edited: RecordedBody;
}

/** Whether the app gets what was edited, got it, or may never have got it. */
function receiptOf({ state }: Pick<Delivery, 'state'>): 'coming' | 'received' | 'ended' {
  if (state === 'processed') return 'received';
  return isEndedState(state) ? 'ended' : 'coming';
}

/** A delivery whose payload a person edited. */
export type EditedDelivery = Delivery & Required<Pick<Delivery, 'changed'>>;

export const isEdited = (delivery: Delivery): delivery is EditedDelivery => delivery.changed !== undefined;

/** The edited deliveries of a message of which everything is kept: only those can be compared. */
export function comparableOf({ deliveries }: Pick<MessageDetail, 'deliveries'>): readonly EditedDelivery[] {
  return deliveries.filter(isEdited).filter(({ changed }) => changed.bodyTruncated !== true);
}

/** The payload as it was edited, and a button that exchanges it for the original. */
function EitherData({
  message,
  delivery,
  edited,
}: EditedProps & { readonly delivery: Delivery }): ReactElement {
  const { commands } = useConsole();
  const [wantsOriginal, setWantsOriginal] = useState(false);
  const words = EDITED[receiptOf(delivery)];
  return (
    <div className={css.edited}>
      <p className={css.note}>
        {fill(wantsOriginal ? words.original : words.shown, {
          app: theApp(delivery.appId),
          App: theAppFirst(delivery.appId),
        })}{' '}
        <Button onClick={() => setWantsOriginal(!wantsOriginal)}>
          {wantsOriginal ? EDITED.showEdited : EDITED.showOriginal}
        </Button>{' '}
        {comparableOf(message).length > 0 && (
          <Button
            hint={EDITED.compareHint}
            onClick={() =>
              commands.open({ kind: 'compare', left: message.messageId, right: message.messageId })
            }
          >
            {EDITED.compare}
          </Button>
        )}
      </p>
      {wantsOriginal ? (
        <OriginalData message={message} />
      ) : edited.bodyTruncated === true ? (
        <LongEditedData message={message} delivery={delivery} />
      ) : (
        <EditedData message={message} edited={edited} />
      )}
    </div>
  );
}

/** An edited payload of which the delivery has only the start: the rest is read like that of a long message. */
function LongEditedData({
  message,
  delivery,
}: Required<DataTabProps> & { readonly delivery: Delivery }): ReactElement {
  const reading = useLongPayload(message, delivery);
  const payload = reading.state === 'known' ? reading.payload : undefined;
  const body = useMemo(() => payload && bodyOfPayload(payload), [payload]);
  if (body === undefined) return <PayloadComing reading={reading} />;
  return (
    <Viewer
      message={message}
      body={body}
      contentType={payload?.contentType ?? message.contentType}
      truncated={undefined}
      label={DATA_TAB.labelEdited}
    />
  );
}

function EditedData({ message, edited }: EditedProps): ReactElement {
  const { raw, contentType } = message;
  const { body, bodyBase64 } = edited;
  const [payload, type] = useMemo(() => {
    const recorded = { body, ...withoutUndefined({ bodyBase64 }) };
    return [editedPayload(raw, recorded), editedType({ raw, contentType }, recorded)] as const;
  }, [raw, contentType, body, bodyBase64]);
  return (
    <Viewer
      message={message}
      body={payload}
      contentType={type}
      truncated={undefined}
      label={DATA_TAB.labelEdited}
    />
  );
}

function ShortData({ message }: { readonly message: MessageDetail }): ReactElement {
  const { data, dataBase64, raw, wire } = message;
  // oxlint-disable-next-line react/exhaustive-deps -- the payload of a message never changes; its deliveries do
  const body = useMemo(() => payloadOf(message), [data, dataBase64, raw, wire]);
  return (
    <Viewer
      message={message}
      body={body}
      truncated={raw ? wire.bodyTruncated : undefined}
      isText={isTextData(message)}
    />
  );
}

/** A payload that is read apart from its message. */
function LongData({ message }: { readonly message: MessageDetail }): ReactElement {
  const reading = useLongPayload(message);
  const payload = reading.state === 'known' ? reading.payload : undefined;
  const body = useMemo(() => payload && bodyOfPayload(payload), [payload]);
  const isText = !message.raw && payload?.kind === 'text';
  if (body !== undefined)
    return <Viewer message={message} body={body} truncated={undefined} isText={isText} />;
  return <PayloadComing reading={reading} bytes={message.sizeBytes} />;
}

interface ViewerProps {
  readonly message: MessageDetail;
  readonly body: Body;
  /** Absent: that of the message. */
  readonly contentType?: string;
  readonly truncated: boolean | undefined;
  readonly label?: string;
  /** True: the data of the event is a JSON string. */
  readonly isText?: boolean;
}

function Viewer({
  message,
  body,
  contentType = message.contentType,
  truncated,
  label = DATA_TAB.label,
  isText = false,
}: ViewerProps): ReactElement {
  const viewer = (
    <DataViewer
      key={message.messageId}
      body={body}
      contentType={contentType}
      label={label}
      truncated={truncated}
      isText={isText}
      of={message}
      empty={hasNoData(message) ? DATA_TAB.noData : undefined}
      keys
    />
  );
  if (!isText || !mayBeJson(body, '')) return viewer;
  return (
    <div className={css.edited}>
      <p className={css.note}>{DATA_TAB.isText}</p>
      {viewer}
    </div>
  );
}
