/** Keys that a person gave to commands instead of the default ones. */
import type { Command } from './command.ts';

/** Binding by command id; '' removes the keys of a command. */
export type Bindings = Readonly<Record<string, string>>;

/** Keys that browsers and desktops use themselves, so a page cannot rely on them. */
const OWNED = /^Mod\+[NTWRL]$|^Mod\+Shift\+[PNT]$|^Alt\+\d$|^Mod\+Alt\+T$|^Alt\+Arrow(Left|Right)$|^F(5|11)$/;
/** Keys that cannot be a binding alone. */
const ALONE = /^(Mod|Alt|Shift|Control|Meta|Tab|Escape|Enter|Space|Dead|AltGraph|CapsLock)$/;

/** The present keys of a command. */
export function keysOf(
  { id, keys = [] }: Pick<Command, 'id' | 'keys'>,
  bindings: Bindings,
): readonly string[] {
  const own = bindings[id];
  if (own === undefined) return keys;
  return own === '' ? [] : [own];
}

export type BindingProblem =
  | { readonly kind: 'owned' | 'alone' }
  | { readonly kind: 'begins' | 'taken'; readonly title: string };

/** Why a command cannot have this key; undefined: it can. */
export function bindingProblem(
  binding: string,
  commandId: string,
  commands: readonly Command[],
  bindings: Bindings,
): BindingProblem | undefined {
  if (ALONE.test(binding)) return { kind: 'alone' };
  if (OWNED.test(binding)) return { kind: 'owned' };
  for (const command of commands) {
    if (command.id === commandId) continue;
    for (const key of keysOf(command, bindings)) {
      if (key === binding) return { kind: 'taken', title: command.title };
      if (key.startsWith(`${binding} `)) return { kind: 'begins', title: command.title };
    }
  }
  return undefined;
}

/** The present key for each default first key; read by all code that draws keys. */
let moved: ReadonlyMap<string, string> = new Map();

/** Sets the bindings for all code that draws keys. */
export function drawBindings(commands: readonly Command[], bindings: Bindings): void {
  const next = new Map<string, string>();
  for (const { id, keys = [] } of commands) {
    const own = bindings[id];
    if (own !== undefined) for (const key of keys) next.set(key, own);
  }
  moved = next;
}

/** Keys to draw instead of default keys. */
export function drawnKeys(keys: readonly string[]): readonly string[] {
  return keys.map((key) => moved.get(key) ?? key).filter((key) => key !== '');
}
