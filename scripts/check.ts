// npm run check: the quick gates, one line each.
import { ARCHITECTURE, GATES, runGates } from './gates.ts';

const passed = await runGates([...GATES, ARCHITECTURE]);
if (passed.includes(false)) process.exitCode = 1;
