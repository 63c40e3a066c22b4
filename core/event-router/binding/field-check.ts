/** The check of event-router components in files: what is wrong with their fields, each with its position. */
import type { Profile } from '../../contract/profile.ts';
import type { Problem } from '../../contract/subscription.ts';
import { readEventRouterFields } from '../rules/component-fields.ts';
import type { FieldCheck } from '../../ports/component-source.ts';

const OWN_CODE = /^EVR-CFG-/;

/** @param namespace of the router, as it is in scopes */
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
      // The general rule for a field that is given twice is "the last one counts". This type refuses it instead.
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
