// npm run check: the quick gates, one line each.
import { ARCHITECTURE, GATES, runGate } from './gates.ts';

let failed = 0;
for (const gate of [...GATES, ARCHITECTURE]) failed += (await runGate(gate)) ? 0 : 1;
if (failed > 0) process.exitCode = 1;
