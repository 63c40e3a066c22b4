/** Texts of a body that a person edited and of the one that was published, for a comparison by lines. */
import type { RecordedBody } from '../../core/contract/message.ts';
import { prettyJson } from './body.ts';

export interface ChangedBodies {
  readonly before: string;
  readonly after: string;
  /** Length of both, where only the start of one is known; absent: both are whole. */
  readonly comparedLength?: number;
}

/** Both bodies laid out; of those that are known in part the starts, equally long, as a JSON text without its end cannot be laid out. */
export function changedBodies(published: RecordedBody, edited: RecordedBody): ChangedBodies {
  const cut = [published, edited].filter(({ bodyTruncated }) => bodyTruncated === true);
  if (cut.length === 0) return { before: laidOut(published.body), after: laidOut(edited.body) };
  const comparedLength = Math.min(...cut.map(({ body }) => body.length));
  return {
    before: published.body.slice(0, comparedLength),
    after: edited.body.slice(0, comparedLength),
    comparedLength,
  };
}

function laidOut(body: string): string {
  return prettyJson(body) ?? body;
}
