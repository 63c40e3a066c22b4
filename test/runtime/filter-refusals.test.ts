/** A filter that is refused, wherever it is given: the sentence and the data of the refusal suggest the same thing. */
import { describe, expect, test } from 'vitest';
import { readFilter } from '../../core/console/views/filter.ts';
import { Refusal } from '../../core/domain/refusal.ts';
import { checkRules } from '../../core/mock-app/check-rules.ts';
import { started } from '../support/runtime-stand.ts';

const FILTERS = [
  ['result:failed', 'state:parked,dead-lettered,dropped'],
  ['created:*..2026-01-31', 'time<=2026-01-31'],
  ['timestamp:[now-1h TO now]', 'age:<1h'],
  ['topik:a', 'topic'],
] as const;

async function refusalOf(work: () => unknown): Promise<Refusal> {
  const refused = await Promise.resolve()
    .then(work)
    .catch((error: unknown) => error);
  if (refused instanceof Refusal) return refused;
  throw new Error('it was not refused');
}

describe.each(FILTERS)('the refusal of %j suggests %j', (filter, suggested) => {
  test.each<readonly [where: string, give: (stand: Awaited<ReturnType<typeof started>>) => unknown]>([
    ['a hold', ({ runtime }) => runtime.holds.add({ at: 'delivery', filter })],
    ['a replay', ({ runtime }) => runtime.replayJobs.start({ filter })],
    ['an act on many', ({ runtime }) => runtime.deliveryActions.retry({ filter })],
    ['a list', () => readFilter(filter)],
    [
      'a rule of the mock app',
      () => checkRules([{ enabled: true, match: { filter }, answer: { kind: 'hang' } }]),
    ],
  ])('of %s', async (_where, give) => {
    const { message: said, code, data } = await refusalOf(async () => give(await started()));
    expect(code).toBe('FILTER_SYNTAX');
    expect(said).toContain(suggested);
    expect([undefined, suggested]).toContain(data?.['suggestion']);
  });
});
