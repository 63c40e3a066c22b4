// A pool of processes that run products, for one worker of the journeys or for the conformance suite. Each runs one product at a time.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { BUILT, type Product, productAt, withStandingFlags } from '../product.ts';
import { reusablePort } from '../reusable-port.ts';
import { type FromProcess, LOG_MARK, type ToProcess } from './process-messages.ts';

const PROGRAM = path.join(import.meta.dirname, 'product-process.ts');
/** Longest wait for the end of a process that has nothing left to do, in milliseconds. */
const END_MS = 15_000;

/** One process; see product-process.ts. */
class ProductProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #log = '';

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#ended = once(child, 'exit');
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.#log += text));
  }

  /** @throws Error with its stderr when the program cannot be loaded */
  static async open(entry: string): Promise<ProductProcess> {
    const worker = new ProductProcess(
      fork(PROGRAM, [entry], { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] }),
    );
    await worker.#answer();
    return worker;
  }

  /** @throws Error with its log when the product does not start */
  async start(
    argv: readonly string[],
    ended: (worker: ProductProcess | undefined) => void,
  ): Promise<Product> {
    const message = await this.#ask({ kind: 'start', argv });
    if (message.kind !== 'ready')
      throw new Error(`the product did not start: ${reasonOf(message)}\n${this.log()}`);
    return productAt(message.ready, {
      log: () => this.log(),
      stop: async () => {
        const code = await this.#stop();
        if (code !== 0) await this.kill();
        ended(code === 0 ? this : undefined);
        return code;
      },
      kill: async () => {
        await this.kill();
        ended(undefined);
      },
    });
  }

  /** What the product of now wrote to stderr. */
  log(): string {
    return this.#log.slice(this.#log.lastIndexOf(LOG_MARK) + LOG_MARK.length);
  }

  /** Ends the process, in which nothing runs any more. Resolves with its exit code; null when it had to be killed. */
  async end(): Promise<number | null> {
    this.#child.disconnect();
    const late = setTimeout(() => this.#child.kill('SIGKILL'), END_MS);
    await this.#ended;
    clearTimeout(late);
    return this.#child.exitCode;
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  /** The exit code that the product would have had as a process: 0 when it has ended and closed everything. */
  async #stop(): Promise<number | null> {
    if (!this.#child.connected) return this.#child.exitCode;
    const message = await this.#ask({ kind: 'stop' });
    if (message.kind === 'stopped' && message.left.length === 0) return 0;
    this.#log += `\nthe product did not end in order: ${reasonOf(message)}\n`;
    return 1;
  }

  async #ask(message: ToProcess): Promise<FromProcess> {
    this.#child.send(message);
    return this.#answer();
  }

  async #answer(): Promise<FromProcess> {
    const gone = this.#ended.then((): never => {
      throw new Error(`the process of the products ended (exit ${this.#child.exitCode}):\n${this.log()}`);
    });
    const [message]: FromProcess[] = await Promise.race([once(this.#child, 'message'), gone]);
    if (message === undefined) throw new Error('the process of the products said nothing');
    return message;
  }
}

const reasonOf = (message: FromProcess): string => {
  if (message.kind === 'failed') return message.reason;
  return message.kind === 'stopped' ? `left open: ${message.left.join(', ')}` : message.kind;
};

/** Starts products and keeps the processes that have none. */
export class ProductPool {
  readonly #entry: string;
  readonly #all = new Set<ProductProcess>();
  readonly #leaving: Promise<void>[] = [];
  #idle: ProductProcess[] = [];
  /** Console ports whose product has ended. A page at an address that the browser knows loads in half the time. */
  readonly #freePorts: string[] = [];

  /** `entry`: the command line of the program that they load. */
  constructor(entry = BUILT) {
    this.#entry = entry;
  }

  /** A product of a journey, which has nothing of one before. */
  async start(flags: readonly string[]): Promise<Product> {
    const port = this.#freePorts.pop() ?? (await reusablePort());
    return this.startWith(withStandingFlags(['--console-port', port, ...flags]), () =>
      this.#freePorts.push(port),
    );
  }

  /** A product with exactly these arguments; `ended` is told its end. */
  async startWith(argv: readonly string[], ended: () => void = () => undefined): Promise<Product> {
    const worker = this.#idle.pop() ?? (await this.#open());
    return worker.start(argv, (again) => {
      if (again === undefined) this.#all.delete(worker);
      else this.#idle.push(again);
      ended();
    });
  }

  /** Ends a product without waiting for it. `journey` is named when it does not end in order. */
  leave(product: Product, journey: string): void {
    const end = async (): Promise<void> => {
      const code = await product.stop();
      if (code !== 0)
        throw new Error(`${journey}: the product ended with ${code}; its log:\n${product.log()}`);
    };
    const ending = end();
    // `settled` tells it; until then nobody listens.
    ending.catch(() => undefined);
    this.#leaving.push(ending);
  }

  /** @throws Error when a product did not end in order */
  async settled(): Promise<void> {
    await Promise.all(this.#leaving);
  }

  /**
   * Ends every process.
   * @throws Error when a product or a process did not end in order
   */
  async end(): Promise<void> {
    const ended = await Promise.allSettled(this.#leaving);
    const codes = await Promise.all([...this.#all].map((worker) => worker.end()));
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
    const wrong = codes.filter((code) => code !== 0);
    if (wrong.length > 0) throw new Error(`processes of products ended with ${wrong.join(', ')}`);
  }

  async #open(): Promise<ProductProcess> {
    const worker = await ProductProcess.open(this.#entry);
    this.#all.add(worker);
    return worker;
  }
}
