/** The id of a request that is refused before it is read, so that its client knows which one it was. */
import { isObject } from '../contract/is-object.ts';

/** Longer texts are not read for their id: reading them is the work that the refusal avoids. */
const MAX_READ_CHARACTERS = 65_536;

/** @returns null for a batch, a text without an id, and one that is long or not JSON */
export function requestId(text: string): string | number | null {
  if (text.length > MAX_READ_CHARACTERS) return null;
  try {
    const request: unknown = JSON.parse(text);
    const id = isObject(request) ? request['id'] : undefined;
    return typeof id === 'string' || typeof id === 'number' ? id : null;
  } catch {
    return null;
  }
}
