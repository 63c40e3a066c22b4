/** Components that are wrong in every way: each mistake is named with its place, and the others still load. */
import { describe, expect, test } from 'vitest';

import type { Problem } from '../../core/contract/subscription.ts';
import { componentFolder, componentText } from '../support/component-folder.ts';

const GOOD = componentText('good');

type Expected = Pick<Problem, 'line' | 'column' | 'field' | 'severity'> & { readonly message: RegExp };

function lines(...all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}

/** Components that are there but cannot be used; the second document of each file is good. */
const BROKEN: readonly [string, string, Expected][] = [
  [
    'a tab as indent',
    componentText('bad').replace('  name', '\tname'),
    { line: 4, message: /YAML: .*[Tt]ab/, severity: 'error' },
  ],
  [
    'a key twice',
    componentText('bad').replace('  version: v1', '  type: x'),
    { line: 7, column: 3, message: /YAML: found the key type a second time/, severity: 'error' },
  ],
  ['a quote that does not close', componentText('"bad'), { message: /YAML: .*quote/i, severity: 'error' }],
  [
    'a bracket that does not close',
    componentText('bad', '[pubsub'),
    { message: /YAML: /, severity: 'error' },
  ],
  [
    'wrong indentation',
    componentText('bad').replace('  version', ' version'),
    { line: 7, message: /YAML: /, severity: 'error' },
  ],
  [
    'an alias to nothing',
    componentText('bad', '*nothing'),
    { line: 6, message: /YAML: found an alias/, severity: 'error' },
  ],
  [
    'no name',
    GOOD.replace('  name: good\n', '  labels: {}\n'),
    {
      line: 4,
      column: 3,
      field: 'metadata.name',
      message: /metadata.name must be a name/,
      severity: 'error',
    },
  ],
  [
    'a name with a slash',
    componentText('a/b'),
    { line: 4, column: 9, field: 'metadata.name', message: /can stand in a path.*"a\/b"/, severity: 'error' },
  ],
  [
    'no spec',
    lines('apiVersion: sidecar.io/v1alpha1', 'kind: Component', 'metadata:', '  name: bad'),
    { line: 1, field: 'spec', message: /spec must be an object, found nothing/, severity: 'error' },
  ],
  [
    'no type',
    componentText('bad', ''),
    { line: 6, field: 'spec.type', message: /spec.type must be/, severity: 'error' },
  ],
  [
    'another version',
    componentText('bad').replace('version: v1', 'version: v7'),
    {
      line: 7,
      column: 12,
      field: 'spec.version',
      message: /must be v1, found the text "v7"/,
      severity: 'error',
    },
  ],
  [
    'an unknown type',
    componentText('bad', 'pubsub.kafka'),
    {
      line: 6,
      column: 9,
      field: 'spec.type',
      message: /unknown type pubsub\.kafka\/v1; known types: bindings\.cron, .*pubsub\.in-memory/,
      severity: 'error',
    },
  ],
  [
    'a type with a spelling mistake',
    componentText('bad', 'pubsub.in-memry'),
    {
      line: 6,
      column: 9,
      field: 'spec.type',
      message:
        /unknown type pubsub\.in-memry\/v1; did you mean pubsub\.in-memory\? Known types: bindings\.cron, [^;]*$/,
      severity: 'error',
    },
  ],
  [
    'settings that are no list',
    componentText('bad', 'pubsub.in-memory', '  metadata: {a: b}\n'),
    { line: 8, column: 13, field: 'spec.metadata', message: /must be an array/, severity: 'error' },
  ],
  [
    'a setting without a name',
    componentText('bad', 'pubsub.in-memory', '  metadata:\n  - value: x\n'),
    {
      line: 9,
      field: 'spec.metadata[0].name',
      message: /spec\.metadata\[0\]\.name must be a name/,
      severity: 'error',
    },
  ],
  [
    'a setting that is an object',
    componentText('bad', 'pubsub.in-memory', '  metadata:\n  - name: x\n    value: {a: b}\n'),
    {
      line: 10,
      column: 12,
      field: 'spec.metadata[0].value',
      message: /must be a string, a number/,
      severity: 'error',
    },
  ],
  [
    'a value and a secret',
    componentText(
      'bad',
      'pubsub.in-memory',
      '  metadata:\n  - name: x\n    value: y\n    secretKeyRef: {name: z}\n',
    ),
    {
      line: 10,
      field: 'spec.metadata[0].value',
      message: /give one of value, secretKeyRef and envRef/,
      severity: 'error',
    },
  ],
  [
    'scopes that are no list',
    `${componentText('bad')}scopes: a\n`,
    { line: 8, column: 9, field: 'scopes', message: /scopes must be an array/, severity: 'error' },
  ],
  [
    'ignoreErrors that is a text',
    componentText('bad', 'pubsub.in-memory', '  ignoreErrors: "yes"\n'),
    { line: 8, column: 17, field: 'spec.ignoreErrors', message: /true or false/, severity: 'error' },
  ],
];

describe('a component that cannot be used', () => {
  test.each(BROKEN)(
    'an unusable component is reported with its position: %s',
    async (_name, text, { message, ...expected }) => {
      const { source } = await componentFolder({ 'bad.yaml': `${text}---\n${GOOD}` });
      const { components, problems } = await source.load();
      const bad = components.find(({ document }) => document === 1);
      const good = components.find(({ name, document }) => name === 'good' && document === 2);
      expect(good).toMatchObject({ problems: [] });
      expect(good?.failed).toBeUndefined();
      const error = bad?.problems.find(({ severity }) => severity === 'error');
      expect(error).toMatchObject({ file: 'bad.yaml', document: 1, ...expected });
      expect(error?.message).toMatch(message);
      expect(bad?.failed).toMatch(message);
      expect(bad?.failed).toContain(`(bad.yaml:${error?.line ?? ''}:${error?.column ?? ''})`);
      expect(problems).toEqual([]);
      const found = await source.validate('bad.yaml', text);
      expect(found.some((problem) => message.test(problem.message))).toBe(true);
    },
  );

  test('has the name in its document, else that of its file', async () => {
    const { component } = await componentFolder({
      'a.yaml': componentText('named', '"'),
      'my-router.yaml': 'kind: Component\nmetadata: [\n',
    });
    expect((await component('named'))?.failed).toMatch(/YAML/);
    expect((await component('my-router'))?.failed).toMatch(/YAML/);
  });

  test('has its reason also with ignoreErrors', async () => {
    const { component } = await componentFolder({
      'a.yaml': componentText('x', 'pubsub.kafka', '  ignoreErrors: true\n'),
    });
    expect(await component('x')).toMatchObject({
      ignoreErrors: true,
      failed: expect.stringContaining('unknown type'),
    });
  });

  test('is not used if another file has one of its name, and both are named', async () => {
    const { source, component } = await componentFolder({
      'a.yaml': componentText('twin'),
      'b.yaml': `${GOOD}---\n${componentText('twin')}`,
    });
    const { components } = await source.load();
    const message =
      'duplicate definition of component name twin: a.yaml (document 1, line 1) and b.yaml (document 2, line 9)';
    expect(components.filter(({ name }) => name === 'twin').map(({ failed }) => failed)).toEqual([
      `${message} (a.yaml:4:9)`,
      `${message} (b.yaml:12:9)`,
    ]);
    expect((await component('good'))?.failed).toBeUndefined();
  });
});
