/** The bound of a choice of messages by a filter. */
import { Refusal } from './refusal.ts';

/** Refuses the bound where no filter chooses: ids and single deliveries have none. Throws Refusal INVALID_PARAMS. */
export function checkUpTo({
  filter,
  upTo,
}: {
  readonly filter?: string | undefined;
  readonly upTo?: number | undefined;
}): void {
  if (upTo === undefined || filter !== undefined) return;
  const reason = 'upTo can only be given with filter';
  throw new Refusal('INVALID_PARAMS', { reason }, { field: 'upTo', expected: 'filter beside it' });
}
