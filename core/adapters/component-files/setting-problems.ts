/** Mistakes in the settings of a component, found by its type's reader, each with its position in the file. */
import type { Problem } from '../../contract/subscription.ts';
import type { Position } from './yaml-documents.ts';

/** Every complaint of a type about its settings, with the name of the setting; [] = none, or nothing is known of the type. */
export type CheckSettings = (
  type: string,
  setting: (name: string) => string,
) => readonly { readonly name: string; readonly message: string }[];

/** The facts about a component that the check of its settings needs. */
interface Found {
  readonly type: string;
  readonly file: string;
  readonly document: number;
  readonly locate: (field: string) => Position;
}

/** @param given in the order of `spec.metadata`; `value` undefined: not known yet, so it is not checked */
export function settingProblems(
  { type, file, document, locate }: Found,
  given: readonly { readonly name: string; readonly value: string | undefined }[],
  check: CheckSettings | undefined,
): readonly Problem[] {
  if (check === undefined) return [];
  const indexes = new Map(given.map(({ name }, index) => [name.toLowerCase(), index]));
  const indexOf = (name: string): number => indexes.get(name.toLowerCase()) ?? -1;
  return check(type, (name) => given[indexOf(name)]?.value ?? '').flatMap(({ name, message }) => {
    const index = indexOf(name);
    if (index !== -1 && given[index]?.value === undefined) return [];
    const field = index === -1 ? 'spec.metadata' : `spec.metadata[${index}].value`;
    return [{ file, document, ...locate(field), field, message, severity: 'error' as const }];
  });
}
