/** Whether a reloaded component needs a new instance. */
import type { Built, ComponentSpec } from '../../ports/component-source.ts';

/** Whether two specs differ in nothing but their position in the file. */
export function sameSpec(a: ComponentSpec, b: ComponentSpec): boolean {
  return textOf(a) === textOf(b);
}

/** A spec without its position in the file, as text. */
function textOf({
  line: _line,
  document: _document,
  scopesLine: _scopes,
  ...spec
}: Partial<ComponentSpec>): string {
  return JSON.stringify(spec);
}

interface Running {
  readonly spec: ComponentSpec;
  readonly state: string;
  readonly built: Built | undefined;
}

/**
 * Whether only the apps that may use the component differ, and one of them may use both: its instance serves the others too. An app that is
 * added changes the scopes of every component of its folder.
 */
export function takesScopes({ spec: a, built }: Running, b: ComponentSpec): boolean {
  if (!sameSpec(forAll(a), forAll(b))) return false;
  // An input binding feeds the app that has it until it is closed.
  if (built?.kind === 'binding' && losesAnApp(a, b)) return false;
  return a.scopes.length === 0 || b.scopes.length === 0 || a.scopes.some((appId) => b.scopes.includes(appId));
}

function forAll({ limitedBy: _limitedBy, ...spec }: ComponentSpec): ComponentSpec {
  return { ...spec, scopes: [] };
}

/** Whether an app may use the first, and may not use the second. */
function losesAnApp(a: ComponentSpec, b: ComponentSpec): boolean {
  if (b.scopes.length === 0) return false;
  return a.scopes.length === 0 || a.scopes.some((appId) => !b.scopes.includes(appId));
}

/** True when the component runs, only its settings differ, and the running instance took the new ones. */
export function takesChange(old: Running, spec: ComponentSpec): boolean {
  if (old.state !== 'ready' || spec.failed !== undefined || old.built?.kind !== 'binding') return false;
  const { metadata: _was, shown: _seen, problems: _had, ...before } = old.spec;
  const { metadata: _is, shown: _shown, problems: _has, ...after } = spec;
  return textOf(before) === textOf(after) && old.built.binding.change?.(spec.metadata) === true;
}
