/**
 * Reads a CloudEvent in binary mode: attributes are headers, the body is the data (CloudEvents HTTP binding
 * 3.1).
 */
import type { FastifyRequest } from 'fastify';
import { tryParse } from '../../../domain/json.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { WireError } from '../../rules/wire-error.ts';

/**
 * The event as one object.
 * @throws WireError 400 if an attribute is sent twice or has a broken escape
 */
export function binaryEvent(request: FastifyRequest, body: Buffer): JsonObject {
  const attributes: Record<string, unknown> = {};
  for (const [header, values] of Object.entries(request.raw.headersDistinct)) {
    if (!header.startsWith('ce-')) continue;
    if (values === undefined || values.length !== 1) {
      throw new WireError(400, 'BadRequest', `The header ${header} was sent more than once.`);
    }
    attributes[header.slice('ce-'.length)] = decoded(values[0] ?? '', header);
  }
  const type = request.headers['content-type'];
  if (type !== undefined) attributes['datacontenttype'] = type;
  return { ...attributes, ...dataOf(type ?? '', body) };
}

function dataOf(type: string, body: Buffer): JsonObject {
  if (body.length === 0) return {};
  const media = type.split(';')[0]?.trim().toLowerCase() ?? '';
  if (media === '' || media === 'application/json' || media.endsWith('+json')) {
    const parsed = tryParse(body.toString('utf8'));
    if (parsed !== undefined) return { data: parsed.value };
  }
  if (media.startsWith('text/')) return { data: body.toString('utf8') };
  return { data_base64: body.toString('base64') };
}

function decoded(value: string, header: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw new WireError(400, 'BadRequest', `The header ${header} has a broken escape.`);
  }
}
