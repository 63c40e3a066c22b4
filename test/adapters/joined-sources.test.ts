/** Several folders of components as one source: what a problem names leads to its file. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { joinSources } from '../../core/adapters/component-files/joined-sources.ts';
import { leftOutText, onlyForText } from '../../core/contract/component-scopes.ts';
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

test('an app is told what leaves it out: the scopes of the file in its own folder, or that the folder is not its own', async () => {
  const one = await componentFolder({
    'stock.yaml': `apiVersion: dapr.io/v1alpha1
kind: Component
metadata:
  name: stock
spec:
  type: pubsub.in-memory
  version: v1
scopes: [billing, mail]
`,
  });
  const two = await componentFolder({});
  const joined = joinSources([
    { source: one.source, label: './one', apps: () => ['billing', 'shop'] },
    { source: two.source, label: './two', apps: () => ['mail'] },
  ]);
  const [stock] = (await joined.load()).components;
  if (stock === undefined) throw new Error('the component is not loaded');
  expect(stock.scopes).toEqual(['billing']);
  const text = (appId: string): string =>
    leftOutText(appId, { pubsubname: 'stock', topics: ['orders'] }, [stock], 'there is none');
  const inFile = 'only for billing and mail, by its scopes (./one/stock.yaml, line 8)';
  expect(onlyForText([stock], 'shop')).toBe(inFile);
  expect(text('shop')).toBe(
    `App shop subscribes to orders of stock, which is ${inFile}. The app gets nothing from it until these scopes name it too, or the app names another component (there is none).`,
  );
  const inFolder = 'only for billing, in whose folder it is (./one/stock.yaml, line 1)';
  for (const appId of ['mail', 'other']) {
    expect(onlyForText([stock], appId)).toBe(inFolder);
    expect(text(appId)).toContain(
      `${inFolder}. The app gets nothing from it until its own folder has stock,`,
    );
  }
});
