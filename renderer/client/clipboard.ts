/** Copies to the clipboard. */

/**
 * Puts a text on the clipboard. A page that another machine opened over plain HTTP has no `navigator.clipboard`; there the browser copies what
 * is selected in a field. Rejects if the browser does not allow it.
 */
export async function copyText(text: string): Promise<void> {
  if ('clipboard' in navigator) return navigator.clipboard.writeText(text);
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'visually-hidden';
  // A modal dialog takes the focus away from everything outside of it.
  (before?.closest('[role="dialog"]') ?? document.body).append(field);
  try {
    field.select();
    if (!document.execCommand('copy')) throw new Error('The browser did not copy.');
  } finally {
    field.remove();
    if (before instanceof HTMLElement) before.focus();
  }
}
