/**
 * npm run spec-map: writes docs/spec-map.md from the rows, their places and the conformance suite, docs/event-router-cases.md and
 * docs/run-cases.md
 * from the tests, and the table of differences from the reference.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { withDifferences } from './differences-table.ts';
import { routerCasesText } from './router-cases.ts';
import { runCasesText } from './run-cases.ts';
import { specMapText } from './spec-map.ts';

writeFileSync(new URL('../../docs/spec-map.md', import.meta.url), specMapText());
writeFileSync(new URL('../../docs/event-router-cases.md', import.meta.url), routerCasesText());
writeFileSync(new URL('../../docs/run-cases.md', import.meta.url), runCasesText());

const differences = new URL('../../docs/reference-differences.md', import.meta.url);
writeFileSync(differences, withDifferences(readFileSync(differences, 'utf8')));
