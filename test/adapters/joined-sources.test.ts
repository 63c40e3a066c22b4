/** Several folders of components as one source: what a problem names leads to its file. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { joinSources } from '../../core/adapters/component-files/joined-sources.ts';
import { describeProblem, withPath } from '../../core/runtime/components/declared.ts';
import { componentFolder } from '../support/component-folder.ts';

const apps = (): readonly string[] => ['checkout'];

test('each problem has the path of its file, also of two folders, and of a folder that cannot be read', async () => {
  const one = await componentFolder({ 'bad.yaml': 'kind: [' });
  const two = await componentFolder({ 'bad.yaml': 'kind: [' });
  const folder = join(two.folder, 'none');
  const gone = await componentFolder({}, { folder });
  const joined = joinSources([
    { source: one.source, label: './one', apps },
    { source: two.source, label: '/some/two', apps },
    { source: gone.source, label: '/some/two/none', apps },
  ]);
  const { components, problems } = await joined.load();
  const all = [...components.flatMap((spec) => spec.problems), ...problems];
  expect(new Set(all.map((problem) => withPath(problem, joined.pathOf).file))).toEqual(
    new Set([join(one.folder, 'bad.yaml'), join(two.folder, 'bad.yaml'), folder]),
  );
  const [problem] = (await gone.source.load()).problems;
  expect(
    describeProblem(withPath(problem ?? { message: '', severity: 'error' }, gone.source.pathOf)),
  ).toMatch(`${folder}: Sidelight cannot read the folder`);
});
