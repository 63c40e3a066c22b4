/** The pool alone: the whole library brings a browser's `fetch`, caches and sockets along, 13 MB that no delivery needs. */
declare module 'undici/lib/dispatcher/pool.js' {
  import type { Pool } from 'undici';

  const pool: typeof Pool;
  export default pool;
}
