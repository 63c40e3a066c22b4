/** The nonce with which the page's policy allows styles. */

/** Reads the nonce from the page; undefined: the server set none. */
export function nonceOf(page: Pick<Document, 'querySelector'>): string | undefined {
  const text = page.querySelector('meta[name="csp-nonce"]')?.getAttribute('content') ?? '';
  return text === '' || text === '__NONCE__' ? undefined : text;
}
