/** Checks event-router components in files: each mistake in a field has its position. */
import type { Profile } from '../../contract/profile.ts';
import type { Problem } from '../../contract/subscription.ts';
import { readEventRouterFields } from '../rules/component-fields.ts';
import type { FieldCheck } from '../../ports/component-source.ts';

const OWN_CODE = /^EVR-CFG-/;

/**
 * Makes the check.
 * @param namespace namespace of the router in scopes
 */
export function routerFieldCheck(profile: Profile, namespace: string): FieldCheck {
  return {
    type: profile.binding.type,
    problems: ({ name, file, document, problems: before, locate }, given) => {
      const { problems } = readEventRouterFields(given, { component: name, profile, namespace });
      const located = problems.map(({ index, code, message, severity }): Problem => {
        const field = index === undefined ? 'spec.metadata' : `spec.metadata[${index}]`;
        const at = locate(index === undefined || code === 'EVR-CFG-02' ? field : `${field}.value`);
        return { file, document, ...at, code, field, message, severity };
      });
      // In general the last one of a repeated field counts. This type refuses the field instead.
      const twice = new Set(
        located.filter(({ code }) => code === 'EVR-CFG-02').map(({ field }) => `${field}.name`),
      );
      const others = before.filter(
        ({ code, field }) => !OWN_CODE.test(code ?? '') && !(field !== undefined && twice.has(field)),
      );
      return [...others, ...located];
    },
  };
}
