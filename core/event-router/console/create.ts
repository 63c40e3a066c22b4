/** `eventRouter.create`: sends one event through an output side, or adds a working example component. */
import { createServer } from 'node:net';
import { randomBytes } from 'node:crypto';
import type { IngressStatus } from '../../contract/event-router/local-router-status.ts';
import type { EvrCode } from '../../contract/event-router/wire.ts';
import type { InputStep } from '../../contract/event-router/components.ts';
import type { CreateParams, CreateResult } from '../../contract/event-router/methods.ts';
import { clause, errorText } from '../../contract/error-text.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { Refusal } from '../../domain/refusal.ts';
import { namespaceOf } from '../connection/router-connection.ts';
import { needed } from './lookup.ts';
import type { ConsoleDependencies, Lookup } from './lookup.ts';
import { exampleComponent } from './example.ts';

const NAME = 'example';
const FIRST_PORT = 9000;
const LAST_PORT = 9099;
const MAX_NAMES = 100;
const LISTENING: InputStep = 'listening';
const BEFORE_LISTENING: InputStep = 'resolving-identity';
const PORT_TAKEN: EvrCode = 'EVR-NET-01';
const CANNOT_LISTEN: EvrCode = 'EVR-ING-01';

export async function createEvent(
  deps: ConsoleDependencies,
  lookup: Lookup,
  params: CreateParams,
): Promise<CreateResult> {
  if (params.remove === true) return removeExample(deps, params);
  return params.component === undefined
    ? addExample(deps, lookup)
    : create(deps, lookup, { ...params, component: params.component });
}

async function create(
  deps: ConsoleDependencies,
  lookup: Lookup,
  params: CreateParams & { readonly component: string },
): Promise<CreateResult> {
  const { component, data, raw } = params;
  const binding = lookup.binding(component);
  if (binding.operations.length === 0) {
    const reason = `Component ${component} has no output side.`;
    throw new Refusal(
      'INVALID_PARAMS',
      { reason },
      { field: 'component', expected: 'a component with an output' },
    );
  }
  const eventId = deps.ids.uuid();
  const event =
    raw === true
      ? data
      : {
          specversion: '1.0',
          id: eventId,
          source: params.source ?? 'sidelight',
          type: params.type ?? 'com.sidelight.example',
          ...withoutUndefined({ subject: params.subject }),
          time: new Date(deps.now()).toISOString(),
          datacontenttype: 'application/json',
          data: data ?? null,
        };
  const id = raw === true ? {} : { eventId };
  try {
    await binding.invoke('create', JSON.stringify(event ?? null));
    return { component, ...id, status: 204 };
  } catch (error) {
    const reason = errorText(error);
    return {
      component,
      ...id,
      status: 500,
      message: `error invoking output binding ${component}: ${reason}`,
    };
  }
}

async function addExample(deps: ConsoleDependencies, lookup: Lookup): Promise<CreateResult> {
  const router = await lookup.router();
  checkListens(router.ingress.status());
  const { router: address, ingress } = router.addresses();
  const taken = new Set(deps.components().map(({ name }) => name));
  const name = freeName(taken);
  const file = `event-router-${name}.yaml`;
  const facts = {
    name,
    profile: deps.profile,
    namespace: namespaceOf(deps.settings(), deps.profile),
    router: address,
    ingress,
    accessKey: randomBytes(32).toString('base64'),
    clientSecret: randomBytes(24).toString('base64url'),
    tenantId: deps.ids.uuid(),
    subscriptionId: deps.ids.uuid(),
    clientId: deps.ids.uuid(),
  };
  const { source } = deps;
  // Two processes that search for a port at the same time find the same one; the second takes the next.
  for (let from = FIRST_PORT; ;) {
    const handshakePort = await freePort(from);
    const text = exampleComponent({ ...facts, handshakePort });
    const problems = await (source.add?.(file, text) ?? source.save(file, text));
    const [mistake] = problems.filter(({ severity }) => severity === 'error');
    if (mistake !== undefined) throw new Refusal('INVALID_PARAMS', { reason: mistake.message });
    await deps.reload();
    if (!(await isPortLost(lookup, name))) break;
    from = handshakePort + 1;
  }
  const notKept = source.notKept?.();
  return { component: name, file, ...withoutUndefined({ notKept }) };
}

/** Throws Refusal INVALID_PARAMS: the example's address for its subscriber is that of the ingress. */
function checkListens({ listening, error }: IngressStatus): void {
  if (listening) return;
  const why = error === undefined ? '' : `: ${clause(error.message)}`;
  const reason = `The ingress of the embedded router does not listen${why}.`;
  throw new Refusal('INVALID_PARAMS', { reason }, { data: { evr: error?.code ?? CANNOT_LISTEN } });
}

const LOOKS = 100;
const POLL_INTERVAL_MS = 20;

/**
 * Whether the webhook's port was taken. If its app is not there yet, the webhook listens later and the answer
 * is unknown.
 */
async function isPortLost(lookup: Lookup, component: string): Promise<boolean> {
  for (let n = 0; n < LOOKS; n += 1) {
    const { steps } = lookup.input(component).input;
    const step = steps.list().find((one) => one.step === LISTENING);
    if (step?.code === PORT_TAKEN) return true;
    if (step?.result === 'done' || (steps.state !== LISTENING && steps.state !== BEFORE_LISTENING))
      return false;
    await new Promise((go) => setTimeout(go, POLL_INTERVAL_MS));
  }
  return false;
}

/**
 * Removes the example component. Its event subscription and topic stay in the router, as when a file is
 * deleted.
 */
async function removeExample(
  { components, source, reload }: ConsoleDependencies,
  { component }: CreateParams,
): Promise<CreateResult> {
  const name = needed(component, 'component');
  const file = components().find((row) => row.name === name)?.file ?? '';
  if (source.remove === undefined) {
    const reason = 'It is a file of the resources folder; delete the file.';
    throw new Refusal('INVALID_PARAMS', { reason }, { field: 'remove' });
  }
  await source.remove(file);
  await reload();
  return { component: name, file };
}

function freeName(taken: ReadonlySet<string>): string {
  for (let n = 1; n <= MAX_NAMES; n += 1) {
    const name = n === 1 ? NAME : `${NAME}${n}`;
    if (!taken.has(name)) return name;
  }
  throw new Refusal('INVALID_PARAMS', { reason: `There are ${MAX_NAMES} examples already.` });
}

/** The first free port from there on. */
async function freePort(from: number): Promise<number> {
  for (let port = from; port <= LAST_PORT; port += 1) if (await isFree(port)) return port;
  throw new Refusal('INVALID_PARAMS', { reason: `No port from ${FIRST_PORT} to ${LAST_PORT} is free.` });
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}
