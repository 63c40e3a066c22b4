// npm run check: the quick gates, one line each.
import { ARCHITECTURE, GATES, runCommits, runGates } from './gates.ts';

const passed = [runCommits(), ...(await runGates([...GATES, ARCHITECTURE]))];
if (passed.includes(false)) process.exitCode = 1;
