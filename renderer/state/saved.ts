/** Saved values for publishing from the host: requests with history and variables, payload schemas. */
import type { Result } from '../../core/contract/console.ts';
import type { RpcClient } from '../client/rpc-client.ts';
import { createResource, type ResourceStore } from './resource.ts';

export interface Saved {
  readonly requests: ResourceStore<Result<'requests.list'>>;
  readonly schemas: ResourceStore<Result<'schemas.list'>>;
  onChange(): void;
}

/** Makes the stores. */
export function createSaved(rpc: RpcClient): Saved {
  const requests = createResource(() => rpc.call('requests.list', {}));
  const schemas = createResource(() => rpc.call('schemas.list', {}));
  return {
    requests,
    schemas,
    onChange() {
      requests.invalidate();
      schemas.invalidate();
    },
  };
}
