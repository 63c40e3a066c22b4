#!/usr/bin/env node
// The published command: says in one line what it needs on an older Node, else hands over to the program.
// Nothing is imported statically: a missing built-in module would stop an older Node with a stack trace.

const { isNewEnough, nodePackage } = await import('./node-package.mjs');
if (isNewEnough(process.version)) {
  await import('../dist/core/host/cli.js');
} else {
  const carrier = nodePackage(`${process.platform}-${process.arch}`);
  const way = carrier ? `run: npx -y -p ${carrier} -p sidelight sidelight` : 'install Node 24';
  process.stderr.write(`sidelight needs Node 22.19 or newer (this is ${process.version}); ${way}\n`);
  process.exitCode = 1;
}
