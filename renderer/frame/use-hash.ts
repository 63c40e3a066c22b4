/** Hooks by which the router reads the address after `#` from the navigation store. */
import { useConsole } from '../state/context.ts';
import { useSelected } from '../state/store.ts';

interface NavigateOptions {
  readonly replace?: boolean;
}

/** Path of the present route, and the function that changes it. */
export function useHashPath(): [string, (to: string, options?: NavigateOptions) => void] {
  const { navigation } = useConsole();
  const path = useSelected(navigation.store, (route) => route.path);
  return [path, (to, options) => navigation.go(to, {}, { replace: options?.replace ?? false })];
}

/** Parameters of the present route. */
export function useHashSearch(): string {
  const { navigation } = useConsole();
  return useSelected(navigation.store, (route) => route.search);
}

/** Address of a path, for links. */
export function useHashHref(path: string): string {
  return `#${path}`;
}
