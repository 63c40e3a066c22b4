/**
 * Which facets need more of a message than its row. They are in a file without a parser, because a start
 * should not load one.
 */
import type { Facet } from './facet.ts';

/** Whether a facet is read from the body of a message. */
export function readsBody({ kind }: Facet): boolean {
  return kind === 'data' || kind === 'correlation' || kind === 'preview';
}

/** Whether a facet is read from the deliveries of a message. */
export function readsDeliveries({ kind }: Facet): boolean {
  return kind === 'route' || kind === 'answer' || kind === 'repeats';
}

/** Whether a facet is read from the body that a person edited for a delivery, if there is one. */
export function readsEdited({ kind }: Facet): boolean {
  return kind === 'data' || kind === 'preview' || kind === 'edited';
}
