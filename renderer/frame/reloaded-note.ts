/** The note that the host was started again goes by itself. */
import type { ConnectionStore } from '../state/connection.ts';

/** Long enough to be read; the list itself stands by then as it stood before. */
const SHOWN_MS = 20_000;

/** Takes the note away after a while; the result stops that. */
export function endReloadedNote(connection: Pick<ConnectionStore, 'setState'>): () => void {
  const timer = setTimeout(() => connection.setState({ reloaded: false }), SHOWN_MS);
  return () => clearTimeout(timer);
}
