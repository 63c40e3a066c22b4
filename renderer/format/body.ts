/** Bodies as bytes and text, and the viewer that suits them. */
import type { RecordedBody } from '../../core/contract/message.ts';
import { jsonMistake } from '../../core/contract/json-position.ts';
import { layOutJson } from './json-text.ts';

export type ViewMode = 'json' | 'xml' | 'text' | 'hex';

/** A body as bytes and as text. */
export interface Body {
  /** Number of bytes; it is known without making them. */
  readonly size: number;
  readonly bytes: Uint8Array;
  readonly text: string;
  /** True for bytes that are not UTF-8; the text then has replacement characters. */
  readonly isBinary: boolean;
}

/** Bytes of a base64 text; empty if the text is none. */
export function bytesOfBase64(base64: string): Uint8Array {
  try {
    const binary = atob(base64);
    const bytes = new Uint8Array(binary.length);
    // A loop takes a tenth of the time of `Uint8Array.from` with a function, which counts for megabytes.
    for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
    return bytes;
  } catch {
    // atob throws only for a text that is not base64.
    return new Uint8Array();
  }
}

/** A body whose bytes are made when they are asked for: of megabytes they take a frame, and only the hex dump and a download need them. */
class TextBody implements Body {
  readonly text: string;
  readonly isBinary = false;
  readonly size: number;
  #bytes: Uint8Array | undefined;

  constructor(text: string) {
    this.text = text;
    this.size = bytesIn(text);
  }

  get bytes(): Uint8Array {
    this.#bytes ??= new TextEncoder().encode(this.text);
    return this.#bytes;
  }
}

/** Bytes of the text as UTF-8; half a pair of surrogates counts as the three bytes that take its place. */
export function bytesIn(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x80) continue;
    const isPair = code >= 0xd8_00 && code < 0xdc_00 && isLow(text.charCodeAt(at + 1));
    if (isPair) at += 1;
    bytes += code < 0x8_00 ? 1 : 2;
  }
  return bytes;
}

function isLow(code: number): boolean {
  return code >= 0xdc_00 && code < 0xe0_00;
}

/** Bytes of which only parts are made. */
export type ByteParts = Pick<Uint8Array, 'length' | 'subarray'>;

/** The bytes of a body for somebody who looks at few of them: those of plain ASCII are made where they are looked at. */
export function bytePartsOf(body: Body): ByteParts {
  const { isBinary, size, text } = body;
  if (isBinary || size !== text.length) return body.bytes;
  const encoder = new TextEncoder();
  return { length: size, subarray: (from, to) => encoder.encode(text.slice(from, to)) };
}

/** A body from text. */
export function bodyOfText(text: string): Body {
  return new TextBody(text);
}

/** A body from base64. */
export function bodyOfBase64(base64: string): Body {
  const bytes = bytesOfBase64(base64);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { bytes, size: bytes.length, text, isBinary: false };
  } catch {
    // The strict decoder throws only for bytes that are not UTF-8, which `isBinary` reports.
    return { bytes, size: bytes.length, text: new TextDecoder().decode(bytes), isBinary: true };
  }
}

/** A body as it was recorded. */
export function bodyOf(recorded: RecordedBody): Body {
  return recorded.bodyBase64 === true ? bodyOfBase64(recorded.body) : bodyOfText(recorded.body);
}

/** JSON indented by two spaces, with unchanged numbers and escapes; undefined: the text is not JSON. */
export function prettyJson(text: string): string | undefined {
  return jsonMistake(text) === undefined ? layOutJson(text) : undefined;
}

const BEGINNING = 1024;

/** Whether the body may be JSON. */
export function mayBeJson(body: Body, contentType: string): boolean {
  if (body.isBinary || /xml/i.test(contentType)) return false;
  const start = startOf(body);
  return start === '{' || start === '[' || /json/i.test(contentType);
}

/**
 * The viewer that suits a body best.
 * @param isJson result of reading a body that may be JSON; false for a text that is no value of JSON, whatever it looks like
 */
export function bestMode(body: Body, contentType: string, isJson: boolean): ViewMode {
  if (body.isBinary) return 'hex';
  if (/xml/i.test(contentType)) return 'xml';
  if (isJson && mayBeJson(body, contentType)) return 'json';
  return startOf(body) === '<' ? 'xml' : 'text';
}

/** The first character that is no white space. */
function startOf({ text }: Body): string | undefined {
  return text.slice(0, BEGINNING).trimStart()[0];
}

/** One row of a hex dump. */
export interface HexRow {
  readonly offset: string;
  readonly hex: string;
  readonly ascii: string;
}

export const HEX_COLUMNS = 16;

/** Half a row, for narrow windows. */
export const HEX_HALF = HEX_COLUMNS / 2;

/** Row `index` of the dump of `bytes`, `columns` bytes each, in groups of eight. */
export function hexRow(bytes: ByteParts, index: number, columns = HEX_COLUMNS): HexRow {
  const part = bytes.subarray(index * columns, (index + 1) * columns);
  const hex = [...part].map((byte) => byte.toString(16).padStart(2, '0'));
  const halves = columns > HEX_HALF ? [hex.slice(0, HEX_HALF), hex.slice(HEX_HALF)] : [hex];
  return {
    offset: (index * columns).toString(16).padStart(8, '0'),
    hex: halves.map((half) => half.join(' ').padEnd(3 * HEX_HALF - 1)).join('  '),
    ascii: [...part].map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.')).join(''),
  };
}
