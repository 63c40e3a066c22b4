/** The program: reads the command line, starts what it asks for, ends with its status. */
import { errorText } from '../contract/error-text.ts';
import { routerCommand } from '../event-router/command/command.ts';
import { startBrowserMode } from './browser-mode.ts';
import { startProduct } from './compose.ts';
import { startDesktop } from './desktop.ts';
import { UsageError } from './flags.ts';
import { HELP, RUN_HELP } from './help.ts';
import { readCommandLine } from './options.ts';
import type { ProductOptions } from './options.ts';
import { readyLine } from './ready.ts';
import { whereOf } from './running-instance.ts';
import { runCommand } from './run-command.ts';
import { untilEnded } from './shutdown.ts';
import { productVersion } from './version.ts';

process.exitCode = await main(process.argv.slice(2));

/** Exit status: 0 ended in order, 1 could not run, 2 bad usage. */
async function main(argv: readonly string[]): Promise<number> {
  try {
    const asked = readCommandLine(argv, process.env);
    switch (asked.kind) {
      case 'help':
        process.stdout.write(asked.ofRun ? RUN_HELP : HELP);
        return 0;
      case 'version':
        process.stdout.write(`${productVersion()}\n`);
        return 0;
      case 'router':
        return await routerCommand(
          asked.argv,
          (text) => void process.stdout.write(text),
          (flags) => whereOf(flags, process.env),
        );
      case 'start':
        return await start(asked.options, argv);
    }
  } catch (error) {
    process.stderr.write(`sidelight: ${errorText(error)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function start(options: ProductOptions, argv: readonly string[]): Promise<number> {
  switch (options.mode) {
    case 'headless': {
      const product = await startProduct(options);
      const ended = untilEnded(product);
      process.stdout.write(`${readyLine(product.version, process.pid, product.ready)}\n`);
      await ended;
      return 0;
    }
    case 'run':
      return runCommand(options);
    case 'desktop': {
      const desktop = await startDesktop(argv, process.env);
      return desktop.kind === 'ended' ? desktop.status : startBrowserMode(options, desktop.reason);
    }
  }
}
