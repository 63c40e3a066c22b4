/** A resource file above a limit is one failed document, reported before anything is parsed. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { exceededBy, exceededInSteps, YAML_LIMITS } from '../../core/adapters/component-files/yaml-limits.ts';
import { allAtOnce } from '../../core/adapters/component-files/in-steps.ts';
import { filesInSteps, readFiles } from '../../core/adapters/component-files/component-reader.ts';
import { readFolder } from '../../core/adapters/component-files/read-folder.ts';
import { readDocuments } from '../../core/adapters/component-files/yaml-documents.ts';
import { yaml } from '../../core/adapters/component-files/yaml-library.ts';
import { componentFolder } from '../support/component-folder.ts';
import { PROFILES } from '../../core/contract/profile.ts';

function many(count: number, piece: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => piece(index)).join('');
}

const ALIASES = 'the file has more than 100 aliases';
const MERGED = 'the file has more than 60,000 members that merges (<<) add';
const DEPTH = 'the file has more than 50 nested levels of lists and mappings';
const PIECES = 'the file has a document of more than 30,000 words, signs, spaces and line ends';
const OF_FILE = 'the file has more than 60,000 words, signs, spaces and line ends';
const DOCUMENTS = 'the file has more than 1,000 documents';
const BYTES = 'the file has more than 1,048,576 bytes';

describe('a text above a limit is not parsed', () => {
  test.each([
    ['16,000 merges of one anchor', `a: &a {x: 1}\nb:\n${many(16_000, () => '  - <<: *a\n')}`, ALIASES],
    ['one merge of many', `a: &a {x: 1}\nb:\n  <<: [${many(101, () => '*a, ')}]\n`, ALIASES],
    ['aliases of aliases', many(200, (i) => `- &a${i} 1\n- *a${i}\n`), ALIASES],
    ['brackets', '['.repeat(75_000), DEPTH],
    ['braces', '{a: '.repeat(40_000), DEPTH],
    ['lists on one line', '- '.repeat(75_000), DEPTH],
    ['question marks', '? '.repeat(1000), DEPTH],
    ['steps to the right', many(60, (i) => `${' '.repeat(i)}a:\n`), DEPTH],
    ['lists to the right', many(60, (i) => `${' '.repeat(i)}-\n`), DEPTH],
    ['keys', many(30_000, (i) => `k${i}: 1\n`), PIECES],
    ['keys in braces', `{${many(30_000, (i) => `k${i}: 1, `)}}`, PIECES],
    ['colons', ': '.repeat(75_000), PIECES],
    ['comments', '#\n'.repeat(100_000), PIECES],
    ['brackets that close nothing', ']\n'.repeat(75_000), PIECES],
    [
      'documents after a large one',
      `${many(5000, (i) => `k${i}: 1\n`)}---\n${many(6500, (i) => `k${i}: 1\n`)}`,
      PIECES,
    ],
    ['many documents', many(900, () => `---\n${many(14, (i) => `k${i}: 1\n`)}`), OF_FILE],
    [
      'a text that looks like many documents',
      `a: "\n${many(20_000, () => '  ---\n')}  "\n${many(8000, (i) => `k${i}: 1\n`)}`,
      PIECES,
    ],
    [
      'merges of a large mapping',
      `a: &a {${many(700, (i) => `k${i}: 1, `)}}\n${many(90, (i) => `m${i}: {<<: *a}\n`)}`,
      MERGED,
    ],
    [
      'merges of merges',
      `m0: &m0 {${many(50, (i) => `k${i}: 1, `)}}\n${many(20, (i) => `m${i + 1}: &m${i + 1} {<<: [*m${i}, *m${i}]}\n`)}`,
      MERGED,
    ],
    [
      'lists of lists, merged',
      `l0: &l0 [{x: 1}]\n${many(30, (i) => `l${i + 1}: &l${i + 1} [${many(3, () => `*l${i}, `)}]\n`)}m: {<<: *l30}\n`,
      MERGED,
    ],
    [
      'merges of a mapping with a long list',
      `a: &a {k: [${many(2000, () => '1,')}]}\n${many(40, (i) => `m${i}: {<<: *a}\n`)}`,
      MERGED,
    ],
    [
      'merges by a tag',
      `a: &a {${many(700, (i) => `k${i}: 1, `)}}\n${many(90, (i) => `m${i}: {!!merge x: *a}\n`)}`,
      MERGED,
    ],
    ['documents', '---\na\n'.repeat(1001), DOCUMENTS],
    ['one long text', `a: ${'x'.repeat(YAML_LIMITS.bytes)}`, BYTES],
  ])('%s is refused without parsing', (_name, text, expected) => {
    const documents = readDocuments('a.yaml', text);
    expect(documents).toHaveLength(1);
    expect(documents[0]?.value).toBeUndefined();
    expect(documents[0]?.problems).toMatchObject([{ file: 'a.yaml', severity: 'error' }]);
    expect(documents[0]?.problems[0]?.message).toContain(expected);
  });

  test('a merge of a list that holds itself is an error of its document', () => {
    expect(readDocuments('a.yaml', 'a: &a [*a]\nb: {<<: *a}\n')).toMatchObject([
      { value: undefined, problems: [{ severity: 'error' }] },
    ]);
  });

  test('values that merges repeat count for the folder too', () => {
    const left = { pieces: 10_000 };
    const text = `a: &a {${many(500, (i) => `k${i}: 1, `)}}\nb: [{<<: *a}, {<<: *a}, {<<: *a}]\n`;
    expect(readDocuments('a.yaml', text, left)[0]?.value).toBeDefined();
    const used = 10_000 - left.pieces;
    expect(used).toBeGreaterThan(3 * 500);
    expect(readDocuments('b.yaml', text, { pieces: used - 1 })[0]?.problems[0]?.message).toContain(
      'files of the folder',
    );
  });

  test('the place is where the limit was passed', () => {
    const text = `a: &a 1\nb:\n${many(200, () => '  - *a\n')}`;
    expect(readDocuments('a.yaml', text)[0]?.problems).toMatchObject([{ line: 103, column: 5 }]);
  });
});

test('a text that is read at once has one limit for all its documents', () => {
  const text = `${many(5000, (i) => `k${i}: 1\n`)}---\n`;
  expect(exceededBy(text)).toBeUndefined();
  expect(exceededBy(text + text)?.message).toContain('the file has more than 30,000 words');
});

describe('a text below all limits is read', () => {
  test.each([
    ['100 aliases', `a: &a 1\nb:\n${many(100, () => '  - *a\n')}`],
    ['50 brackets', `${'['.repeat(50)}${']'.repeat(50)}`],
    ['5,000 keys', many(5000, (i) => `k${i}: 1\n`)],
    ['a long text', `a: ${'x'.repeat(500_000)}`],
    [
      'stars, brackets and dashes in texts',
      `a: |\n${'  *a [[[ - - -\n'.repeat(300)}b: "${'[*a '.repeat(300)}"\n`,
    ],
    [
      '200 components',
      many(
        200,
        (i) =>
          `---\nkind: Component\nspec:\n  metadata:\n${many(9, (n) => `  - name: s${n}\n    value: v${i}\n`)}`,
      ),
    ],
    ['a list below a list below a list', many(40, () => 'a:\n- b:\n  - c: 1\n    d: 2\n')],
  ])('%s is below all limits', (_name, text) => {
    expect(allAtOnce(exceededInSteps(text))).toBeUndefined();
  });

  test('a key that its mapping has already is still an error, wherever it stands', () => {
    const [document] = readDocuments('a.yaml', 'kind: A\nx: {b: 1, c: 2, b: 3}\nkind: B\n');
    expect(document?.problems).toMatchObject([
      {
        line: 2,
        column: 17,
        code: 'DUPLICATE_KEY',
        message: expect.stringContaining('the key b a second time'),
      },
      {
        line: 3,
        column: 1,
        code: 'DUPLICATE_KEY',
        message: expect.stringContaining('the key kind a second time'),
      },
    ]);
  });

  test('a hundred of thousands of mistakes are reported', () => {
    expect(readDocuments('a.yaml', ']\n'.repeat(5000))[0]?.problems).toHaveLength(100);
  });
});

test('the parser notes no places of the program for the mistakes of a file, which may be 30,000', () => {
  const { Composer } = yaml();
  const { compose } = Composer.prototype;
  const limits: number[] = [];
  const spy = vi.spyOn(Composer.prototype, 'compose').mockImplementation(function (this: unknown, ...given) {
    limits.push(Error.stackTraceLimit);
    return Reflect.apply(compose, this, given);
  });
  onTestFinished(() => spy.mockRestore());
  const before = Error.stackTraceLimit;
  expect(readDocuments('a.yaml', `a: [${',\n'.repeat(5000)}]\n`)[0]?.problems).toHaveLength(100);
  expect(limits).toEqual([0]);
  expect(Error.stackTraceLimit).toBe(before);
});

describe('the files of a folder together', () => {
  const facts = { profile: PROFILES.sidecar, knownTypes: ['pubsub.in-memory'] };
  const component = (name: string, more = ''): string =>
    `apiVersion: sidecar.io/v1alpha1\nkind: Component\nmetadata: {name: ${name}}\nspec: {type: pubsub.in-memory, version: v1}\n${more}`;
  const TOGETHER = 'up to this one, by name, the files of the folder have more than 300,000 words';

  test('words are counted over all files; the one that uses them up and those after it are not read', () => {
    const left = { pieces: 112 };
    const text = many(10, (i) => `k${i}: 1\n`);
    const read = Array.from({ length: 4 }, () => readDocuments('a.yaml', text, left)[0]);
    expect(read.map((document) => document?.value === undefined)).toEqual([false, false, true, true]);
    expect(read[2]?.problems).toMatchObject([
      { line: 3, message: expect.stringContaining(TOGETHER) as unknown },
    ]);
    expect(read[3]?.problems).toMatchObject([
      { line: 1, message: expect.stringContaining(TOGETHER) as unknown },
    ]);
  });

  test('each file beyond the bound is one failed component, those before it are read', () => {
    const more = `k: "${'x'.repeat(500_000)}"\n`;
    const files = Array.from({ length: 10 }, (_, nth) => ({
      file: `${10 + nth}.yaml`,
      text: component(`c${nth}`, more),
    }));
    const { components, problems } = readFiles(files, facts);
    expect(problems).toEqual([]);
    const failed = components.filter(({ component: read }) => read === undefined);
    expect(failed.map(({ file }) => file)).toEqual([
      '14.yaml',
      '15.yaml',
      '16.yaml',
      '17.yaml',
      '18.yaml',
      '19.yaml',
    ]);
    for (const one of failed)
      expect(one.problems).toMatchObject([{ message: expect.stringContaining(TOGETHER) as unknown }]);
    expect(components).toHaveLength(10);
  });

  test('16 MiB of a folder are read, in the order of names', async () => {
    const bytes = Buffer.alloc(1024 * 1024, '#');
    const names = Array.from({ length: 18 }, (_, nth) => `${10 + nth}.yaml`);
    const { folder } = await componentFolder(Object.fromEntries(names.map((name) => [name, bytes])));
    const { files: read, problems } = await readFolder(folder);
    expect(read).toHaveLength(16);
    const message = expect.stringMatching(
      /and only 0 bytes are left for it: .* at most 16 MiB in all/,
    ) as unknown;
    expect(problems).toMatchObject([
      { file: '26.yaml', message },
      { file: '27.yaml', message },
    ]);
  });

  test('others have their turn after each file, and within one', () => {
    const files = Array.from({ length: 5 }, (_, nth) => ({
      file: `${nth}.yaml`,
      text: component(`c${nth}`),
    }));
    const steps = filesInSteps(files, facts);
    let turns = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) turns += 1;
    expect(turns).toBe(5 * files.length);
    expect(step.value.components.map(({ name }) => name)).toEqual(['c0', 'c1', 'c2', 'c3', 'c4']);
  });

  test('others have their turns while a document at its limit is parsed', () => {
    const steps = filesInSteps([{ file: 'a.yaml', text: many(7400, () => '- 1\n') }], facts);
    let turns = 0;
    while (steps.next().done !== true) turns += 1;
    expect(turns).toBeGreaterThan(12);
  });

  test('hundreds of ordinary files are read', () => {
    const files = Array.from({ length: 300 }, (_, nth) => ({
      file: `${1000 + nth}.yaml`,
      text: component(`c${nth}`),
    }));
    const { components } = readFiles(files, facts);
    expect(components.filter(({ component: read }) => read !== undefined)).toHaveLength(300);
  });

  test('components of one name tell ten places, however many there are', () => {
    const text = many(200, () => `---\n${component('same')}`);
    const [first] = readFiles([{ file: 'a.yaml', text }], facts).components;
    expect(first?.problems.at(-1)?.message).toMatch(/document 10, line \d+\) and 190 more$/);
  });
});
