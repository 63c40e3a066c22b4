/** Gives the console to the views. */
import { createContext, useContext, useEffect } from 'react';
import type { Console } from './console.ts';
import type { Resource, ResourceStore } from './resource.ts';
import { useSelected } from './store.ts';

const ConsoleContext = createContext<Console | undefined>(undefined);

export const ConsoleProvider = ConsoleContext.Provider;

/** The console of this window. */
export function useConsole(): Console {
  const console = useContext(ConsoleContext);
  if (console === undefined) throw new Error('A view stands outside the console.');
  return console;
}

/** A resource's state; it is asked for and kept fresh while the component is mounted. */
export function useResource<T>(resource: ResourceStore<T>): Resource<T> {
  useEffect(() => resource.watch(), [resource]);
  return useSelected(resource.store, (state) => state);
}

/** One parameter of the address. */
export function useParam(name: string): string | undefined {
  const { navigation } = useConsole();
  const search = useSelected(navigation.store, (place) => place.search);
  return new URLSearchParams(search).get(name) ?? undefined;
}

/** Whether there is no connection now, as the reason a control is off. */
export function useAway(reason: string): string | undefined {
  const { connection } = useConsole();
  return useSelected(connection, ({ link }) => (link.status === 'open' ? undefined : reason));
}
