/** The management API over the wire: versions, roles, registration, long-running operations, bodies, lists. */
import { describe, expect, test } from 'vitest';
import { CLIENT, TENANT, wanted, wireStand } from './wire-stand.ts';
import type { Json } from './wire-stand.ts';

function codeOf(answer: { readonly json: () => Json }): string {
  return String((answer.json()['error'] as Json)['code']);
}

describe('asking', () => {
  test('api-version is needed, well-formed and not older than 2018', async () => {
    const stand = await wireStand();
    const at = (version: string) =>
      stand.manage('GET', stand.recordPath().replace('?api-version=2022-06-15', version));
    const answers = await Promise.all(
      ['', '?api-version=', '?api-version=new', '?api-version=2017-01-01'].map(at),
    );
    expect(answers.map(codeOf)).toEqual([
      'MissingApiVersionParameter',
      'MissingApiVersionParameter',
      'InvalidApiVersionParameter',
      'InvalidApiVersionParameter',
    ]);
    expect((await at('?api-version=2024-06-01-preview')).status).toBe(404);
  });

  test('requests without a token, with a wrong one or with one for something else are refused', async () => {
    const stand = await wireStand();
    const get = (authorization?: string) =>
      stand.call('GET', stand.recordPath(), authorization === undefined ? {} : { authorization });
    const none = await get();
    expect([none.status, codeOf(none)]).toEqual([401, 'AuthenticationFailed']);
    expect(none.headers['www-authenticate']).toContain('Bearer authorization_uri=');
    expect((await get('Basic abc')).status).toBe(401);
    expect(codeOf(await get('Bearer a.b.c'))).toBe('InvalidAuthenticationToken');
    expect((await get(`Bearer ${await stand.token('https://eventgrid.azure.net')}`)).status).toBe(401);
    const forged = `${(await stand.token()).split('.').slice(0, 2).join('.')}.AAAA`;
    expect((await get(`Bearer ${forged}`)).status).toBe(401);
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${forged.split('.')[1]}.AA`;
    expect((await get(`Bearer ${unsigned}`)).status).toBe(401);
  });

  test('S23 doubled slashes are one, tricks are none', async () => {
    const stand = await wireStand();
    const shape = `//subscriptions/s1//providers/${stand.namespace}//eventSubscriptions/ordersin?api-version=2022-06-15`;
    const wide = await stand.manage('GET', shape);
    expect([wide.status, codeOf(wide)]).toEqual([403, 'AuthorizationFailed']);
    await stand.router.identity.grant(CLIENT, 'event-subscription-contributor', '/subscriptions/s1');
    expect((await stand.manage('GET', shape)).status).toBe(404);
    for (const trick of ['/subscriptions/s1/../s2', '/subscriptions/s1%2f', '/subscriptions/s1%5cx']) {
      const { status } = await stand.manage('GET', `${trick}/providers/x?api-version=2022-06-15`);
      expect([trick, status >= 400 && status < 500]).toEqual([trick, true]);
    }
    expect((await stand.manage('GET', '/nothing/here?api-version=2022-06-15')).status).toBe(404);
  });

  test('keywords of a scope have any letter case', async () => {
    const stand = await wireStand();
    await stand.subscribe();
    const shouted = stand
      .recordPath()
      .replace('/subscriptions/s1/resourceGroups/', '/SUBSCRIPTIONS/S1/RESOURCEGROUPS/');
    expect((await stand.manage('GET', shouted)).json()).toMatchObject({ name: 'ordersin' });
  });
});

describe('roles', () => {
  test('S16 with rbac: enforce nothing is granted, and the refusal names role and scope', async () => {
    const stand = await wireStand({ settings: { rbac: 'enforce' } });
    const refused = await stand.manage('GET', stand.recordPath());
    expect([refused.status, codeOf(refused)]).toEqual([403, 'AuthorizationFailed']);
    expect(refused.text).toContain(stand.scope);
    expect(refused.text).toContain('EventGrid EventSubscription Contributor');
    await stand.router.identity.grant(CLIENT, 'event-subscription-contributor', '/subscriptions/s1');
    const put = await stand.manage('PUT', stand.recordPath(), { properties: wanted(stand.subscriber) });
    expect([put.status, codeOf(put)]).toEqual([403, 'WebhookApplicationRoleMissing']);
    expect(put.text).toContain('4962773b-9cdb-44cf-a8bf-237846a00ab7');
    await stand.router.identity.grant('4962773b-9cdb-44cf-a8bf-237846a00ab7', 'webhook-subscriber', CLIENT);
    expect(
      (await stand.manage('PUT', stand.recordPath(), { properties: wanted(stand.subscriber) })).status,
    ).toBe(201);
  });

  test('a foreign application needs its role', async () => {
    const stand = await wireStand();
    const properties = wanted(stand.subscriber);
    const webhook = (properties['destination'] as Json)['properties'] as Json;
    webhook['azureActiveDirectoryApplicationIdOrUri'] = '44444444-4444-4444-8444-444444444444';
    const put = await stand.manage('PUT', stand.recordPath(), { properties });
    expect([put.status, codeOf(put)]).toEqual([403, 'WebhookApplicationRoleMissing']);
  });

  test('S17 an unregistered provider is a conflict', async () => {
    const stand = await wireStand();
    const provider = `/subscriptions/s1/providers/${stand.namespace}`;
    await stand.router.identity.grant(CLIENT, 'event-subscription-contributor', '/subscriptions/s1');
    expect((await stand.manage('GET', `${provider}?api-version=2022-06-15`)).json()).toMatchObject({
      registrationState: 'Registered',
    });
    await stand.manage('POST', `${provider}/unregister?api-version=2022-06-15`);
    const refused = await stand.manage('GET', stand.recordPath());
    expect([refused.status, codeOf(refused)]).toEqual([409, 'MissingSubscriptionRegistration']);
    await stand.manage('POST', `${provider}/register?api-version=2022-06-15`);
    expect((await stand.manage('GET', stand.recordPath())).status).toBe(404);
  });

  test('a role assignment grants the role of its definition', async () => {
    const stand = await wireStand();
    await stand.router.identity.registerClient({ tenantId: TENANT, clientId: 'other', clientSecret: 'x' });
    const path = `${stand.scope}/providers/Microsoft.Authorization/roleAssignments/1?api-version=2022-04-01`;
    const put = await stand.manage('PUT', path, {
      properties: { principalId: 'other', roleDefinitionId: '/x/d5a91429-5739-47e2-a06b-3470a27159e7' },
    });
    expect(put.status).toBe(201);
    const client = stand.router.identity.status().clients.find(({ clientId }) => clientId === 'other');
    expect(client?.grants).toEqual([{ role: 'data-sender', scope: stand.scope.toLowerCase() }]);
  });
});

describe('event subscriptions', () => {
  test('a PUT answers 201 at once and its operation ends when the handshake did', async () => {
    const stand = await wireStand();
    const put = await stand.manage('PUT', stand.recordPath(), {
      properties: wanted(`${stand.subscriber}?code=hidden`),
    });
    expect(put.status).toBe(201);
    expect(put.json()).toMatchObject({ name: 'ordersin', properties: { provisioningState: 'Creating' } });
    expect(put.headers['retry-after']).toBe('1');
    const operation = String(put.headers['azure-asyncoperation']);
    await expect.poll(async () => (await stand.manage('GET', operation)).json()['status']).toBe('Succeeded');
    const record = await stand.manage('GET', stand.recordPath());
    expect(record.text).not.toContain('hidden');
    expect(record.json()).toMatchObject({
      id: `${stand.scope}/providers/${stand.namespace}/eventSubscriptions/ordersin`,
      type: `${stand.namespace}/eventSubscriptions`,
      properties: {
        topic: stand.scope,
        provisioningState: 'Succeeded',
        destination: { properties: { endpointBaseUrl: stand.subscriber, maxEventsPerBatch: 1 } },
        retryPolicy: { maxDeliveryAttempts: 30, eventTimeToLiveInMinutes: 1440 },
      },
    });
    const full = await stand.manage('POST', stand.recordPath().replace('?', '/getFullUrl?'));
    expect(full.json()).toEqual({ endpointUrl: `${stand.subscriber}?code=hidden` });
  });

  test('S20 a failed handshake fails the operation, with the words for a person', async () => {
    const stand = await wireStand();
    await stand.router.ingress.setFault('503');
    const put = await stand.manage('PUT', stand.recordPath(), { properties: wanted(stand.subscriber) });
    const operation = String(put.headers['azure-asyncoperation']);
    await expect.poll(async () => (await stand.manage('GET', operation)).json()['status']).toBe('Failed');
    expect((await stand.manage('GET', operation)).json()).toMatchObject({
      error: {
        code: 'Url validation',
        message: expect.stringContaining('The ingress is malfunctioning.') as string,
      },
    });
    expect(await stand.settled()).toMatchObject({ provisioningState: 'Failed' });
    await stand.router.ingress.setFault('none');
    expect(await stand.subscribe()).toMatchObject({ provisioningState: 'Succeeded' });
  });

  test('PATCH changes only its own members, and DELETE is 200 once and then 204', async () => {
    const stand = await wireStand();
    await stand.subscribe({ labels: ['a'] });
    const patched = await stand.manage('PATCH', stand.recordPath(), {
      retryPolicy: { maxDeliveryAttempts: 3 },
    });
    expect(patched.status).toBe(201);
    expect(await stand.settled()).toMatchObject({ labels: ['a'], retryPolicy: { maxDeliveryAttempts: 3 } });
    expect((await stand.manage('DELETE', stand.recordPath())).status).toBe(200);
    expect((await stand.manage('DELETE', stand.recordPath())).status).toBe(204);
    expect((await stand.manage('GET', stand.recordPath())).status).toBe(404);
  });

  test('lists have pages and filters', async () => {
    const stand = await wireStand();
    for (const name of ['alpha', 'beta', 'alphabet']) await stand.subscribe({}, name);
    const list = async (query: string): Promise<Json> =>
      (await stand.manage('GET', `${stand.recordPath().replace('/ordersin', '')}${query}`)).json();
    const names = (page: Json): unknown[] => (page['value'] as Json[]).map(({ name }) => name);
    expect(names(await list(''))).toEqual(['alpha', 'beta', 'alphabet']);
    expect(names(await list("&$filter=contains(name,'alpha')"))).toEqual(['alpha', 'alphabet']);
    expect(names(await list("&$filter=name eq 'beta'".replaceAll(' ', '%20')))).toEqual(['beta']);
    const first = await list('&$top=2');
    expect(names(first)).toEqual(['alpha', 'beta']);
    expect(names((await stand.manage('GET', String(first['nextLink']))).json())).toEqual(['alphabet']);
    expect((await list('&$top=0'))['error']).toMatchObject({ code: 'InvalidRequest' });
  });

  test.each<readonly [string, (properties: Json) => unknown]>([
    ['properties is missing', () => undefined],
    ['destination is missing', (properties) => ({ ...properties, destination: undefined })],
    [
      'not supported by the local router',
      (properties) => ({ ...properties, destination: { endpointType: 'EventHub' } }),
    ],
    ['must use https', () => wanted('http://localhost/x')],
    ['not an absolute URL', () => wanted('nowhere')],
    ['no user information', () => wanted('https://u:p@localhost/x')],
    [
      'maxDeliveryAttempts must be an integer 1 to 30',
      (properties) => ({ ...properties, retryPolicy: { maxDeliveryAttempts: 31 } }),
    ],
    [
      'eventTimeToLiveInMinutes must be',
      (properties) => ({ ...properties, retryPolicy: { eventTimeToLiveInMinutes: 0 } }),
    ],
    [
      'Invalid expiration time.',
      (properties) => ({ ...properties, expirationTimeUtc: '2020-01-01T00:00:00Z' }),
    ],
    ['eventDeliverySchema must be one of', (properties) => ({ ...properties, eventDeliverySchema: 'X' })],
    [
      'blobContainerName',
      (properties) => ({
        ...properties,
        deadLetterDestination: { endpointType: 'StorageBlob', properties: { blobContainerName: '../x' } },
      }),
    ],
  ])('a wrong body is refused: %s', async (says, change) => {
    const { readSubscriptionBody } = await import('../../core/local-router/rules/record-body.ts');
    const read = readSubscriptionBody(change(wanted('https://localhost/x')), {
      nowMs: Date.now(),
      allowInsecureSubscribers: false,
    });
    expect(read.ok ? '' : read.complaint).toContain(says);
  });

  test('invalid bodies, names and methods are refused', async () => {
    const stand = await wireStand();
    const authorization = `Bearer ${await stand.token()}`;
    const put = (body: string) => stand.call('PUT', stand.recordPath(), { authorization }, body);
    for (const body of ['', '{', '[]', '"x"', `{"a":${'['.repeat(70)}${']'.repeat(70)}}`]) {
      const answer = await put(body);
      expect([answer.status, codeOf(answer)]).toEqual([400, 'InvalidRequestContent']);
    }
    expect((await put(`{"x":"${'x'.repeat(1_048_576)}"}`)).status).toBe(413);
    const named = await stand.manage('PUT', stand.recordPath('no-hyphen'), {
      properties: wanted(stand.subscriber),
    });
    expect([named.status, codeOf(named)]).toEqual([400, 'InvalidRequest']);
    expect((await stand.manage('POST', stand.recordPath())).status).toBe(405);
  });
});

test('topics can be put, read and listed, and their keys read', async () => {
  const stand = await wireStand();
  await stand.router.identity.grant(CLIENT, 'contributor', '/subscriptions/s1');
  const at = (name: string, action = '') =>
    `${stand.scope.replace('/orders', `/${name}`)}${action}?api-version=2022-06-15`;
  const put = await stand.manage('PUT', at('fresh'), { location: 'anywhere', properties: {} });
  expect([put.status, put.json()]).toMatchObject([
    201,
    { location: 'local', properties: { inputSchema: 'EventGridSchema' } },
  ]);
  for (const name of ['ab', 'x'.repeat(51), 'a_b', 'Microsoft-x', 'system1']) {
    expect((await stand.manage('PUT', at(name), { location: 'x' })).status).toBe(400);
  }
  expect((await stand.manage('PUT', at('fresh'), {})).status).toBe(400);
  const taken = at('fresh').replace('/dev/', '/other/');
  expect((await stand.manage('PUT', taken, { location: 'x' })).status).toBe(409);
  const keys = (await stand.manage('POST', at('fresh', '/listKeys'))).json();
  const changed = (await stand.manage('POST', at('fresh', '/regenerateKey'), { keyName: 'key1' })).json();
  expect(changed['key2']).toBe(keys['key2']);
  expect(changed['key1']).not.toBe(keys['key1']);
  const listed = await stand.manage(
    'GET',
    `/subscriptions/s1/providers/${stand.namespace}/topics?api-version=2022-06-15`,
  );
  expect((listed.json()['value'] as Json[]).map(({ name }) => name)).toEqual(['orders', 'fresh']);
  // Stock clients take 202 and 204, and nothing else.
  expect((await stand.manage('DELETE', at('fresh'))).status).toBe(204);
  expect((await stand.manage('DELETE', at('fresh'))).status).toBe(204);
  expect((await stand.manage('GET', at('fresh'))).status).toBe(404);
});

describe('requests of management clients beside the records', () => {
  test('the event subscriptions of a topic stand below it too, as the same records', async () => {
    const stand = await wireStand();
    const below = (name: string): string => `${stand.scope}/eventSubscriptions${name}?api-version=2022-06-15`;
    const put = await stand.manage('PUT', below('/ordersin'), { properties: wanted(stand.subscriber) });
    expect(put.status).toBe(201);
    await stand.settled();
    expect((await stand.manage('GET', below('/ordersin'))).json()['id']).toBe(
      (await stand.manage('GET', stand.recordPath())).json()['id'],
    );
    expect(namesOf(await stand.manage('GET', below('')))).toEqual(['ordersin']);
    expect((await stand.manage('POST', below('/ordersin/getFullUrl'))).json()).toEqual({
      endpointUrl: stand.subscriber,
    });
    expect((await stand.manage('DELETE', below('/ordersin'))).status).toBe(200);
  });

  test('regional lists and lists of one type of topics hold what is there', async () => {
    const stand = await wireStand();
    await stand.router.identity.grant(CLIENT, 'contributor', '/subscriptions/s1');
    await stand.subscribe();
    const list = async (path: string): Promise<unknown> =>
      namesOf(
        await stand.manage(
          'GET',
          `/subscriptions/s1${path.replace('{ns}', stand.namespace)}/eventSubscriptions?api-version=2022-06-15`,
        ),
      );
    const here = ['ordersin'];
    const type = `${stand.namespace}.Topics`;
    expect(await list('/providers/{ns}/locations/local')).toEqual(here);
    expect(await list('/providers/{ns}/locations/westus2')).toEqual([]);
    expect(await list('/resourceGroups/dev/providers/{ns}/locations/Local')).toEqual(here);
    expect(await list('/resourceGroups/prod/providers/{ns}/locations/local')).toEqual([]);
    expect(await list(`/providers/{ns}/topicTypes/${type}`)).toEqual(here);
    expect(await list('/providers/{ns}/topicTypes/Microsoft.Storage.StorageAccounts')).toEqual([]);
    expect(await list(`/resourceGroups/dev/providers/{ns}/locations/local/topicTypes/${type}`)).toEqual(here);
  });

  test.each([
    ['/providers/{ns}/operations', '{ns}/eventSubscriptions/read'],
    ['/providers/{ns}/topicTypes', '{ns}.Topics'],
    ['/providers/{ns}/topicTypes/{ns}.Topics/eventTypes', undefined],
    ['/subscriptions/s1/providers/{ns}/domains', undefined],
    ['/subscriptions/s1/resourceGroups/dev/providers/{ns}/systemTopics', undefined],
    [
      '/subscriptions/s1/resourceGroups/dev/providers/{ns}/topics/orders/providers/{ns}/eventTypes',
      undefined,
    ],
  ])('%s is a list whose first is %s', async (path, first) => {
    const stand = await wireStand();
    const named = (text: string): string => text.replaceAll('{ns}', stand.namespace);
    const answer = await stand.manage('GET', `${named(path)}?api-version=2022-06-15`);
    expect(answer.status).toBe(200);
    expect((namesOf(answer) as unknown[])[0]).toBe(first === undefined ? undefined : named(first));
    expect((await stand.manage('PUT', `${named(path)}?api-version=2022-06-15`, {})).status).toBe(405);
  });

  test('only one type of topics exists', async () => {
    const stand = await wireStand();
    const at = (name: string): string =>
      `/providers/${stand.namespace}/topicTypes/${name}?api-version=2022-06-15`;
    const own = await stand.manage('GET', at(`${stand.namespace}.Topics`));
    expect(own.json()).toMatchObject({ properties: { provider: stand.namespace } });
    expect((await stand.manage('GET', at('Other.Topics'))).status).toBe(404);
    expect(
      (await stand.manage('GET', `/providers/${stand.namespace}/more?api-version=2022-06-15`)).status,
    ).toBe(404);
  });
});

function namesOf(answer: { json(): Json }): unknown {
  return (answer.json()['value'] as Json[]).map(({ name }) => name);
}
