/** The JSON Schema of scenario files as it is published in the package. */
import { scenario } from '../../core/contract/scenario.ts';

/** Text of the file. */
export function scenarioSchema(): string {
  const head = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Sidelight scenario',
    description: 'Steps that sidelight test runs against an instance of its own (*.scenario.yaml).',
  };
  return `${JSON.stringify({ ...head, ...scenario }, undefined, 2)}\n`;
}
