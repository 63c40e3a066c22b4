/** The payload of the open message. */
import { useMemo, type ReactElement } from 'react';
import type { MessageDetail } from '../../../core/contract/message.ts';
import { DATA_TAB } from '../../copy/detail.ts';
import { bodyOf, bodyOfBase64, bodyOfText, type Body } from '../../format/body.ts';
import { bodyOfPayload } from '../../format/long-payload.ts';
import { memberText } from '../../format/json-text.ts';
import { DataViewer } from '../DataViewer.tsx';
import { PayloadComing } from '../PayloadComing.tsx';
import { useLongPayload } from '../use-long-payload.ts';

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

/** The payload as JSON, XML, text or hex. */
export function DataTab({ message }: { readonly message: MessageDetail }): ReactElement {
  return message.payloadApart === true ? <LongData message={message} /> : <ShortData message={message} />;
}

function ShortData({ message }: { readonly message: MessageDetail }): ReactElement {
  const { data, dataBase64, raw, wire } = message;
  // oxlint-disable-next-line react/exhaustive-deps -- the payload of a message never changes; its deliveries do
  const body = useMemo(() => payloadOf(message), [data, dataBase64, raw, wire]);
  return <Viewer message={message} body={body} truncated={raw ? wire.bodyTruncated : undefined} />;
}

/** A payload that is read apart from its message. */
function LongData({ message }: { readonly message: MessageDetail }): ReactElement {
  const reading = useLongPayload(message);
  const payload = reading.state === 'known' ? reading.payload : undefined;
  const body = useMemo(() => payload && bodyOfPayload(payload), [payload]);
  if (body !== undefined) return <Viewer message={message} body={body} truncated={undefined} />;
  return <PayloadComing reading={reading} bytes={message.sizeBytes} />;
}

interface ViewerProps {
  readonly message: MessageDetail;
  readonly body: Body;
  readonly truncated: boolean | undefined;
}

function Viewer({ message, body, truncated }: ViewerProps): ReactElement {
  return (
    <DataViewer
      key={message.messageId}
      body={body}
      contentType={message.contentType}
      label={DATA_TAB.label}
      truncated={truncated}
      of={message}
      keys
    />
  );
}
