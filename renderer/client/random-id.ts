/** Random ids. */

/**
 * A random UUID of version 4. A page that another machine opened over plain HTTP has no `crypto.randomUUID`, which browsers give only to
 * secure contexts.
 */
export function randomId(): string {
  const given: Pick<Crypto, 'getRandomValues'> & Partial<Pick<Crypto, 'randomUUID'>> = crypto;
  return given.randomUUID?.() ?? uuidOf(given.getRandomValues(new Uint8Array(16)));
}

/** Random bytes as a UUID of version 4. */
export function uuidOf(bytes: Uint8Array): string {
  const hex = Array.from(bytes, (byte, index) => {
    const marked = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte;
    return marked.toString(16).padStart(2, '0');
  }).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
