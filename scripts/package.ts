// npm run package: builds everything from scratch and runs electron-builder; arguments such as --dir or
// --linux are passed on.
import { BuildError, buildProduct } from './build-product.ts';
import { runTool } from './tools.ts';

try {
  await buildProduct({ all: true });
  const args = ['--publish', 'never', ...process.argv.slice(2)];
  const { code } = await runTool('electron-builder', args, { limitMs: 3_600_000 });
  process.exitCode = code;
} catch (error) {
  if (!(error instanceof BuildError)) throw error;
  process.stderr.write(`sidelight: ${error.message}\n`);
  process.exitCode = 1;
}
