/** Bodies and refusals that all management routes share. */
import type { FastifyRequest } from 'fastify';
import { isObject } from '../../../domain/json.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { readJson } from '../json-body.ts';
import { bytesOf } from '../listener.ts';
import { WireError } from '../../rules/wire-error.ts';

/**
 * The body as an object.
 * @throws WireError 400 InvalidRequestContent
 */
export function bodyOf(request: FastifyRequest): JsonObject {
  const value = readJson(bytesOf(request), 'InvalidRequestContent');
  if (!isObject(value)) throw new WireError(400, 'InvalidRequestContent', 'The body must be a JSON object.');
  return value;
}

export function invalid(message: string): WireError {
  return new WireError(400, 'InvalidRequest', message);
}

export function notAllowed(allow: string): WireError {
  return new WireError(405, 'MethodNotAllowed', `Allowed here: ${allow}.`, { headers: { allow } });
}

export function nothingHere(): WireError {
  return new WireError(404, 'InvalidResourceType', 'This page does not exist.');
}

/** One management request with a known caller. */
export interface Ask {
  readonly method: string;
  /** Client id of the caller. */
  readonly caller: string;
  readonly request: FastifyRequest;
  readonly query: URLSearchParams;
  readonly apiVersion: string;
}

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
