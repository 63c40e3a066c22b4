// npm run spec-map: writes docs/spec-map.md from the rows, their places and the conformance suite.
import fs from 'node:fs';
import path from 'node:path';
import { specMapText } from '../test/architecture/spec-map.ts';
import { ROOT } from './tools.ts';

fs.writeFileSync(path.join(ROOT, 'docs', 'spec-map.md'), specMapText());
