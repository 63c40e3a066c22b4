// npm start: builds what changed, looks for the desktop binary, then becomes the product with the arguments given.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { BuildError, buildProduct } from './build-product.ts';
import { prepareElectron, wantsWindow } from './electron-binary.ts';
import { ROOT } from './tools.ts';

const args = process.argv.slice(2);
const program = path.join(ROOT, 'dist', 'core', 'host', 'cli.js');

try {
  await buildProduct();
  if (wantsWindow(args)) Object.assign(process.env, await prepareElectron());
  process.argv[1] = program;
  await import(pathToFileURL(program).href);
} catch (error) {
  if (!(error instanceof BuildError)) throw error;
  process.stderr.write(`sidelight: ${error.message}\n`);
  process.exitCode = 1;
}
