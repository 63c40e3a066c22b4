/** Roles by every word that names them: what a refusal prints can be granted as it stands. */
import { expect, test } from 'vitest';
import { ROLE_WORDS, ROUTER_ROLES, routerRole } from '../../core/ports/local-router.ts';

test.each(ROUTER_ROLES)('the role %s is found by its word and by its name in refusals', (role) => {
  expect(routerRole(role)).toBe(role);
  expect(routerRole(ROLE_WORDS[role].name)).toBe(role);
  expect(routerRole(` ${ROLE_WORDS[role].name.toUpperCase()} `)).toBe(role);
});

test('the id of a role definition names it too, nothing else does', () => {
  expect(routerRole('428e0ff0-5e57-4d9c-a221-2c70d0e0a443')).toBe('event-subscription-contributor');
  expect(routerRole('')).toBeUndefined();
  expect(routerRole('owner')).toBeUndefined();
});
