/** The console of a running instance, as commands, scenarios and tests reach it. */
import type { Method, Params, Result } from '../contract/console.ts';
import type { RpcError } from '../contract/rpc.ts';

export interface Rpc {
  /** Throws RpcRefused for what the instance refused, InstanceGone when it went away. */
  call<M extends Method>(method: M, params: Params<M>): Promise<Result<M>>;
  /** Calls back after each change of a view of this connection; returns what ends it. */
  onViewChanged(hear: () => void): () => void;
  /** Resolves when the connection has ended; every later call throws InstanceGone. */
  readonly ended: Promise<void>;
  close(): void;
}

/** The instance answered a call with an error; `message` begins with its code. */
export class RpcRefused extends Error {
  readonly code: string;

  constructor(method: Method, { message, data }: RpcError) {
    super(`${data?.code ?? 'REFUSED'}: ${message} (${method})`);
    this.name = 'RpcRefused';
    this.code = data?.code ?? 'REFUSED';
  }
}

/** Nothing answers at the address, or the instance ended while it was asked. */
export class InstanceGone extends Error {
  override readonly name = 'InstanceGone';
}
