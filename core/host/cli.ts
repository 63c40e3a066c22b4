/**
 * The program: reads the command line, runs the command that it names, and exits with its status. The code of
 * a command is loaded when it is used.
 */
import { errorText } from '../contract/error-text.ts';
import { startProduct } from './compose.ts';
import { UsageError } from './flags.ts';
import { HELP, RUN_HELP, TAP_HELP } from './help.ts';
import { readCommandLine } from './options.ts';
import type { ProductOptions } from './options.ts';
import { readyLine } from './ready.ts';
import { whereOf } from './running-instance.ts';
import { onSignals } from './signals.ts';
import { untilEnded } from './shutdown.ts';
import { goOnWithoutTerminal, outliveReaders } from './standard-streams.ts';
import { productVersion } from './version.ts';

outliveReaders(process, () => process.on('exit', (status) => (process.exitCode = status === 0 ? 1 : status)));
process.exitCode = await main(process.argv.slice(2));

/**
 * Runs the program. Exit status: 0 shut down, 1 could not run, 2 bad usage; commands have further ones, which
 * their help lists.
 */
async function main(argv: readonly string[]): Promise<number> {
  try {
    const asked = readCommandLine(argv, process.env);
    switch (asked.kind) {
      case 'help':
        process.stdout.write(asked.of === undefined ? HELP : asked.of === 'run' ? RUN_HELP : TAP_HELP);
        return 0;
      case 'version':
        process.stdout.write(`${productVersion()}\n`);
        return 0;
      case 'router':
        return await router(asked.argv);
      case 'wait':
        return await wait(asked.argv);
      case 'test':
        return await test(asked.argv);
      case 'mcp':
        return await mcp(asked.argv);
      case 'start':
        return await start(asked.options, argv);
    }
  } catch (error) {
    process.stderr.write(`sidelight: ${errorText(error)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function router(argv: readonly string[]): Promise<number> {
  const { routerCommand } = await import('../event-router/command/command.ts');
  const write = (text: string): void => void process.stdout.write(text);
  return routerCommand(argv, write, (flags) => whereOf(flags, process.env));
}

async function wait(argv: readonly string[]): Promise<number> {
  const { waitCommand } = await import('./wait-command.ts');
  return waitCommand(argv, process.env, {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
  });
}

async function test(argv: readonly string[]): Promise<number> {
  const { testCommand } = await import('./test-command.ts');
  const { startedAs } = await import('./started-as.ts');
  const out = (text: string): void => void process.stdout.write(text);
  const { env } = process;
  const command = startedAs({ program: process.argv[1], cwd: process.cwd(), env });
  return testCommand(argv, { out, env, startedAs: command, signal: interruption() });
}

async function mcp(argv: readonly string[]): Promise<number> {
  const { mcpCommand } = await import('./mcp-command.ts');
  const streams = {
    out: (text: string): void => void process.stdout.write(text),
    err: (text: string): void => void process.stderr.write(text),
  };
  return mcpCommand(argv, process.env, streams, interruption());
}

/** Exit status after a second signal. */
const CUT_SHORT = 130;

/** A signal that is aborted when the process first gets a signal to end. A second one ends the process at once. */
function interruption(): AbortSignal {
  const interrupted = new AbortController();
  onSignals((_signal, isAgain) => {
    if (isAgain) process.exit(CUT_SHORT);
    interrupted.abort();
  });
  return interrupted.signal;
}

async function start(options: ProductOptions, argv: readonly string[]): Promise<number> {
  goOnWithoutTerminal([process.stdout, process.stderr]);
  switch (options.mode) {
    case 'headless': {
      const product = await startProduct(options);
      const ended = untilEnded(product);
      process.stdout.write(`${readyLine(product.version, process.pid, options.profile, product.ready)}\n`);
      return ended;
    }
    case 'run': {
      if (options.runFile !== undefined) {
        const { runFileCommand } = await import('./multi-run/command.ts');
        return runFileCommand(options, options.runFile);
      }
      const { runCommand } = await import('./run-command.ts');
      return runCommand(options);
    }
    case 'tap': {
      const { tapCommand } = await import('./tap-command.ts');
      return tapCommand(options);
    }
    case 'desktop': {
      const { startDesktop } = await import('./desktop.ts');
      const desktop = await startDesktop(argv, process.env);
      if (desktop.kind === 'ended') return desktop.status;
      const { startBrowserMode } = await import('./browser-mode.ts');
      return startBrowserMode(options, desktop.reason);
    }
  }
}
