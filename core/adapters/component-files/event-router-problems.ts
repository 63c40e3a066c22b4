/** What is wrong with the settings of an event-router component, each with its place in the file. */
import type { Profile } from '../../contract/profile.ts';
import type { Problem } from '../../contract/subscription.ts';
import { readEventRouterFields } from '../../domain/event-router/component-fields.ts';
import type { GivenField } from '../../domain/event-router/component-fields.ts';
import type { Place } from './yaml-documents.ts';

interface RouterFacts {
  readonly profile: Profile;
  readonly routerNamespace: string;
}

/** A component of a file, as far as it matters here. */
interface Found {
  readonly name: string;
  readonly file: string;
  readonly document: number;
  readonly problems: readonly Problem[];
  readonly locate: (field: string) => Place;
}

const OWN_CODE = /^EVR-CFG-/;

/**
 * The component's problems with those of its fields instead of any that were found before.
 * @param given in the order of `spec.metadata`; `value` undefined: a secret that is not read yet
 */
export function routerProblems(
  one: Found,
  given: readonly GivenField[],
  { profile, routerNamespace }: RouterFacts,
): readonly Problem[] {
  const { file, document, locate } = one;
  const { problems } = readEventRouterFields(given, {
    component: one.name,
    profile,
    namespace: routerNamespace,
  });
  const placed = problems.map(({ index, code, message, severity }): Problem => {
    const field = index === undefined ? 'spec.metadata' : `spec.metadata[${index}]`;
    const at = locate(index === undefined || code === 'EVR-CFG-02' ? field : `${field}.value`);
    return { file, document, ...at, code, field, message, severity };
  });
  // "The last one counts" is not so here.
  const twice = new Set(
    placed.filter(({ code }) => code === 'EVR-CFG-02').map(({ field }) => `${field}.name`),
  );
  const others = one.problems.filter(
    ({ code, field }) => !OWN_CODE.test(code ?? '') && !(field !== undefined && twice.has(field)),
  );
  return [...others, ...placed];
}
