/** Finds the instance for the tools of agents: a running one, or one that is started for them. */
import { UsageError } from '../domain/usage-error.ts';
import { InstanceGone } from '../scenario/rpc.ts';
import type { Rpc } from '../scenario/rpc.ts';
import { connect, TokenRefused } from '../testing/connect.ts';
import type { Address } from '../testing/connect.ts';
import { startProduct } from './compose.ts';
import type { Product } from './compose.ts';
import { readOptions } from './options.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The instance for tools. It is looked up at the first call, and again after it disappeared. */
export class AgentInstances {
  readonly #find: () => Address | undefined;
  readonly #env: Env;
  readonly #log: (text: string) => void;
  #current: Promise<Rpc> | undefined;
  #own: Product | undefined;

  constructor(find: () => Address | undefined, env: Env, log: (text: string) => void) {
    this.#find = find;
    this.#env = env;
    this.#log = log;
  }

  /** Looks up the running instance. Throws UsageError. */
  look(): void {
    this.#find();
  }

  /**
   * Connects to the instance. Rejects with InstanceGone if it does not answer, or does not accept the token.
   */
  rpc(): Promise<Rpc> {
    if (this.#current !== undefined) return this.#current;
    const current = this.#open();
    this.#current = current;
    // The next call connects again after a failure, and after the instance disappeared.
    const forget = (): void => {
      if (this.#current === current) this.#current = undefined;
    };
    void current.then(({ ended }) => ended.then(forget), forget);
    return current;
  }

  async #open(): Promise<Rpc> {
    try {
      const at = this.#own?.ready ?? this.#find() ?? (await this.#start());
      return await connect(at, 'agent');
    } catch (error) {
      if (error instanceof TokenRefused || error instanceof UsageError)
        throw new InstanceGone(error.message, { cause: error });
      throw error;
    }
  }

  async #start(): Promise<Address> {
    const ports = ['--sidecar-port', '--grpc-port', '--app-port', '--console-port'].flatMap((flag) => [
      flag,
      '0',
    ]);
    const router = ['router', 'ingress'].flatMap((part) => [
      '--set',
      `eventRouter.listen.${part}=localhost:0`,
    ]);
    const flags = ['--headless', '--ephemeral', ...ports, ...router, '--log-level', 'warn'];
    const own = await startProduct(readOptions(flags, this.#env));
    this.#own = own;
    this.#log(
      `no instance is running, so one that keeps nothing was started. Its console (this link works once): ${own.ready.open}`,
    );
    return own.ready;
  }

  async close(): Promise<void> {
    const current = await this.#current?.catch(() => undefined);
    current?.close();
    await this.#own?.stop();
  }
}
