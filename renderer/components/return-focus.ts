/** Gives the focus back when a dialog closes. */

/**
 * The answer to a dialog that asks where the focus goes. The library passes over an element at which no Tab stops, such as a screen, and takes
 * the first control inside it if that is there already; so such an element gets the focus from here, at the moment when the library gives it.
 * @returns false: the library focuses nothing
 */
export function returnTo(element: HTMLElement): HTMLElement | false {
  if (element.tabIndex >= 0) return element;
  queueMicrotask(() => element.focus({ preventScroll: true }));
  return false;
}
