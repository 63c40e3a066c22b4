/** npm run walls: draws the picture of the walls in docs/architecture.md again. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './graph.ts';
import { withWalls } from './walls-picture.ts';

const file = path.join(ROOT, 'docs', 'architecture.md');
writeFileSync(file, withWalls(readFileSync(file, 'utf8')));
