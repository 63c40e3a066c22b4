/** The nonce that the page's policy allows styles with. */

/** Reads it from the page; undefined where the server put none. */
export function nonceOf(page: Pick<Document, 'querySelector'>): string | undefined {
  const text = page.querySelector('meta[name="csp-nonce"]')?.getAttribute('content') ?? '';
  return text === '' || text === '__NONCE__' ? undefined : text;
}
