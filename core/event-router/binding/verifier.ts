/** Makes the verifier of delivery tokens with its library, which is loaded when a component needs it. */
import type { PublishedKeys } from '../client/published-keys.ts';
import { JwtVerifier } from '../client/token-verifier.ts';
import type { RouterEndpoints } from '../client/router-access.ts';
import type { InputDependencies } from './input-dependencies.ts';

export { PublishedKeys } from '../client/published-keys.ts';

/** Makes the verifier, once issuer and keys are known. */
export function verifierOf(
  { access, clock, fields }: InputDependencies,
  found: { readonly issuer: string; readonly endpoints: RouterEndpoints; readonly keys: PublishedKeys },
): JwtVerifier {
  const { issuer, endpoints, keys } = found;
  return new JwtVerifier({
    issuer,
    tenantId: fields.tenantId,
    clientId: fields.clientId,
    routerApplicationId: endpoints.routerApplicationId,
    rules: () => access.rules(),
    keys,
    clock,
  });
}
