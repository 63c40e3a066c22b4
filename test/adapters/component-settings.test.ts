/** Settings that a type cannot read: each is named with its line and column, before anything is started, also in the editor. */
import { describe, expect, test } from 'vitest';
import { SecretValues } from '../../core/domain/secret-values.ts';
import { componentFolder, componentText } from '../support/component-folder.ts';

const STORE = `---\n${componentText('store', 'secretstores.local.env')}`;

function redis(...settings: readonly string[]): string {
  return componentText(
    'pubsub',
    'pubsub.redis',
    `  metadata:\n${settings.map((one) => `    - ${one}\n`).join('')}`,
  );
}

describe.each([
  ['redisHost', 'a:b:c', 'redisHost must be a host with a port, for example 127.0.0.1:6379'],
  ['redisDB', '-1', 'redisDB must be a whole number 0 to 1000000, got "-1"'],
  ['enableTLS', 'perhaps', 'enableTLS must be true or false, got "perhaps"'],
  // As it is written: a secret in other letters would not be known, and not be masked.
  ['enableTLS', 'Perhaps', 'enableTLS must be true or false, got "Perhaps"'],
  [
    'processingTimeout',
    'soon',
    'processingTimeout must be a time, for example 60s or 60000 (ms), got "soon"',
  ],
  ['redeliverInterval', '-1s', 'redeliverInterval must be a time, for example 60s or 60000 (ms), got "-1s"'],
  ['queueDepth', '0', 'queueDepth must be a whole number 1 to 10000, got "0"'],
  ['concurrency', '1.5', 'concurrency must be a whole number 1 to 10000, got "1.5"'],
  ['maxLenApprox', 'many', 'maxLenApprox must be a whole number 0 to 9007199254740991, got "many"'],
  ['redisType', 'cluster', 'redisType must be node, got "cluster"'],
])('pubsub.redis with %s: %s', (name, value, message) => {
  const host = name === 'redisHost' ? [] : ['{ name: redisHost, value: "127.0.0.1:1" }'];
  const text = redis(...host, `{ name: ${name}, value: "${value}" }`);
  const line = 9 + host.length;
  const problem = {
    file: 'a.yaml',
    document: 1,
    line,
    column: `    - { name: ${name}, value: `.length + 1,
    field: `spec.metadata[${host.length}].value`,
    message,
    severity: 'error',
  };

  test('is a problem of its component, which is not built', async () => {
    const { component } = await componentFolder({ 'a.yaml': text });
    const spec = await component('pubsub');
    expect(spec?.problems).toEqual([problem]);
    expect(spec?.failed).toBe(`${message} (a.yaml:${line}:${problem.column})`);
  });

  test('is reported for an unsaved text', async () => {
    const { source } = await componentFolder({});
    expect(await source.validate('a.yaml', text)).toEqual([problem]);
  });
});

test('all mistakes of a component, also missing settings, are reported at once', async () => {
  const text = redis('{ name: queueDepth, value: x }', '{ name: concurrency, value: y }');
  const { component } = await componentFolder({ 'a.yaml': text });
  const { problems = [] } = (await component('pubsub')) ?? {};
  expect(problems.map(({ field }) => field)).toEqual(['spec.metadata']);
  const { source } = await componentFolder({});
  const both = await source.validate(
    'a.yaml',
    text.replace('    - ', '    - { name: redisHost, value: a }\n    - '),
  );
  expect(both.map(({ line }) => line)).toEqual([10, 11]);
});

test.each([
  ['bindings.cron', '{ name: schedule, value: daily }', /schedule "daily" is not understood/],
  ['bindings.http', '{ name: url, value: "ftp://me:hunter2@a/" }', /url must be .*, got ftp:\/\/\*\*\*@a\/$/],
])('a bad setting of %s is reported too', async (type, setting, message) => {
  const { source } = await componentFolder({});
  const text = componentText('x', type, `  metadata:\n    - ${setting}\n`);
  const problem = { line: 9, field: 'spec.metadata[0].value', message: expect.stringMatching(message) };
  expect(await source.validate('a.yaml', text)).toMatchObject([problem]);
});

test('a bad setting of pubsub.jetstream is reported too', async () => {
  const text = componentText(
    'pubsub',
    'pubsub.jetstream',
    '  metadata:\n    - { name: ackWait, value: soon }\n',
  );
  const { source } = await componentFolder({});
  expect(await source.validate('a.yaml', text)).not.toEqual([]);
});

test('a bad value from a secret is reported once it is known, and is not repeated', async () => {
  const secrets = new SecretValues();
  const reference = '{ name: queueDepth, secretKeyRef: { name: DEPTH, key: DEPTH } }';
  const text = `${redis('{ name: redisHost, value: a }', reference)}auth:\n  secretStore: store\n${STORE}`;
  const options = { env: { DEPTH: 'hunter2-depth' }, secrets };
  const { component, source } = await componentFolder({ 'a.yaml': text }, options);
  expect(await source.validate('a.yaml', text)).toEqual([]);
  const spec = await component('pubsub');
  expect(spec?.problems).toMatchObject([{ line: 10, message: expect.stringContaining('got "***"') }]);
  expect(JSON.stringify([spec?.problems, spec?.failed, spec?.shown])).not.toContain('hunter2');
});
