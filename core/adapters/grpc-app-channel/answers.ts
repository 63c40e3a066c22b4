/** Result of a call in the terms of the port: a reply, a code of the app, or no answer and why. */
import type { Metadata, ServiceError } from '@grpc/grpc-js';
import { grpcCode, grpcCodeName, isGrpcType } from '../../contract/grpc.ts';
import { errorText } from '../../contract/error-text.ts';
import { duration } from '../../contract/duration-text.ts';
import type { ReceivedAnswer } from '../../ports/app-channel.ts';
import type { AppMethod } from './methods.ts';

/** The reply; one that cannot be read counts as an error of the app. */
export function answered(
  reply: Buffer | undefined,
  method: AppMethod,
  { headers, httpStatus, fault, waitMs }: EndedCall,
): ReceivedAnswer {
  // The library does not look at the content type of a reply.
  if (headers !== undefined && !isGrpcType(typeOf(headers)))
    return foreignAnswer(codeOfPage(httpStatus), headers, headers, waitMs);
  if (fault !== undefined) return response(grpcCode('INTERNAL'), fault, headers, waitMs);
  try {
    return response(0, JSON.stringify(method.read(reply ?? Buffer.alloc(0))), headers, waitMs);
  } catch (error) {
    const text = `The reply cannot be read: ${errorText(error)}`;
    return response(grpcCode('INTERNAL'), text, headers, waitMs);
  }
}

export interface EndedCall {
  /** Headers that the app sent before the call ended. */
  readonly headers: Metadata | undefined;
  readonly httpStatus: number | undefined;
  /** What makes the answer an error of the app where its code is OK or that of an unknown method. */
  readonly fault: string | undefined;
  readonly timeoutMs: number;
  readonly waitMs: number;
}

/** Texts of the library, which names the code of an unknown method where the app sent no reply or more than one. */
const NOT_ONE_REPLY: ReadonlyMap<string, string> = new Map([
  ['No message received', 'The app ended the call without a reply.'],
  ['Too many responses received', 'The app sent a second message where one reply is expected.'],
]);
/** The library's text where it made the code of the status of a page. */
const OF_PAGE = /^Received HTTP status code \d+$/;
const NOT_DECOMPRESSED =
  'The reply is marked as compressed, and its headers do not say that it is gzip or deflate, so it cannot be read.';

/** What is wrong with how the app sent its answer, which the library lets pass. The reference tries such an answer again. */
export function faultOf(sent: {
  readonly flag: number;
  readonly isCutOff: boolean;
  readonly statusText: string | undefined;
}): string | undefined {
  if (sent.flag > 1)
    return `The app sent a message that begins with the byte ${sent.flag}, where gRPC knows 0 and 1.`;
  if (sent.isCutOff) return 'The app sent part of a message where one reply is expected.';
  return sent.statusText === undefined || IS_STATUS.test(sent.statusText) ? undefined : NOT_A_NUMBER;
}

/** A status of gRPC is a whole number in decimal digits. */
const IS_STATUS = /^[+-]?\d+$/;
const NOT_A_NUMBER = 'The app sent a grpc-status that is not a whole number.';

/** An error: of the app, or of the way to it. */
export function broken(
  error: ServiceError,
  { headers, httpStatus, fault, timeoutMs, waitMs }: EndedCall,
): ReceivedAnswer {
  const { code, details, metadata } = error;
  // The library has neither code nor text for a reply that it does not know how to decompress, although its types say so.
  if (!Number.isInteger(code)) {
    const text = fault ?? (Number.isNaN(code) ? NOT_A_NUMBER : NOT_DECOMPRESSED);
    return response(grpcCode('INTERNAL'), text, headers ?? metadata, waitMs);
  }
  // Headers of an answer that has no body come with the error; without a status nothing came.
  const isPage = OF_PAGE.test(details);
  const sent = headers ?? (httpStatus === undefined ? undefined : metadata);
  if (sent !== undefined && !isGrpcType(typeOf(sent)) && !ENDED_HERE.has(code))
    return foreignAnswer(isPage ? code : codeOfPage(httpStatus), sent, metadata, waitMs);
  // An unknown method would end the delivery for good.
  if (code === grpcCode('UNIMPLEMENTED')) {
    const text = NOT_ONE_REPLY.get(details) ?? (isPage ? undefined : fault);
    if (text !== undefined) return response(grpcCode('INTERNAL'), text, headers, waitMs);
  }
  // A reply beyond the limit was refused on this side, but the app did answer.
  const isTooLarge = code === grpcCode('RESOURCE_EXHAUSTED');
  if (isTooLarge || isOfApp(error, headers)) return response(code, details, metadata, waitMs);
  if (code === grpcCode('DEADLINE_EXCEEDED'))
    return { kind: 'none', code: 'timeout', message: `No answer within ${duration(timeoutMs)}.` };
  const isRefused = code === grpcCode('UNAVAILABLE') && /connect|ECONN|ENOTFOUND|EAI_/i.test(details);
  const wasOpen = /dropped|reset|closed|hang up/i.test(details) && !/ECONNREFUSED/.test(details);
  return { kind: 'none', code: isRefused && !wasOpen ? 'refused' : 'reset', message: sentence(details) };
}

/** Codes that the library gives when the call was ended on this side. */
const ENDED_HERE: ReadonlySet<number> = new Set([grpcCode('DEADLINE_EXCEEDED'), grpcCode('CANCELLED')]);

/**
 * An answer in HTTP that is not gRPC. The reference looks at the status of a page, and not at a code of gRPC in such an answer.
 * @param sent the headers that say so
 * @param shown the headers of the answer
 */
function foreignAnswer(code: number, sent: Metadata, shown: Metadata, waitMs: number): ReceivedAnswer {
  const type = typeOf(sent);
  const what = type === undefined ? 'without a content type' : `with content type ${type}`;
  const answer = response(code, `The app does not speak gRPC: it answers ${what}.`, shown, waitMs);
  return { ...answer, isForeign: true };
}

/** Code of an answer that is not gRPC and has a code of gRPC, which does not count there: its status does. Every code but one is tried again. */
function codeOfPage(httpStatus: number | undefined): number {
  return grpcCode(httpStatus === 404 ? 'UNIMPLEMENTED' : 'UNKNOWN');
}

/** Content type that these headers give. */
function typeOf(headers: Metadata): string | undefined {
  return headers.get('content-type')[0]?.toString();
}

/** Name of a part of the library's text, which it writes also when it has nothing to say there. */
const NOTE = 'Resolution note:';

/** The text without that part where it is empty. The app may have written a long text, so no pattern searches it. */
function sentence(details: string): string {
  const rest = details.trimEnd();
  return rest.endsWith(NOTE) ? rest.slice(0, -NOTE.length).trimEnd() : details;
}

/** Whether an error is the app's: its answers carry a content type, the library's own errors carry nothing. */
function isOfApp({ code, metadata }: ServiceError, headers: Metadata | undefined): boolean {
  if (metadata.get('content-type').length > 0) return true;
  const isLocal = ['UNAVAILABLE', 'CANCELLED', 'DEADLINE_EXCEEDED', 'INTERNAL'] as const;
  return headers !== undefined && !isLocal.some((name) => grpcCode(name) === code);
}

function response(
  code: number,
  text: string,
  metadata: Metadata | undefined,
  waitMs: number,
): Extract<ReceivedAnswer, { kind: 'response' }> {
  return {
    kind: 'response',
    protocol: 'grpc',
    status: code,
    statusText: grpcCodeName(code),
    headers: headersOf(metadata),
    body: Buffer.from(text),
    timing: { connectMs: 0, sendMs: 0, waitMs, readMs: 0 },
  };
}

function headersOf(metadata: Metadata | undefined): Record<string, string> {
  if (metadata === undefined) return {};
  const keys = Object.keys(metadata.getMap());
  const text = (value: string | Buffer): string =>
    typeof value === 'string' ? value : value.toString('base64');
  return Object.fromEntries(keys.map((key) => [key, metadata.get(key).map(text).join(', ')]));
}
