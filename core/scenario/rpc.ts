/** The console of a running instance, for commands, scenarios and tests. */
import type { Method, Params, Result } from '../contract/console.ts';
import type { RpcError } from '../contract/rpc.ts';

export interface Rpc {
  /** Calls a method. Throws RpcRefused for a refusal of the instance, InstanceGone if it has ended. */
  call<M extends Method>(method: M, params: Params<M>): Promise<Result<M>>;
  /** Calls back after each change of a view of this connection; returns the function that ends it. */
  onViewChanged(hear: () => void): () => void;
  /** Resolves when the connection has ended; every later call throws InstanceGone. */
  readonly ended: Promise<void>;
  close(): void;
}

/** Error of a call that the instance refused; `message` begins with its code. */
export class RpcRefused extends Error {
  readonly code: string;

  constructor(method: Method, { message, data }: RpcError) {
    super(`${data?.code ?? 'REFUSED'}: ${message} (${method})`);
    this.name = 'RpcRefused';
    this.code = data?.code ?? 'REFUSED';
  }
}

/** Error: nothing answers at the address, or the instance ended during the call. */
export class InstanceGone extends Error {
  override readonly name = 'InstanceGone';
}
