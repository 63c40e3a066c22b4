/** `npm run conformance`: runs the conformance suite; `--help` tells how. */
import { main } from '../test/conformance/main.ts';

process.exitCode = await main(process.argv.slice(2), { print: (line) => console.log(line) });
