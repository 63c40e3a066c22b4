/** What a person entered in a form of a screen: it is found again after another tab or screen, as long as the window is open. */
import { useState } from 'react';
import { useConsole } from '../state/context.ts';

/** What was left in each window, by the name of its field. */
const left = new WeakMap<object, Map<string, unknown>>();

function leftIn(owner: object): Map<string, unknown> {
  const known = left.get(owner) ?? new Map<string, unknown>();
  left.set(owner, known);
  return known;
}

/**
 * State that stays when its form is left.
 * @param name of the field, which no other one has
 * @param start value before anything was entered
 * @returns the value, and a function that changes the one of by then, also after the form was left
 */
export function useLeftState<T>(name: string, start: T): readonly [T, (to: (now: T) => T) => void] {
  const known = leftIn(useConsole().drafts);
  // Each name is that of one field, so what was left under it has its type.
  const present = (): T => (known.has(name) ? (known.get(name) as T) : start);
  const [value, setValue] = useState(present);
  return [
    value,
    (to) => {
      const next = to(present());
      if (next === start) known.delete(name);
      else known.set(name, next);
      setValue(next);
    },
  ];
}
