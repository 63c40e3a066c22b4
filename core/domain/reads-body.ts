/** Which facets need more of a message than its row; apart from their rules, because a start loads no parser. */
import type { Facet } from './facet.ts';

/** Whether a facet is read from the body of a message. */
export function readsBody({ kind }: Facet): boolean {
  return kind === 'data' || kind === 'correlation' || kind === 'preview';
}

/** Whether a facet is read from the deliveries of a message. */
export function readsDeliveries({ kind }: Facet): boolean {
  return kind === 'route' || kind === 'answer' || kind === 'repeats';
}
