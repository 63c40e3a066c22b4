/** Saved requests as a file for version control: written with one member per line, read completely. */
import { jsonMistake } from '../../contract/json-position.ts';
import type { RequestsFile, SavedRequest } from '../../contract/saved.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import type { JsonObject } from '../../domain/json.ts';
import { Refusal } from '../../domain/refusal.ts';
import { objectAt, refuseValue } from '../../domain/refused-value.ts';

type Filed = RequestsFile['requests'][number];

/** The text of a file, without the time of saving, so that two saves of equal requests are equal. */
export function writeRequests(requests: readonly SavedRequest[]): string {
  const file: RequestsFile = {
    sidelight: 'requests',
    version: 1,
    requests: requests.map(({ savedAt: _savedAt, file: _file, ...request }) => request),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** Reads a file. Throws Refusal INVALID_PARAMS with the position of the first mistake. */
export function readRequests(text: string): readonly Filed[] {
  const file = objectAt(parsed(text), 'file');
  if (file['sidelight'] !== 'requests') refuseValue('file.sidelight', '"requests"', file['sidelight']);
  if (file['version'] !== 1) refuseValue('file.version', '1', file['version']);
  const { requests } = file;
  if (!Array.isArray(requests)) return refuseValue('file.requests', 'an array', requests);
  const filed = requests.map((each: unknown, index) => requestAt(each, `file.requests[${index}]`));
  const ids = new Set<string>();
  for (const [index, { requestId }] of filed.entries()) {
    if (ids.has(requestId)) {
      refuseValue(`file.requests[${index}].requestId`, 'an id no other request of the file has', requestId);
    }
    ids.add(requestId);
  }
  return filed;
}

function parsed(text: string): unknown {
  const json = text.replace(/^\uFEFF/, '');
  const mistake = jsonMistake(json);
  if (mistake === undefined) return JSON.parse(json);
  const { line, column, message } = mistake;
  throw new Refusal(
    'INVALID_PARAMS',
    { reason: `The file is not JSON: ${message}.` },
    { field: 'text', expected: 'a *.sidelight.json file', data: { line, column } },
  );
}

function requestAt(value: unknown, at: string): Filed {
  const given = objectAt(value, at);
  const request = objectAt(given['request'], `${at}.request`);
  const { shortcut, inPalette } = given;
  if (shortcut !== undefined && !isDigit(shortcut))
    refuseValue(`${at}.shortcut`, 'a whole number 1 to 9', shortcut);
  if (inPalette !== undefined && typeof inPalette !== 'boolean') {
    refuseValue(`${at}.inPalette`, 'true or false', inPalette);
  }
  const folder = optionalText(given, at, 'folder');
  return {
    requestId: textAt(given, at, 'requestId'),
    name: textAt(given, at, 'name'),
    ...withoutUndefined({ folder }),
    ...(isDigit(shortcut) ? { shortcut } : {}),
    ...(typeof inPalette === 'boolean' ? { inPalette } : {}),
    request: publishAt(request, `${at}.request`),
  };
}

function publishAt(request: JsonObject, at: string): Filed['request'] {
  const [contentType, appId, dataBase64] = ['contentType', 'appId', 'dataBase64'].map((name) =>
    optionalText(request, at, name),
  );
  const { data, metadata } = request;
  return {
    pubsubname: textAt(request, at, 'pubsubname'),
    topic: textAt(request, at, 'topic'),
    ...withoutUndefined({ data, dataBase64, contentType }),
    ...(metadata === undefined ? {} : { metadata: textsAt(metadata, `${at}.metadata`) }),
    ...withoutUndefined({ appId }),
  };
}

function textsAt(value: unknown, at: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(objectAt(value, at)).map(([name, each]) => [
      name,
      typeof each === 'string' ? each : refuseValue(`${at}.${name}`, 'a string', each),
    ]),
  );
}

function isDigit(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 9;
}

function textAt(object: JsonObject, at: string, name: string): string {
  const value = object[name];
  return typeof value === 'string' && value !== '' ? value : refuseValue(`${at}.${name}`, 'a string', value);
}

function optionalText(object: JsonObject, at: string, name: string): string | undefined {
  const value = object[name];
  if (value === undefined) return undefined;
  return typeof value === 'string' ? value : refuseValue(`${at}.${name}`, 'a string', value);
}
