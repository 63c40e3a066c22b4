/** Tells the second click of a double click that lands on another button than the first one: that one acted, and this one took its place. */

/** The button that the last single click, or the first click of several, pressed. */
let pressedFirst: WeakRef<EventTarget> | undefined;

/** The part of a click that counts here; `detail` is its number in a row of clicks, and 0 for a key. */
export interface CountedClick {
  readonly detail: number;
  readonly currentTarget: EventTarget;
}

/** Whether a click belongs to a button that is no longer there. Notes the button of a first click. */
export function isStrayClick({ detail, currentTarget }: CountedClick): boolean {
  if (detail > 1) return pressedFirst?.deref() !== currentTarget;
  pressedFirst = new WeakRef(currentTarget);
  return false;
}
