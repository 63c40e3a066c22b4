/** `sidelight run … -- CMD`: the app as a child process beside its sidecar. */
import { runChildCommand } from './run-child-command.ts';
import { CommandOfApp } from './command-of-app.ts';
import { startProduct } from './compose.ts';
import type { ProductOptions } from './options.ts';
import { portsOf } from './port-owner.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import { membersOf } from './process-group.ts';
import { readyLine, welcome } from './ready.ts';
import { runEnvironment } from './run-environment.ts';
import { untilEnded } from './shutdown.ts';

/**
 * Starts the product, then the command with its environment. Ends with the command's status, and ends all
 * processes that the command leaves. Without a command the sidecar runs until a signal.
 */
export async function runCommand(options: ProductOptions): Promise<number> {
  const product = await startProduct(options);
  const { version, ready, unsaid } = product;
  const announce = (): void => {
    if (options.headless)
      process.stdout.write(`${readyLine(version, process.pid, options.profile, ready)}\n`);
    else process.stderr.write(`${welcome(ready, unsaid, ready.open)}\n`);
  };
  const [program, ...args] = options.command;
  if (program === undefined) {
    // Who reads the ready line may send a signal at once.
    const ended = untilEnded(product);
    announce();
    return ended;
  }
  const env = runEnvironment(ready, options);
  const [first] = ready.apps;
  const appId = first?.appId ?? '';
  const follower = new CommandOfApp({
    appId,
    // Who wrote `none` knows that the app is not called.
    isUnaddressed: first?.app === undefined && options.apps[0]?.addressFrom === undefined,
    link: product.processLink,
    portsOf: (group) => portsOf(membersOf(group)),
  });
  return runChildCommand(product, {
    ...{ program, args, env, appId, announce, follower },
    ...withoutUndefined({ url: first?.app }),
  });
}
