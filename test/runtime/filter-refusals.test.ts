/** A filter that is refused, wherever it is given: the sentence and the data of the refusal suggest the same thing. */
import { describe, expect, test } from 'vitest';
import { readFilter } from '../../core/console/views/filter.ts';
import { Refusal } from '../../core/domain/refusal.ts';
import { checkRules } from '../../core/mock-app/check-rules.ts';
import { started } from '../support/runtime-stand.ts';

const FILTERS = ['result:failed', 'created:*..2026-01-31', 'timestamp:[now-1h TO now]', 'topik:a'];

async function refusalOf(work: () => unknown): Promise<Refusal> {
  const refused = await Promise.resolve()
    .then(work)
    .catch((error: unknown) => error);
  if (refused instanceof Refusal) return refused;
  throw new Error('it was not refused');
}

describe.each(FILTERS)('the refusal of %j has one suggestion', (filter) => {
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
    const { suggestion, message } = { ...data };
    const texts = [suggestion, message].filter((text) => typeof text === 'string');
    expect(texts.filter((text) => !said.includes(text))).toEqual([]);
  });
});
