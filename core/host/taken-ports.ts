/**
 * Looks before a start whether other programs have the ports that it must get: a person reads of all of them at once, and of another
 * Sidelight that has them.
 */
import { STANDARD_PORTS } from '../contract/standard-ports.ts';
import type { ProductOptions } from './options.ts';
import { portOwner } from './port-owner.ts';
import { portRefusal } from './ports.ts';
import { runningInstances, type RunningInstance } from './running-file.ts';

/** A port that this start must get: there is no other one for it. */
interface FixedPort {
  readonly port: number;
  readonly flag: string;
  readonly what: string;
}

/**
 * Rejects with one sentence if several ports are taken, or one by another Sidelight. One that another program has is left to its listener,
 * which knows what the port may have been meant for.
 */
export async function refuseTakenPorts(
  options: ProductOptions,
  running: (env: ProductOptions['env']) => readonly RunningInstance[] = (env) =>
    runningInstances(undefined, env),
): Promise<void> {
  const fixed = fixedPorts(options);
  const refusals = await Promise.all(fixed.map(({ port }) => portRefusal(port)));
  const taken = fixed.filter((_, i) => refusals[i] === 'EADDRINUSE');
  if (taken.length === 0) return;
  const instances = running(options.env);
  const others = taken.map(({ port }) => instances.find((one) => listensAt(one, port)));
  if (taken.length === 1 && others[0] === undefined) return;
  throw new Error(takenText(taken, others));
}

/** The ports that a flag or file gives; without a person, also those that stand for a flag that is not given. */
function fixedPorts(options: ProductOptions): readonly FixedPort[] {
  const { apps, sidecarPort, grpcPort, appPort, consolePort, mode } = options;
  const orStandard = (given: number | undefined, standard: number): number =>
    given ?? (mode === 'headless' ? standard : 0);
  const ofSidecars = apps.flatMap((app, i) => {
    const isFirst = i === 0;
    const http = isFirst ? orStandard(sidecarPort, STANDARD_PORTS.sidecar) : 0;
    const grpc = isFirst && typeof grpcPort === 'number' ? grpcPort : 0;
    const flag = (ofFirst: string): string => (isFirst ? ofFirst : '--app');
    return [
      { port: app.sidecarPort ?? http, flag: app.portNames?.http ?? flag('--sidecar-port'), what: 'sidecar' },
      { port: app.grpcPort ?? grpc, flag: app.portNames?.grpc ?? flag('--grpc-port'), what: 'gRPC' },
    ];
  });
  const hasMock = apps.some(({ url, noAddress }) => url === undefined && noAddress !== true);
  const mock = hasMock ? orStandard(appPort, STANDARD_PORTS.mockApp) : 0;
  return [
    ...ofSidecars,
    { port: mock, flag: '--app-port', what: 'mock app' },
    { port: orStandard(consolePort, STANDARD_PORTS.console), flag: '--console-port', what: 'console' },
  ].filter(({ port }) => port !== 0);
}

/** Whether an instance listens on the port itself: with its console, a sidecar or a mock app. */
function listensAt({ console, apps }: RunningInstance, port: number): boolean {
  const ends = [console, ...apps.flatMap(({ sidecar, grpc, app, mock }) => [sidecar, grpc, mock ? app : ''])];
  return ends.some((end) => end !== undefined && end.endsWith(`:${port}`));
}

type Others = readonly (RunningInstance | undefined)[];

function takenText(taken: readonly FixedPort[], others: Others): string {
  const owners = taken.map(({ port }, i) => ownerText(port, others[i]));
  // The ports of one owner are one sentence.
  const uses = [...new Set(owners)].map((owner) => {
    const ofOwner = taken.filter((_, i) => owners[i] === owner).map(({ port, what }) => `${port} (${what})`);
    const [word, verb] = ofOwner.length === 1 ? ['port', 'is'] : ['ports', 'are'];
    return `${word} ${listed(ofOwner)} ${verb} in use${owner}`;
  });
  const choose = `${taken.length === 1 ? 'another port' : 'other ports'} with ${listed([...new Set(taken.map(({ flag }) => flag))])}`;
  const end = others.some((one) => one !== undefined) ? 'stop that Sidelight, or ' : '';
  return `${uses.join('; ')}; ${end}choose ${choose} (0 = any free port)`;
}

function ownerText(port: number, other: RunningInstance | undefined): string {
  if (other !== undefined)
    return ` by another Sidelight (pid ${other.pid}, its console is at ${other.console})`;
  const owner = portOwner(port);
  return owner === undefined ? '' : ` by ${owner}`;
}

function listed(texts: readonly string[]): string {
  const last = texts.at(-1) ?? '';
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(', ')} and ${last}`;
}
