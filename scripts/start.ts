// npm start: builds what changed, finds the desktop binary, then runs the product with the given arguments.
import { pathToFileURL } from 'node:url';
import { BuildError, buildProduct } from './build-product.ts';
import { prepareElectron, wantsWindow } from './electron-binary.ts';
import { PROGRAM } from './tools.ts';

const args = process.argv.slice(2);

try {
  await buildProduct();
  if (wantsWindow(args)) Object.assign(process.env, await prepareElectron());
  process.argv[1] = PROGRAM;
  await import(pathToFileURL(PROGRAM).href);
} catch (error) {
  if (!(error instanceof BuildError)) throw error;
  process.stderr.write(`sidelight: ${error.message}\n`);
  process.exitCode = 1;
}
