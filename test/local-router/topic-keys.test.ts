/** Access to the keys of a topic over the management API. */
import { describe, expect, test } from 'vitest';
import { CLIENT, wireStand } from './wire-stand.ts';
import type { Json } from './wire-stand.ts';

function codeOf(answer: { readonly json: () => Json }): string {
  return String((answer.json()['error'] as Json)['code']);
}

describe('topic keys', () => {
  const CONTRIBUTOR = '1e241071-0855-49ea-94dc-649edcd759de';
  const path = (scope: string, action: string) => `${scope}/${action}?api-version=2022-06-15`;

  test('a contributor of event subscriptions may not read or change them', async () => {
    const stand = await wireStand();
    await stand.router.identity.grant(CLIENT, 'event-subscription-contributor', '/subscriptions/s1');
    const before = stand.router.topics.keys('orders');
    for (const action of ['listKeys', 'LISTKEYS', 'regenerateKey', 'list\u212aeys', 'regenerate\u212aey']) {
      const answer = await stand.manage('POST', path(stand.scope, action), { keyName: 'key1' });
      expect([action, answer.status, codeOf(answer)]).toEqual([action, 403, 'AuthorizationFailed']);
      expect(answer.text).toContain(`topics/${action}/action`);
      expect(answer.text).toContain('Missing role: EventGrid Contributor.');
      expect(answer.text).not.toContain(before.key1);
    }
    expect(stand.router.topics.keys('orders')).toEqual(before);
    const topic = await stand.manage('GET', `${stand.scope}?api-version=2022-06-15`);
    expect(topic.status).toBe(200);
  });

  test('a contributor may read them, and manages event subscriptions too', async () => {
    const stand = await wireStand({ settings: { rbac: 'enforce' } });
    await stand.router.identity.grant(CLIENT, 'contributor', '/subscriptions/s1');
    const keys = await stand.manage('POST', path(stand.scope, 'listKeys'));
    expect([keys.status, keys.json()]).toEqual([200, stand.router.topics.keys('orders')]);
    expect((await stand.manage('GET', stand.recordPath())).status).toBe(404);
  });

  test('only a contributor can make another contributor', async () => {
    const stand = await wireStand();
    const assignment = `${stand.scope}/providers/Microsoft.Authorization/roleAssignments/1?api-version=2022-04-01`;
    const body = { properties: { principalId: CLIENT, roleDefinitionId: `/x/${CONTRIBUTOR}` } };
    const refused = await stand.manage('PUT', assignment, body);
    expect([refused.status, codeOf(refused)]).toEqual([403, 'AuthorizationFailed']);
    expect((await stand.manage('POST', path(stand.scope, 'listKeys'))).status).toBe(403);
    await stand.router.identity.grant(CLIENT, 'contributor', '/subscriptions/s1');
    expect((await stand.manage('PUT', assignment, body)).status).toBe(201);
  });
});
