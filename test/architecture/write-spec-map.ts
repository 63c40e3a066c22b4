// npm run spec-map: writes docs/spec-map.md from the rows, their places and the conformance suite.
import { writeFileSync } from 'node:fs';
import { specMapText } from './spec-map.ts';

writeFileSync(new URL('../../docs/spec-map.md', import.meta.url), specMapText());
