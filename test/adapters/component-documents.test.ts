/** Warnings, files that hold no component, and the check of a text before it is saved. */
import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { PROFILES } from '../../core/contract/profile.ts';
import type { Problem } from '../../core/contract/subscription.ts';
import { componentFolder, componentText } from '../support/component-folder.ts';

const GOOD = componentText('good');

type Expected = Pick<Problem, 'line' | 'column' | 'field' | 'severity'> & { readonly message: RegExp };

function lines(...all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}

describe('a warning', () => {
  test.each<[string, string, Expected]>([
    [
      'another API version',
      componentText('x').replace('sidecar.io/v1alpha1', 'v1'),
      { line: 1, column: 13, field: 'apiVersion', message: /should be sidecar\.io\/v1alpha1/ },
    ],
    [
      'a timeout that is none',
      componentText('x', 'pubsub.in-memory', '  initTimeout: soon\n'),
      { line: 8, column: 16, field: 'spec.initTimeout', message: /5s is used/ },
    ],
    [
      'a member nobody reads',
      componentText('x', 'pubsub.in-memory', '  initTimout: 5s\n'),
      { line: 8, field: 'spec.initTimout', message: /not read\. Did you mean initTimeout\?/ },
    ],
    [
      'a top-level member nobody reads',
      `${componentText('x')}scope: [a]\n`,
      { line: 8, field: 'scope', message: /Did you mean scopes\?/ },
    ],
    [
      'a member of a setting',
      componentText('x', 'pubsub.in-memory', '  metadata:\n  - name: a\n    valeu: b\n'),
      { line: 10, field: 'spec.metadata[0].valeu', message: /Did you mean value\?/ },
    ],
  ])('a component with a warning is used: %s', async (_name, text, { message, ...expected }) => {
    const { component } = await componentFolder({ 'a.yaml': text });
    const one = await component('x');
    expect(one?.failed).toBeUndefined();
    expect(one?.problems).toMatchObject([{ file: 'a.yaml', document: 1, severity: 'warning', ...expected }]);
    expect(one?.problems[0]?.message).toMatch(message);
  });
});

describe('a file or document that holds no component', () => {
  test.each<[string, string | Uint8Array, Expected]>([
    ['garbage', 'a: b: c', { line: 1, message: /YAML: /, severity: 'error' }],
    [
      'a text',
      'hello',
      { line: 1, column: 1, field: 'kind', message: /must be an object with a kind/, severity: 'error' },
    ],
    [
      'a list',
      '- kind: Component',
      { line: 1, field: 'kind', message: /must be an object with a kind/, severity: 'error' },
    ],
    [
      'no kind',
      'metadata: {}',
      {
        line: 1,
        field: 'kind',
        message: /kind is missing; expected one of Component, Subscription, Resiliency/,
        severity: 'error',
      },
    ],
    [
      'an unknown kind',
      'kind: Componet',
      {
        line: 1,
        column: 7,
        field: 'kind',
        message: /kind Componet.*Did you mean Component\?/,
        severity: 'warning',
      },
    ],
    ['a broken subscription', 'kind: Subscription\nspec: [', { message: /YAML: /, severity: 'error' }],
    ['bytes', new Uint8Array([0xff, 0xfe, 0x00, 0x80]), { line: 1, message: /not UTF-8/, severity: 'error' }],
    [
      'a very large file',
      `# ${'x'.repeat(1024 * 1024)}`,
      { line: 1, message: /at most 1 MiB/, severity: 'error' },
    ],
    ['nested without end', '['.repeat(100_000), { message: /YAML: /, severity: 'error' }],
    [
      'aliases that unfold without end',
      lines(
        'a: &a [x,x,x,x,x,x,x,x,x,x]',
        ...'bcdefghi'
          .split('')
          .map(
            (name, n) =>
              `${name}: &${name} [${Array.from({ length: 9 }, () => `*${'abcdefgh'[n] ?? ''}`).join(',')}]`,
          ),
      ),
      { message: /YAML: .*alias/i, severity: 'error' },
    ],
  ])('a file without a component is reported: %s', async (_name, text, { message, ...expected }) => {
    const { source } = await componentFolder({ 'bad.yaml': text, 'good.yaml': GOOD });
    const { components, problems } = await source.load();
    expect(components.map(({ name, failed }) => [name, failed])).toEqual([['good', undefined]]);
    expect(problems[0]).toMatchObject({ file: 'bad.yaml', ...expected });
    expect(problems[0]?.message).toMatch(message);
  });

  test('a document of an unused kind is a warning, and no error', async () => {
    const { source } = await componentFolder({ 'a.yaml': 'kind: Configuration\n---\nkind: HTTPEndpoint\n' });
    const { problems, ...rest } = await source.load();
    expect(rest).toEqual({ components: [], subscriptions: [], resiliency: [] });
    expect(problems).toMatchObject([
      {
        severity: 'warning',
        code: 'OTHER_KIND',
        line: 1,
        message: 'Sidelight does not use kind Configuration and skips the document.',
      },
      {
        severity: 'warning',
        line: 3,
        message: 'Sidelight does not use kind HTTPEndpoint and skips the document.',
      },
    ]);
  });

  test.each([
    ['state.redis', 'state management'],
    ['configuration.redis', 'configuration'],
    ['middleware.http.ratelimit', 'HTTP middleware'],
  ])('a component of type %s is skipped, and no failed component', async (type, block) => {
    const { source } = await componentFolder({ 'a.yaml': componentText('other', type), 'good.yaml': GOOD });
    const { problems, components } = await source.load();
    expect(components.map(({ name, failed }) => [name, failed])).toEqual([['good', undefined]]);
    expect(problems).toMatchObject([
      {
        file: 'a.yaml',
        line: 6,
        column: 9,
        field: 'spec.type',
        code: 'OTHER_KIND',
        message: `Sidelight does not serve ${block}, so it skips component other (${type}).`,
        severity: 'warning',
      },
    ]);
  });

  test('a component of such a block is skipped also where its text has a mistake', async () => {
    const twice = componentText('other', 'state.redis').replace(
      '  version: v1\n',
      '  version: v1\n  version: v1\n',
    );
    const { source } = await componentFolder({ 'a.yaml': twice, 'good.yaml': GOOD });
    const { problems, components } = await source.load();
    expect(components.map(({ name, failed }) => [name, failed])).toEqual([['good', undefined]]);
    expect(problems).toMatchObject([{ file: 'a.yaml', code: 'OTHER_KIND', severity: 'warning' }]);
  });

  test('a missing folder is a problem, not a crash', async () => {
    const { source, folder } = await componentFolder({});
    await rm(folder, { recursive: true });
    const { problems, components } = await source.load();
    expect(components).toEqual([]);
    expect(problems).toMatchObject([
      { file: folder, severity: 'error', message: expect.stringContaining('Sidelight cannot read') },
    ]);
  });

  test.runIf(process.platform !== 'win32')(
    'a link to nothing or to itself is a problem, and the other files are read',
    async () => {
      const { source, folder } = await componentFolder({ 'c.yaml': GOOD });
      await symlink(join(folder, 'nothing'), join(folder, 'a.yaml'));
      await symlink(join(folder, 'b.yaml'), join(folder, 'b.yaml'));
      const { problems, components } = await source.load();
      expect(components).toHaveLength(1);
      expect(problems.map(({ file, message }) => [file, message.slice(0, 30)])).toEqual([
        ['a.yaml', 'Sidelight cannot read the file'],
        ['b.yaml', 'Sidelight cannot read the file'],
      ]);
    },
  );
});

describe('validate', () => {
  test('subscriptions and policies are judged with their exact place', async () => {
    const { source } = await componentFolder({});
    const subscription = lines(
      'apiVersion: sidecar.io/v2alpha1',
      'kind: Subscription',
      'metadata:',
      '  name: s',
      'spec:',
      '  pubsubname: pubsub',
      '  topic: 5',
      '  routes:',
      '    default: /a',
    );
    const match = lines(
      'apiVersion: sidecar.io/v2alpha1',
      'kind: Subscription',
      'metadata: {name: s}',
      'spec:',
      '  pubsubname: p',
      '  topic: t',
      '  routes:',
      '    rules:',
      '    - match: event.type ==',
      '      path: /a',
    );
    const policy = lines(
      'apiVersion: sidecar.io/v1alpha1',
      'kind: Resiliency',
      'spec:',
      '  policies:',
      '    retries:',
      '      a: {policy: constant, duration: soon}',
    );
    expect(await source.validate('a.yaml', subscription)).toMatchObject([
      { file: 'a.yaml', document: 1, line: 7, column: 10, field: 'spec.topic', severity: 'error' },
    ]);
    expect(await source.validate('a.yaml', `${GOOD}---\n${match}`)).toMatchObject([
      { document: 2, line: 17, column: 14, severity: 'error' },
    ]);
    expect(await source.validate('a.yaml', policy)).toMatchObject([
      { document: 1, line: 6, severity: 'error' },
    ]);
  });

  test.each([
    [
      'a route of the older version',
      'v2alpha1',
      ['  route: /a', '  routes: {default: /b}'],
      { line: 8, column: 10, field: 'spec.route', message: /route belongs to v1alpha1/ },
    ],
    [
      'routes of the newer version',
      'v1alpha1',
      ['  route: /a', '  routes: {default: /b}'],
      { line: 9, column: 11, field: 'spec.routes', message: /routes belongs to v2alpha1/ },
    ],
    [
      'a dead-letter topic that is the topic',
      'v1alpha1',
      ['  route: /a', '  deadLetterTopic: t'],
      { line: 9, column: 20, field: 'spec.deadLetterTopic', message: /what fails comes back/ },
    ],
    [
      'rawPayload that is no truth value',
      'v1alpha1',
      ['  route: /a', '  metadata:', '    rawPayload: perhaps'],
      { line: 10, column: 17, field: 'spec.metadata.rawPayload', message: /nothing can be delivered/ },
    ],
    [
      'no route at all',
      'v2alpha1',
      [],
      { line: 6, column: 3, field: 'spec.routes', message: /no rules and no default route/ },
    ],
  ])('of %s the line is named', async (_what, version, members, { message, ...place }) => {
    const { source } = await componentFolder({});
    const text = lines(
      `apiVersion: sidecar.io/${version}`,
      'kind: Subscription',
      'metadata:',
      '  name: s',
      'spec:',
      '  pubsubname: p',
      '  topic: t',
      ...members,
    );
    expect(await source.validate('a.yaml', text)).toMatchObject([
      { ...place, severity: 'warning', message: expect.stringMatching(message) as string },
    ]);
  });

  test('a good text has no problems; a name of another file is reported', async () => {
    const { source } = await componentFolder({ 'a.yaml': GOOD });
    await source.load();
    expect(await source.validate('a.yaml', GOOD)).toEqual([]);
    expect(await source.validate('b.yaml', GOOD)).toMatchObject([
      {
        line: 4,
        column: 9,
        field: 'metadata.name',
        message: 'duplicate definition of component name good: a.yaml and b.yaml',
      },
    ]);
    expect(await source.validate('b.yaml', 'x'.repeat(1024 * 1024 + 1))).toMatchObject([
      { severity: 'error' },
    ]);
  });

  test('the API groups of both profiles are accepted', async () => {
    const { source } = await componentFolder({}, { profile: PROFILES.dapr });
    expect(await source.validate('a.yaml', GOOD.replace('sidecar.io', 'dapr.io'))).toEqual([]);
    expect(await source.validate('a.yaml', GOOD)).toEqual([]);
  });
});
