// npm run spec-map: writes docs/spec-map.md from the rows, their places and the conformance suite, docs/event-router-cases.md and docs/run-cases.md from the tests.
import { writeFileSync } from 'node:fs';
import { routerCasesText } from './router-cases.ts';
import { runCasesText } from './run-cases.ts';
import { specMapText } from './spec-map.ts';

writeFileSync(new URL('../../docs/spec-map.md', import.meta.url), specMapText());
writeFileSync(new URL('../../docs/event-router-cases.md', import.meta.url), routerCasesText());
writeFileSync(new URL('../../docs/run-cases.md', import.meta.url), runCasesText());
