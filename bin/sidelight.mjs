#!/usr/bin/env node
// The published command: says in one line what it needs on an older Node, else hands over to the program.
// Nothing is imported statically: a missing built-in module would stop an older Node with a stack trace.

const { isNewEnough } = await import('./node-package.mjs');
if (isNewEnough(process.version)) {
  // By its address, so that the check of types does not read what is built.
  await import(new URL('../dist/program/host/cli.js', import.meta.url).href);
} else {
  const { existsSync } = await import('node:fs');
  const { fileURLToPath } = await import('node:url');
  // A clone has a launcher that brings a newer Node into the clone's own folder.
  const launcher = fileURLToPath(new URL('../scripts/run.mjs', import.meta.url));
  const way = existsSync(launcher)
    ? `install Node 24, or run: node ${launcher} bin/sidelight.mjs`
    : 'install Node 24';
  process.stderr.write(
    `sidelight needs Node 22 from 22.19 on, or 24 or newer (this is ${process.version}); ${way}\n`,
  );
  process.exitCode = 1;
}
