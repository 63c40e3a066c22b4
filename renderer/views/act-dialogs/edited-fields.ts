/** Refusals of an edited event, at the fields that they name. */
import { useRefused, type Refused } from '../../components/use-refused.ts';

const NAMES = ['topic', 'pubsubname', 'contentType'] as const;

export interface RefusedEdit extends Refused {
  /** The refusal of a field by its name in a publish, whether the host names it so or among the changes. */
  readonly ofField: (name: string) => string | undefined;
}

/** The state of a form that edits an event. */
export function useRefusedEdit(): RefusedEdit {
  const refused = useRefused(NAMES.flatMap((name) => [name, `changes.${name}`]));
  return { ...refused, ofField: (name) => refused.at(name) ?? refused.at(`changes.${name}`) };
}
