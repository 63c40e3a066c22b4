// Replaces the Electron binary in a test: runs the given program under the stand-in, with a page that sends by itself.
import fs from 'node:fs';
import path from 'node:path';
import { runPreload } from './preload.ts';
import * as electron from './stand-in.ts';

/** `window`: as it should be. `running`: another one has the lock. `blank`: the page never speaks. `broken`: ends at once. */
const behaviour = process.env['FAKE_ELECTRON'];
const [main = '', ...flags] = process.argv.slice(2);
if (behaviour === 'broken') process.exit(133);

electron.world.userData = process.env['FAKE_USER_DATA'] ?? '';
electron.world.hasLock = behaviour !== 'running';
process.argv = ['electron', main, ...flags];
void electron.when('app.quit').then(() => process.exit(0));
void electron.when('app.exit').then(() => process.exit(Number(electron.askedFor('app.exit')[0]?.[0])));

await import(main);
if (behaviour === 'window') {
  await electron.when('page committed');
  const preload = path.join(path.dirname(main), 'preload', 'preload.cjs');
  runPreload(fs.readFileSync(preload, 'utf8')).send('{"jsonrpc":"2.0","id":1,"method":"system.describe"}');
}
