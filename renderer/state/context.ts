/** Hooks that give views the console. */
import { createContext, useContext, useEffect, useRef } from 'react';
import { isReadByTaps, profileInUse } from '../format/observed.ts';
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

/** Whether the page is one of a browser, with other windows beside it; without a console it is taken for none. */
export function useOpensWindows(): boolean {
  return useContext(ConsoleContext)?.opensWindows ?? false;
}

/** A resource's state; it is loaded and kept fresh while the component is mounted. */
export function useResource<T>(resource: ResourceStore<T>): Resource<T> {
  useEffect(() => resource.watch(), [resource]);
  return useSelected(resource.store, (state) => state);
}

/** The profiles by which messages are read here; undefined: not known yet. */
export function useProfileInUse(): string | undefined {
  const { connection, topology } = useConsole();
  const system = useSelected(connection, (state) => state.system);
  const { value: taps } = useResource(topology.taps);
  return system && profileInUse(system, taps?.items ?? []);
}

/** Whether those profiles are of the sidecars behind the taps. */
export function useIsReadByTaps(): boolean {
  const { connection, topology } = useConsole();
  const system = useSelected(connection, (state) => state.system);
  const { value: taps } = useResource(topology.taps);
  return system !== undefined && isReadByTaps(system, taps?.items ?? []);
}

/** One parameter of the address. */
export function useParam(name: string): string | undefined {
  const { navigation } = useConsole();
  const search = useSelected(navigation.store, (place) => place.search);
  return new URLSearchParams(search).get(name) ?? undefined;
}

/**
 * A number that grows each time the connection opens. An effect that asks the host once depends on it, so
 * that it asks again.
 */
export function useOpenings(): number {
  const { connection } = useConsole();
  return useSelected(connection, ({ openings }) => openings);
}

/** Number of openings of the connection when a failure was first shown. */
const firstShown = new WeakMap<Error, number>();

/**
 * Calls `back` once the connection has opened again since the failure was first shown: at once where it is shown a second time after that.
 * Without a console never.
 */
export function useWhenBack(failure: Error, back: () => void): void {
  const connection = useContext(ConsoleContext)?.connection;
  const latest = useRef(back);
  useEffect(() => {
    latest.current = back;
  });
  useEffect(() => {
    if (connection === undefined) return;
    const since = firstShown.get(failure) ?? connection.getState().openings;
    firstShown.set(failure, since);
    if (connection.getState().openings > since) latest.current();
    return connection.subscribe(({ openings }, before) => {
      if (openings > before.openings) latest.current();
    });
  }, [connection, failure]);
}

/**
 * Why nothing can be changed now: this part of the console is read-only, or there is no connection.
 * @param reason text without a connection
 */
export function useAway(reason: string): string | undefined {
  const { connection, readOnly } = useConsole();
  const isOpen = useSelected(connection, ({ link }) => link.status === 'open');
  return readOnly ?? (isOpen ? undefined : reason);
}
