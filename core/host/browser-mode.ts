/** Browser mode: the console on loopback, in the default browser if there is one. */
import { spawn } from 'node:child_process';
import { startProduct } from './compose.ts';
import type { ProductOptions } from './options.ts';
import { farewell, welcome } from './ready.ts';
import { untilEnded } from './shutdown.ts';

/**
 * Runs the product in browser mode.
 * @param reason why there is no window, in words
 */
export async function startBrowserMode(options: ProductOptions, reason: string): Promise<number> {
  const product = await startProduct(options);
  // Signals are handled from here on, because one that arrives while the text is printed must not cut the
  // shutdown short.
  const ended = untilEnded(product);
  process.stdout.write(`\nSidelight ${product.version} in your browser, because ${reason}.\n\n`);
  process.stdout.write(`${welcome(product.ready, product.unsaid, product.ready.open)}\n`);
  const opened = await openBrowser(product.link(), options.env);
  process.stdout.write(
    opened
      ? '  The console opens in your default browser. Ctrl+C ends Sidelight.\n'
      : '  Open the link of the console in a browser. Ctrl+C ends Sidelight.\n',
  );
  const status = await ended;
  process.stdout.write(`\n${farewell(product.dataDir)}\n`);
  return status;
}

/** Opens the default browser; false: none was started. Not tried without a display. */
function openBrowser(url: string, env: ProductOptions['env']): Promise<boolean> {
  const command = opener(env);
  if (command === undefined) return Promise.resolve(false);
  const [program, ...args] = command;
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true, windowsHide: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

function opener(env: ProductOptions['env']): readonly [string, ...string[]] | undefined {
  if (env['SIDELIGHT_NO_BROWSER'] !== undefined || env['CI'] !== undefined) return undefined;
  switch (process.platform) {
    case 'darwin':
      return ['open'];
    case 'win32':
      return ['rundll32', 'url.dll,FileProtocolHandler'];
    default:
      return env['DISPLAY'] !== undefined || env['WAYLAND_DISPLAY'] !== undefined ? ['xdg-open'] : undefined;
  }
}
