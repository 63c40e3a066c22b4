// Component documents with their complaints, templates, and the invoke and sides of bindings.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PROFILES } from '../../core/contract/profile.ts';
import {
  readInvoke,
  readSides,
  unknownBinding,
  unsupportedOperation,
} from '../../core/domain/binding-invoke.ts';
import { fillTemplates, mayReferTo, readComponent } from '../../core/domain/component.ts';
import { refusalOf } from '../../core/domain/refusal.ts';
import { rowsOf } from './spec-rows.ts';
import { codec } from './node-codec.ts';

const where = { file: 'c.yaml', document: 1, line: 3 };
const good = {
  apiVersion: 'sidecar.io/v1alpha1',
  kind: 'Component',
  metadata: { name: 'pubsub' },
  spec: { type: 'pubsub.in-memory', version: 'v1', metadata: [{ name: 'a', value: 'x' }] },
};
const read = (document: unknown): ReturnType<typeof readComponent> =>
  readComponent(document, where, PROFILES.sidecar);
const withSpec = (spec: Readonly<Record<string, unknown>>): unknown => ({
  ...good,
  spec: { ...good.spec, ...spec },
});

describe('a component', () => {
  test('is read with all members', () => {
    const document = {
      ...good,
      metadata: { name: 'orders', namespace: 'prod' },
      spec: {
        type: 'PubSub.Redis',
        version: 'v1',
        ignoreErrors: true,
        initTimeout: '10s',
        metadata: [
          { name: 'redisHost', value: 'localhost' },
          { name: 'port', value: 9000 },
          { name: 'tls', value: false },
          { name: 'redisPassword', secretKeyRef: { name: 'redis', key: 'pw' } },
          { name: 'token', secretKeyRef: { name: 'redis' } },
          { name: 'user', envRef: 'REDIS_USER' },
          { name: 'empty' },
        ],
      },
      auth: { secretStore: 'local' },
      scopes: ['a'],
    };
    expect(read(document)).toEqual({
      component: {
        name: 'orders',
        type: 'pubsub.redis',
        version: 'v1',
        ignoreErrors: true,
        initTimeoutMs: 10_000,
        metadata: [
          { name: 'redisHost', value: 'localhost', written: 'string' },
          { name: 'port', value: '9000', written: 'number' },
          { name: 'tls', value: 'false', written: 'boolean' },
          { name: 'redisPassword', secretKeyRef: { name: 'redis', key: 'pw' } },
          { name: 'token', secretKeyRef: { name: 'redis', key: 'redis' } },
          { name: 'user', envRef: 'REDIS_USER' },
          { name: 'empty', value: '', written: 'string' },
        ],
        auth: { secretStore: 'local' },
        scopes: ['a'],
        namespace: 'prod',
      },
      problems: [],
    });
  });

  test('optional members have defaults', () => {
    expect(read({ ...good, spec: { type: 'x.y' } }).component).toEqual({
      name: 'pubsub',
      type: 'x.y',
      version: 'v1',
      ignoreErrors: false,
      initTimeoutMs: 5000,
      metadata: [],
      scopes: [],
    });
    expect(read(withSpec({ version: 'v0' })).component?.version).toBe('v1');
  });

  test.each([
    ['x', ''],
    [{ ...good, kind: 'Thing' }, 'kind'],
    [{ ...good, metadata: undefined }, 'metadata'],
    [{ ...good, metadata: { name: '' } }, 'metadata.name'],
    [{ ...good, metadata: { name: 'a/b' } }, 'metadata.name'],
    [{ ...good, metadata: { name: '..' } }, 'metadata.name'],
    [{ ...good, metadata: { name: 'a%b' } }, 'metadata.name'],
    [{ ...good, spec: undefined }, 'spec'],
    [withSpec({ type: '' }), 'spec.type'],
    [withSpec({ version: 'v2' }), 'spec.version'],
    [withSpec({ ignoreErrors: 'yes' }), 'spec.ignoreErrors'],
    [withSpec({ metadata: {} }), 'spec.metadata'],
    [withSpec({ metadata: ['x'] }), 'spec.metadata[0]'],
    [withSpec({ metadata: [{ value: 'x' }] }), 'spec.metadata[0].name'],
    [withSpec({ metadata: [{ name: 'a', value: { b: 1 } }] }), 'spec.metadata[0].value'],
    [withSpec({ metadata: [{ name: 'a', value: 'x', envRef: 'Y' }] }), 'spec.metadata[0].value'],
    [withSpec({ metadata: [{ name: 'a', secretKeyRef: {} }] }), 'spec.metadata[0].secretKeyRef.name'],
    [withSpec({ metadata: [{ name: 'a', envRef: 'APP_API_TOKEN' }] }), 'spec.metadata[0].envRef'],
    [{ ...good, scopes: 'a' }, 'scopes'],
  ])('%j is refused, naming the field', (document, field) => {
    const { component, problems } = read(document);
    expect(component).toBeUndefined();
    expect(problems.at(-1)).toMatchObject({ file: 'c.yaml', document: 1, line: 3, field, severity: 'error' });
  });

  test('all mistakes of the settings are reported at once', () => {
    const { problems } = read(
      withSpec({ version: 'v9', metadata: [{ value: 1 }, { name: 'b', value: [] }] }),
    );
    expect(problems.map(({ field }) => field)).toEqual([
      'spec.version',
      'spec.metadata[0].name',
      'spec.metadata[1].value',
    ]);
  });

  test('another group version, a bad initTimeout and a name that stands twice are reported and used', () => {
    const odd = {
      ...good,
      apiVersion: 'v1',
      spec: {
        ...good.spec,
        initTimeout: 'soon',
        metadata: [
          { name: 'a', value: 1 },
          { name: 'A', value: 2 },
        ],
      },
    };
    const { component, problems } = read(odd);
    expect(component?.initTimeoutMs).toBe(5000);
    expect(problems.map(({ field, severity }) => [field, severity])).toEqual([
      ['apiVersion', 'warning'],
      ['spec.initTimeout', 'warning'],
      ['spec.metadata[1].name', 'warning'],
    ]);
  });

  test('the wrapper rows of the interface are read', () => {
    const fields = rowsOf('component').map(({ id }) => id);
    expect(fields).toContain('component.apiVersion');
    expect(read(good)).toMatchObject({
      component: { name: 'pubsub', type: 'pubsub.in-memory', version: 'v1' },
      problems: [],
    });
  });

  test('tokens and own variables stay with the sidecar', () => {
    expect(
      ['SIDECAR_API_TOKEN', 'APP_API_TOKEN', 'A B', '', 'sidecar_x'].map((name) =>
        mayReferTo(name, PROFILES.sidecar),
      ),
    ).not.toContain(true);
    expect([mayReferTo('DAPR_X', PROFILES.dapr), mayReferTo('REDIS', PROFILES.dapr)]).toEqual([false, true]);
  });

  test('property: any document is read without throwing', () => {
    const member = fc.constantFrom(
      'apiVersion',
      'kind',
      'metadata',
      'spec',
      'auth',
      'scopes',
      'name',
      'type',
      'value',
    );
    fc.assert(
      fc.property(fc.dictionary(member, fc.jsonValue()), (part) => {
        const { component, problems } = read({ ...good, ...part });
        expect(component !== undefined || problems.length > 0).toBe(true);
      }),
    );
  });
});

describe('templates', () => {
  let uuids = 0;
  const facts = { uuid: () => `u${++uuids}`, appId: 'app' };

  test('each {uuid} gets another value, and the other names their own', () => {
    expect(fillTemplates('{uuid}-{uuid}-{appID}-{appid}', facts)).toEqual({
      ok: true,
      value: 'u1-u2-app-{appid}',
    });
    expect(fillTemplates('{namespace}', { ...facts, namespace: 'ns' })).toEqual({
      ok: true,
      value: 'ns.app',
    });
    expect(fillTemplates('{namespace}', facts)).toEqual({ ok: true, value: 'app' });
    expect(fillTemplates('{podName}', { ...facts, podName: 'p-0' })).toEqual({ ok: true, value: 'p-0' });
  });

  test('{podName} without a pod name is refused', () => {
    expect(fillTemplates('x{podName}', facts).ok).toBe(false);
  });
});

describe('a binding', () => {
  const invoke = (body: unknown): ReturnType<typeof readInvoke> =>
    readInvoke(
      'out',
      typeof body === 'string' ? body : JSON.stringify(body),
      codec,
      PROFILES.dapr.differences,
    );

  test('the component gets operation, data and metadata of the request', () => {
    expect(invoke('{"operation":"create","data":{"n": 12345678901234567890},"metadata":{"k":"v"}}')).toEqual({
      ok: true,
      value: { operation: 'create', data: '{"n": 12345678901234567890}', metadata: { k: 'v' } },
    });
    expect(invoke({ operation: 'create' })).toMatchObject({ value: { data: 'null', metadata: {} } });
    expect(invoke({ Operation: 'create', DATA: 'text' })).toMatchObject({ value: { data: '"text"' } });
  });

  test.each([
    '',
    'x',
    '[1]',
    '5',
    '{"operation":5}',
    '{"operation":"create","metadata":{"a":1}}',
    '{"metadata":[]}',
  ])('%j is malformed', (body) => {
    expect(invoke(body)).toMatchObject({ ok: false, complaint: { code: 'ERR_MALFORMED_REQUEST' } });
  });

  test.each(['{}', 'null', '{"operation":""}', '{"operation":null}'])('%j has no operation', (body) => {
    const result = invoke(body);
    expect(result.ok ? '' : refusalOf(result.complaint).message).toBe(
      'error invoking output binding out: operation field is missing from request',
    );
  });

  test('an unknown name or operation is refused in the words of the reference', () => {
    expect(refusalOf(unknownBinding('out')).message).toBe(
      "error invoking output binding out: couldn't find output binding out",
    );
    const unsupported = unsupportedOperation('out', 'delete', ['create', 'get']);
    expect(unsupported === undefined ? '' : refusalOf(unsupported).message).toBe(
      'error invoking output binding out: binding out does not support operation delete. supported operations:create get',
    );
    expect(unsupportedOperation('out', 'create', ['create'])).toBeUndefined();
  });

  test.each([
    [{}, true, true, false],
    [{ direction: '' }, true, true, false],
    [{ direction: 'input' }, true, false, true],
    [{ Direction: 'OUTPUT' }, false, true, true],
    [{ direction: 'output , input' }, true, true, true],
    [{ direction: 'sideways' }, false, false, true],
  ])('the metadata %j has an input: %s, and an output: %s', (metadata, input, output, explicit) => {
    expect(readSides(metadata as Readonly<Record<string, string>>)).toMatchObject({
      input,
      output,
      explicit,
    });
  });

  test('another word in the direction is named', () => {
    expect(readSides({ direction: 'input, both' }).unknown).toEqual(['both']);
  });
});
