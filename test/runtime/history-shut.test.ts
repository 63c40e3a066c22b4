/** A history that cannot be used for a while is asked again and again, and its log does not grow with each time. */
import { expect, test, vi } from 'vitest';
import { JournalError } from '../../core/ports/journal.ts';
import { started } from '../support/runtime-stand.ts';

test('why the history cannot be read or kept within its limits is logged once, until it can be', async () => {
  const stand = await started();
  const said = (): readonly string[] =>
    stand.lines.filter(({ part }) => part === 'journal').map(({ text }) => text);
  const before = said().length;
  const shut = async (reason: string): Promise<void> => {
    const error = new JournalError('broken', reason);
    const spies = [
      vi.spyOn(stand.journal, 'prune').mockRejectedValue(error),
      vi.spyOn(stand.journal, 'stats').mockRejectedValue(error),
    ];
    for (let second = 0; second < 5; second += 1) await stand.pass(1000);
    for (const spy of spies) spy.mockRestore();
  };
  await shut('the disk is gone');
  await shut('the file is gone');
  const each = (reason: string): readonly string[] => [
    `Sidelight could not remove old messages: ${reason}`,
    `The size of the history is unknown: ${reason}`,
  ];
  expect(said().slice(before).toSorted()).toEqual(
    [...each('the disk is gone'), ...each('the file is gone')].toSorted(),
  );
  for (let second = 0; second < 3; second += 1) await stand.pass(1000);
  await shut('the disk is gone');
  expect(said().slice(before)).toHaveLength(6);
});
