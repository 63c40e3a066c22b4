/** Writes the table of methods in docs/automation.md: `npm run methods`. */
import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from './graph.ts';
import { withMethods } from './methods-table.ts';

const file = path.join(ROOT, 'docs', 'automation.md');
fs.writeFileSync(file, withMethods(fs.readFileSync(file, 'utf8')));
