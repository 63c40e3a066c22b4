/** The page's security policy and the headers beside it, for browser mode and for the window: one place. */

/** Placeholder of the policy's nonce in the built page. */
export const NONCE_PLACEHOLDER = '__NONCE__';

/**
 * Content-Security-Policy of the console's page.
 * @param nonce of the styles that libraries add at run time
 * @param socket own WebSocket origin (`ws://127.0.0.1:3580`) in browser mode; the window needs none
 */
export function pagePolicy(nonce: string, socket?: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self'${socket === undefined ? '' : ` ${socket}`}`,
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Policy of a page that is plain text in HTML: nothing may load or run. */
export const BARE_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Headers of every answer of the console. No CORS header is among them: no other origin may read anything. */
export const SAFE_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;
