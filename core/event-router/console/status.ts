/**
 * Reports event-router components for `eventRouter.status`: loaded or refused, with every field and its
 * mistake.
 */
import type { EventRouterComponent, FieldReport } from '../../contract/event-router/components.ts';
import type { Profile } from '../../contract/profile.ts';
import type { ComponentRow, Problem } from '../../contract/subscription.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import type { EventRouterBinding } from '../binding/binding.ts';
import { FIELDS, FIELD_TRAITS, fieldName, fieldOf } from '../rules/field-names.ts';

const MASK = '***';
/** Finds the name of a field in the sentence of a problem. */
const NAMED = /metadata field "([^"]+)"/;

/**
 * Report of a component.
 * @param binding absent: the component is not valid, or not loaded yet
 */
export function componentReport(
  row: ComponentRow,
  binding: EventRouterBinding | undefined,
  profile: Profile,
): EventRouterComponent {
  const sides = binding?.fields?.sides;
  const direction =
    sides === undefined
      ? 'none'
      : sides.input && sides.output
        ? 'input, output'
        : sides.input
          ? 'input'
          : 'output';
  return {
    name: row.name,
    type: row.type,
    ...withoutUndefined({ file: row.file, line: row.line }),
    state: row.state,
    ...withoutUndefined({ reason: row.reason }),
    direction,
    fields: fieldReports(row, direction, profile),
    problems: row.problems,
    notes: binding?.notes ?? [],
    ...binding?.report(),
  };
}

function fieldReports(
  row: ComponentRow,
  direction: EventRouterComponent['direction'],
  profile: Profile,
): readonly FieldReport[] {
  const values = new Map(
    Object.entries(row.metadata).map(([name, value]) => [fieldOf(name, profile), value]),
  );
  return FIELDS.map((field) => {
    const { side, required, secret } = FIELD_TRAITS[field];
    const value = values.get(field);
    const isOn = direction === 'none' || side === 'both' || direction.includes(side);
    return {
      field: fieldName(field, profile),
      ...(value === undefined ? {} : { value: secret && value !== '' ? MASK : value }),
      secret,
      required: required && isOn,
      side,
      problems: row.problems.filter((problem) => fieldOfProblem(problem, profile) === field),
    };
  });
}

function fieldOfProblem({ message }: Problem, profile: Profile): ReturnType<typeof fieldOf> {
  const name = NAMED.exec(message)?.[1];
  return name === undefined ? undefined : fieldOf(name, profile);
}
