/** npm run scenario-schema: writes scenario.schema.json, by which editors complete and check scenario files, from the contract. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { scenarioSchema } from './scenario-schema.ts';

writeFileSync(path.resolve(import.meta.dirname, '..', '..', 'scenario.schema.json'), scenarioSchema());
