/** `sidelight tap … [-- CMD]`: the console beside an app and its own sidecar. */
import { runChildCommand } from './run-child-command.ts';
import { counted } from '../contract/count-text.ts';
import { PROFILES } from '../contract/profile.ts';
import type { TapAddress, TapRow } from '../contract/tap.ts';
import { startProduct } from './compose.ts';
import type { Product } from './compose.ts';
import type { ProductOptions } from './options.ts';
import { farewell, readyLine, welcome } from './ready.ts';
import { untilEnded } from './shutdown.ts';
import { grpcAddress, tapAddress } from './tap-flags.ts';

/**
 * Starts the tap, then the command with the tap's ports filled in; ends with its status. Without a command it
 * runs until a signal.
 */
export async function tapCommand(options: ProductOptions): Promise<number> {
  const product = await startProduct(options);
  if (options.headless) return runTap(options, product, '');
  await product.taps.looked();
  const sides = sidesText(product.taps.list());
  let passed: readonly TapRow[] = [];
  const stop: Product['stop'] = (how) => {
    passed = product.taps.list();
    return product.stop(how);
  };
  const status = await runTap(options, { ...product, stop }, sides);
  // The output of the command has stdout to itself.
  process.stderr.write(`\n${passedText(passed)} ${farewell(product.dataDir)}\n`);
  return status;
}

/** @param sides which sides answer, for the text of the start */
async function runTap(options: ProductOptions, product: Product, sides: string): Promise<number> {
  const { version, ready, unsaid } = product;
  const [tap] = ready.taps ?? [];
  const announce = (): void => {
    if (options.headless)
      process.stdout.write(`${readyLine(version, process.pid, options.profile, ready)}\n`);
    else process.stderr.write(`${welcome(ready, unsaid, ready.open)}${sides}${toChange(options, tap)}\n`);
  };
  const [program, ...args] = tap === undefined ? [] : options.command.map((word) => filledIn(word, tap));
  if (program === undefined) {
    // Who reads the ready line may send a signal at once.
    const ended = untilEnded(product);
    announce();
    return ended;
  }
  return runChildCommand(product, { program, args, env: options.env, appId: tap?.appId ?? '', announce });
}

/** The lines to change where sidecar and app are started; "" where a command gets the ports. */
export function toChange(
  { tap: request, command, profile }: Pick<ProductOptions, 'tap' | 'command' | 'profile'>,
  tap: TapAddress | undefined,
): string {
  if (request === undefined || tap === undefined || command.length > 0) return '';
  const { httpPort, grpcPort } = PROFILES[profile].env;
  const lines = [
    ['the sidecar', `--app-port ${tap.appPort}`, tapAddress(request.appUrl)?.port],
    ['the app', `${httpPort}=${tap.sidecarPort}`, tapAddress(request.sidecarUrl)?.port],
    ...(tap.grpcPort === undefined
      ? []
      : [['the app', `${grpcPort}=${tap.grpcPort}`, grpcAddress(request.sidecarGrpc ?? '')?.port] as const]),
  ] as const;
  return lines
    .map(
      ([who, text, before], i) =>
        `  ${i === 0 ? 'Change' : '      '}    where ${who} is started: ${text} instead of ${before ?? ''}\n`,
    )
    .join('');
}

/** Where both sides of the first tap are, and whether they answer. */
export function sidesText([tap]: readonly Pick<
  TapRow,
  'appUrl' | 'appAnswers' | 'sidecarUrl' | 'sidecarAnswers'
>[]): string {
  if (tap === undefined) return '';
  const state = (answers: boolean): string => (answers ? 'answers' : 'does not answer yet');
  return [
    `  App       ${tap.appUrl}   (${state(tap.appAnswers)})\n`,
    `  Sidecar   ${tap.sidecarUrl}   (${state(tap.sidecarAnswers)})\n`,
  ].join('');
}

/** What passed the taps of a run, in one sentence. */
export function passedText(taps: readonly Pick<TapRow, 'publishes' | 'deliveries' | 'others'>[]): string {
  const sum = (of: 'publishes' | 'deliveries' | 'others'): number =>
    taps.reduce((all, tap) => all + tap[of], 0);
  const [publishes, deliveries, others] = [sum('publishes'), sum('deliveries'), sum('others')];
  const which = taps.length > 1 ? 'the taps' : 'the tap';
  if (publishes + deliveries + others === 0) return `Nothing passed ${which}.`;
  const calls = `${counted(deliveries, 'delivery call')} and ${counted(others, 'other call')}`;
  return `${counted(publishes, 'publish', 'publishes')}, ${calls} passed ${which}.`;
}

/** Fills the tap's ports into the placeholders of a word of the command. */
export function filledIn(word: string, { appPort, sidecarPort, grpcPort }: TapAddress): string {
  return word
    .replaceAll('{tapAppPort}', String(appPort))
    .replaceAll('{tapSidecarPort}', String(sidecarPort))
    .replaceAll('{tapGrpcPort}', grpcPort === undefined ? '{tapGrpcPort}' : String(grpcPort));
}
