/** Turns gRPC answers that pass into the runtime's form, and an answer that a person or a rule gives into a gRPC reply. */
import { errorText } from '../../contract/error-text.ts';
import { grpcCode, grpcCodeName } from '../../contract/grpc.ts';
import { tryParse } from '../../domain/json.ts';
import type { Protocol } from '../../grpc-protocol/protocol.ts';
import { batchReply, batchReplyBytes, eventReply, eventReplyBytes } from '../../grpc-protocol/replies.ts';
import type { ReceivedAnswer } from '../../ports/app-channel.ts';
import { framed, onlyMessage, plainBytes } from './frames.ts';
import { metadataOf, STATUS, valueOf } from './headers.ts';
import type { HeaderList } from './headers.ts';
import type { OwnReply, SeenReply } from './side.ts';

const CODE = 'grpc-status';
const TEXT = 'grpc-message';

export interface GrpcStatus {
  readonly code: number;
  readonly text: string;
}

/** gRPC status of an ended call. An answer without a code counts as UNKNOWN, as it does for a gRPC client. */
export function statusOf({ headers, trailers }: Pick<SeenReply, 'headers' | 'trailers'>): GrpcStatus {
  const at = [trailers, headers].find((list) => valueOf(list, CODE) !== undefined);
  const code = Number(at && valueOf(at, CODE));
  if (at === undefined || !Number.isInteger(code))
    return {
      code: grpcCode('UNKNOWN'),
      text: `HTTP status ${valueOf(headers, STATUS) ?? ''} without a gRPC status`,
    };
  return { code, text: unescaped(valueOf(at, TEXT) ?? '') };
}

/** HTTP status of an answer that no gRPC server gives; undefined: it is one of gRPC. */
export function statusWithoutGrpc({
  headers,
  trailers,
}: Pick<SeenReply, 'headers' | 'trailers'>): string | undefined {
  const isGrpc = [trailers, headers].some((list) => valueOf(list, CODE) !== undefined);
  return isGrpc ? undefined : (valueOf(headers, STATUS) ?? '');
}

/** Bytes of the reply of a successful call. `why` says why they cannot be read. */
export function replyBytes({
  headers,
  body,
}: SeenReply): { readonly bytes: Buffer } | { readonly why: string } {
  if (body === undefined) return { why: 'The reply is too large for the tap to read.' };
  const message = onlyMessage(body);
  const bytes = message && plainBytes(message, valueOf(headers, 'grpc-encoding'));
  return bytes === undefined ? { why: 'The reply is not one message that the tap can read.' } : { bytes };
}

/** The app's answer to an event or a batch. */
export function receivedReply(reply: SeenReply, isBatch: boolean, protocol: Protocol): ReceivedAnswer {
  const { code, text } = statusOf(reply);
  const headers = metadataOf([...reply.headers, ...reply.trailers]);
  const response = (status: number, body: string): ReceivedAnswer => ({
    kind: 'response',
    protocol: 'grpc',
    status,
    statusText: grpcCodeName(status),
    headers,
    body: Buffer.from(body),
  });
  if (code !== 0) return response(code, text);
  const read = replyBytes(reply);
  if ('why' in read) return response(grpcCode('INTERNAL'), read.why);
  try {
    return response(0, JSON.stringify((isBatch ? batchReply : eventReply)(read.bytes, protocol)));
  } catch (error) {
    // The real sidecar counts an unreadable reply as an error of the app, so the tap does too.
    return response(grpcCode('INTERNAL'), `The reply cannot be read: ${errorText(error)}`);
  }
}

const BEGIN: HeaderList = [
  [STATUS, '200'],
  ['content-type', 'application/grpc'],
];

/** gRPC reply for an answer that a person or a rule gave; undefined: there is no answer, and the stream is reset instead. */
export function ownReply(answer: ReceivedAnswer, isBatch: boolean, protocol: Protocol): OwnReply | undefined {
  if (answer.kind === 'none') return undefined;
  const text = Buffer.from(answer.body ?? '').toString('utf8');
  if (answer.status !== 0) {
    const status: HeaderList = [
      [CODE, String(answer.status)],
      [TEXT, escaped(text)],
    ];
    return { headers: [...BEGIN, ...status], body: Buffer.alloc(0), trailers: [] };
  }
  const said = tryParse(text)?.value;
  const bytes = isBatch ? batchReplyBytes(said, protocol) : eventReplyBytes(said, protocol);
  return { headers: BEGIN, body: framed(bytes), trailers: [[CODE, '0']] };
}

/** The text of an error travels in ASCII: other bytes as `%XX`. */
function escaped(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) =>
      byte >= 0x20 && byte <= 0x7e && byte !== 0x25
        ? String.fromCodePoint(byte)
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .join('');
}

function unescaped(text: string): string {
  const bytes = text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCodePoint(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
