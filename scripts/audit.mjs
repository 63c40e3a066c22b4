// npm run audit: asks the registry for known weaknesses of what ships.
import { npm } from './launcher/npm.mjs';

process.exitCode = await npm(process.execPath, ['audit', '--omit=dev', ...process.argv.slice(2)]);
