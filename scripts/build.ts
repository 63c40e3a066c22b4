// npm run build: builds everything that ships from scratch.
import { BuildError, buildProduct } from './build-product.ts';

try {
  await buildProduct({ all: true });
} catch (error) {
  if (!(error instanceof BuildError)) throw error;
  process.stderr.write(`sidelight: ${error.message}\n`);
  process.exitCode = 1;
}
