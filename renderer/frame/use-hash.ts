/** The router's view of the address after `#`, read from the place store. */
import { useConsole } from '../state/context.ts';
import { useSelected } from '../state/store.ts';

interface NavigateOptions {
  readonly replace?: boolean;
}

/** Path of the present place, and how to go elsewhere. */
export function useHashPath(): [string, (to: string, options?: NavigateOptions) => void] {
  const { navigation } = useConsole();
  const path = useSelected(navigation.store, (place) => place.path);
  return [path, (to, options) => navigation.go(to, {}, { replace: options?.replace ?? false })];
}

/** Parameters of the present place. */
export function useHashSearch(): string {
  const { navigation } = useConsole();
  return useSelected(navigation.store, (place) => place.search);
}

/** Address of a path, for links. */
export function useHashHref(path: string): string {
  return `#${path}`;
}
