/** Clients we did not write, unmodified but for endpoint and trust: publishing, managing, asking for tokens (T03, T08, T26, J18). */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { CLIENT, KEY, SECRET, TENANT, wireStand } from './wire-stand.ts';

const run = promisify(execFile);
const ROOT = path.resolve(import.meta.dirname, '..', '..');

const SCRIPT = `
import { EventGridManagementClient } from '@azure/arm-eventgrid';
import { AzureKeyCredential, EventGridPublisherClient, generateSharedAccessSignature } from '@azure/eventgrid';
import { ClientSecretCredential } from '@azure/identity';
const { base, scope, subscriber, tenant, client, secret, key } = JSON.parse(process.env.STAND);
const said = {};
const credential = new ClientSecretCredential(tenant, client, secret, { authorityHost: base, disableInstanceDiscovery: true });
said.token = (await credential.getToken(base + '/.default')).token.split('.').length;
const management = new EventGridManagementClient(credential, 's1', { endpoint: base });
said.missing = await management.eventSubscriptions.get(scope, 'ordersin').then(() => 'found', (error) => [error.statusCode, error.code]);
const made = await management.eventSubscriptions.beginCreateOrUpdateAndWait(scope, 'ordersin', {
  destination: { endpointType: 'WebHook', endpointUrl: subscriber, azureActiveDirectoryTenantId: tenant, azureActiveDirectoryApplicationIdOrUri: client },
  eventDeliverySchema: 'CloudEventSchemaV1_0',
}, { updateIntervalInMs: 20 });
said.state = made.provisioningState;
said.full = (await management.eventSubscriptions.getFullUrl(scope, 'ordersin')).endpointUrl;
said.listed = [];
for await (const one of management.eventSubscriptions.listByResource('dev', 'Microsoft.EventGrid', 'topics', 'orders')) said.listed.push(one.name);
// The clients' standard audience is that of the real service: only the address is another one.
const stock = new EventGridManagementClient(credential, 's1', { endpoint: base, credentialScopes: ['https://management.azure.com/.default'] });
const all = async (items) => {
  const names = [];
  for await (const one of items) names.push(one.name);
  return names;
};
const space = 'Microsoft.EventGrid';
said.stock = {
  topic: (await stock.topics.beginCreateOrUpdateAndWait('dev', 'fresh', { location: 'local' }, { updateIntervalInMs: 20 })).name,
  ofTopic: await all(stock.topicEventSubscriptions.list('dev', 'orders')),
  regional: await all(stock.eventSubscriptions.listRegionalBySubscription('local')),
  elsewhere: await all(stock.eventSubscriptions.listRegionalByResourceGroup('dev', 'westus2')),
  ofType: await all(stock.eventSubscriptions.listGlobalBySubscriptionForTopicType(space + '.Topics')),
  operations: (await all(stock.operations.list())).includes(space + '/topics/read'),
  topicTypes: await all(stock.topicTypes.list()),
  eventTypes: await all(stock.topics.listEventTypes('dev', space, 'topics', 'fresh')),
  domains: await all(stock.domains.listBySubscription()),
};
await stock.topics.beginDeleteAndWait('dev', 'fresh');
said.stock.deleted = await stock.topics.get('dev', 'fresh').then(() => 'found', (error) => error.statusCode);
const topic = base + '/topics/orders/api/events';
const event = { type: 'order.placed', source: '/shop', data: { n: 1 } };
const publish = (given, more) => new EventGridPublisherClient(topic, 'CloudEvent', given).send([{ ...event, ...more }]);
await publish(new AzureKeyCredential(key), { id: 'by-key' });
await publish(new AzureKeyCredential(key), { id: 'binary', data: new Uint8Array([1, 2, 3]), datacontenttype: 'application/octet-stream' });
const sas = await generateSharedAccessSignature(topic, new AzureKeyCredential(key), new Date(Date.now() + 60000));
const { AzureSASCredential } = await import('@azure/core-auth');
await publish(new AzureSASCredential(sas), { id: 'by-signature' });
await publish(credential, { id: 'by-token' });
said.refused = await publish(new AzureKeyCredential('wrong'), { id: 'never' }).then(() => 'taken', (error) => error.statusCode);
process.stdout.write(JSON.stringify(said));
process.stdin.resume();
await new Promise((resolve) => process.stdin.once('end', resolve));
await management.eventSubscriptions.beginDeleteAndWait(scope, 'ordersin');
`;

test('T03, T08, T26, J18 the stock JavaScript clients publish, manage and get their tokens', async () => {
  const stand = await wireStand({ profile: 'dapr' });
  await stand.router.identity.grant(CLIENT, 'contributor', '/subscriptions/s1');
  const folder = mkdtempSync(path.join(tmpdir(), 'sidelight-stock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const ca = path.join(folder, 'ca.pem');
  writeFileSync(ca, stand.router.certificates.caPem());
  const facts = {
    base: stand.base,
    scope: stand.scope,
    subscriber: stand.subscriber,
    tenant: TENANT,
    client: CLIENT,
    secret: SECRET,
    key: KEY,
  };
  // The clients run in a process of their own: the authority is trusted through the environment, as a user of these clients does it.
  const running = run(process.execPath, ['--input-type=module', '--eval', SCRIPT], {
    cwd: ROOT,
    env: { ...process.env, NODE_EXTRA_CA_CERTS: ca, STAND: JSON.stringify(facts) },
  });
  let said = '';
  running.child.stdout?.on('data', (chunk: string) => (said += chunk));
  // A client that fails ends its process, and then nothing is waited for.
  let over = false;
  const ended = running.finally(() => (over = true));
  ended.catch(() => undefined);
  await expect.poll(() => over || said.endsWith('}'), { timeout: 15_000 }).toBe(true);
  if (over) await ended;
  expect(JSON.parse(said)).toEqual({
    token: 3,
    missing: [404, 'ResourceNotFound'],
    state: 'Succeeded',
    full: stand.subscriber,
    listed: ['ordersin'],
    stock: {
      topic: 'fresh',
      ofTopic: ['ordersin'],
      regional: ['ordersin'],
      elsewhere: [],
      ofType: ['ordersin'],
      operations: true,
      topicTypes: ['Microsoft.EventGrid.Topics'],
      eventTypes: [],
      domains: [],
      deleted: 404,
    },
    refused: 401,
  });
  await expect.poll(() => stand.hook.events().length).toBe(4);
  const bodies = stand.hook.events().map(({ body }) => JSON.parse(body) as Record<string, unknown>);
  expect(bodies.map(({ id }) => id).toSorted()).toEqual(['binary', 'by-key', 'by-signature', 'by-token']);
  expect(bodies.find(({ id }) => id === 'binary')).toMatchObject({ data_base64: 'AQID' });
  expect(stand.hook.events()[0]?.headers).toMatchObject({ 'webhook-request-origin': 'eventgrid.azure.net' });
  running.child.stdin?.end();
  await running;
  expect(stand.router.subscriptions.list()).toEqual([]);
});
