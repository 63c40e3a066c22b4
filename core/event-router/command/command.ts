/**
 * `sidelight router …`: makes one call to a running instance, and prints the result for people or as JSON.
 */
import { parseArgs } from 'node:util';
import { badArgs, knownArgs } from '../../domain/command-line.ts';
import { nearest } from '../../domain/filter/mistakes.ts';
import { isObject, tryParse } from '../../domain/json.ts';
import { UsageError } from '../../domain/usage-error.ts';
import { inLines } from './lines.ts';
import { ROUTER_HELP, ROUTER_WORDS } from './words.ts';

/** Flags that select the running instance. */
export interface WhereFlags {
  readonly rpc?: string | undefined;
  readonly token?: string | undefined;
  readonly 'data-dir'?: string | undefined;
}

/**
 * Finds the running instance. Throws UsageError or Error with one line if there is none, or more than one.
 */
export type FindInstance = (flags: WhereFlags) => { readonly rpc: string; readonly token: string };

const TIMEOUT_MS = 90_000;

export const ROUTER_FLAGS = {
  rpc: { type: 'string' },
  token: { type: 'string' },
  'data-dir': { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
  component: { type: 'string' },
  delivery: { type: 'string' },
  topic: { type: 'string' },
  type: { type: 'string' },
  subject: { type: 'string' },
  remove: { type: 'string' },
  state: { type: 'string' },
  act: { type: 'string' },
  role: { type: 'string' },
  scope: { type: 'string' },
  'tenant-id': { type: 'string' },
  'client-id': { type: 'string' },
  'client-secret': { type: 'string' },
  ingress: { type: 'string' },
  'time-scale': { type: 'string' },
  'rotate-ca': { type: 'boolean' },
  renew: { type: 'boolean' },
  pem: { type: 'boolean' },
  reveal: { type: 'boolean' },
} as const;

/**
 * Runs the command.
 * @param argv words after `router`
 * @param find finds the running instance
 * @returns exit status 0; throws UsageError for a bad flag, Error with one line if the instance refused
 */
export async function routerCommand(
  argv: readonly string[],
  write: (text: string) => void,
  find: FindInstance,
): Promise<number> {
  const { values, positionals } = parse(argv);
  const [name, ...more] = positionals;
  if (values.help === true) {
    write(ROUTER_HELP);
    return 0;
  }
  const word = name === undefined ? undefined : ROUTER_WORDS[name];
  if (word === undefined || !Object.hasOwn(ROUTER_WORDS, name ?? ''))
    throw new UsageError(
      `router needs one of ${Object.keys(ROUTER_WORDS).join(', ')}${name === undefined ? '' : gotInstead(name)}`,
    );
  if (more.length > 0) throw new UsageError(`unexpected "${more[0]}"`);
  const call = word(values);
  const { rpc, token } = find(values);
  const result = await ask(rpc, token, call.method, call.params);
  if (values.pem === true && isObject(result)) write(textOf(result['pem'], ''));
  else write(values.json === true ? `${JSON.stringify(result)}\n` : inLines(result));
  return 0;
}

function gotInstead(name: string): string {
  const meant = nearest(name, Object.keys(ROUTER_WORDS));
  return `, got "${name}"${meant === undefined ? '' : `; did you mean ${meant}?`}`;
}

function parse(argv: readonly string[]) {
  const args = knownArgs('router', argv, ROUTER_FLAGS);
  try {
    return parseArgs({ args, options: ROUTER_FLAGS, allowPositionals: true, strict: true });
  } catch (error) {
    throw badArgs('router', error);
  }
}

async function ask(
  rpc: string,
  token: string,
  method: string,
  params: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const answer = await fetch(rpc, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'error',
  }).catch((error: unknown) => {
    const cause =
      error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new Error(`no instance answers at ${rpc}: ${cause}`, { cause: error });
  });
  const value = tryParse(await answer.text())?.value;
  if (!isObject(value)) throw new Error(`${rpc} answered ${answer.status}, not JSON-RPC`);
  const { error } = value;
  if (!isObject(error)) return value['result'];
  const data = isObject(error['data']) ? error['data'] : {};
  throw new Error(`${textOf(data['code'], 'REFUSED')}: ${textOf(error['message'], 'it was refused')}`);
}

function textOf(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}
