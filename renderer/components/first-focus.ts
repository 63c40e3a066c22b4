/** Gives the focus of a dialog to what is to have it first, however late that comes. */

/** Marks an element that has the focus first. */
const FIRST = '[data-focus-first]';
/** Marks the place of an editor that takes the focus first, which may still be empty. */
const LATER = '[data-focus-later]';
const FIELD = 'input:not([type="hidden"]), textarea, [role="combobox"]';
const ACTS = ['keydown', 'pointerdown'] as const;
const OTHERS = '[role="dialog"], [role="alertdialog"]';

/** Whether an editor of the dialog is still being loaded: nothing that was written in it could be in what the dialog sends. */
export function isEditorComing(popup: Element): boolean {
  return popup.querySelector(LATER) !== null && popup.querySelector(FIRST) === null;
}

/**
 * Element that gets the focus first: the editor of the content, else the first field, else the first button of the foot, of the body or
 * of the head.
 * @param body the part between head and foot
 * @returns undefined: it is still being loaded, and a field that had the focus until then would get what is typed meanwhile
 */
export function firstField(popup: Element, body: Element | null): HTMLElement | undefined {
  const first = (selector: string, within: Element | null = popup): HTMLElement | undefined =>
    within?.querySelector<HTMLElement>(selector) ?? undefined;
  const named = first(FIRST);
  if (named !== undefined || isEditorComing(popup)) return named;
  const field = first(FIELD);
  if (field !== undefined || first('[aria-busy="true"]', body) !== undefined) return field;
  return first('footer button') ?? first('button', body) ?? first('button');
}

export interface FirstFocusOptions {
  /** The element of the dialog. The library gives it the focus once it is open. */
  readonly popup: HTMLElement;
  /** Element that gets the focus first; undefined: not yet there. */
  readonly find: () => HTMLElement | undefined;
}

/**
 * Passes the focus on from the dialog itself as soon as the element is there that is to have it. Neither an editor nor the library can do
 * that alone: the library decides a frame before it moves the focus, and what is loaded may come in between or after it. The library may
 * also give the focus to the dialog once more after that.
 * A person who has gone to an element of the dialog, or of a dialog over it, keeps the focus there.
 * @returns stops it
 */
export function passFocusOn({ popup, find }: FirstFocusOptions): () => void {
  const { ownerDocument: page } = popup;
  let given: HTMLElement | undefined;
  const observer = new MutationObserver(() => pass());
  function stop(): void {
    observer.disconnect();
    page.removeEventListener('focusin', onFocus);
    for (const type of ACTS) popup.removeEventListener(type, onAct, true);
  }
  function pass(): void {
    if (page.activeElement !== popup) return;
    given = find();
    given?.focus();
  }
  function onFocus({ target }: FocusEvent): void {
    if (target === popup) pass();
    else if (target !== given && target instanceof Element && target.closest(OTHERS) !== null) stop();
  }
  /** What a person does after that may lead anywhere; before it, keys that reach only the dialog say nothing about a place. */
  function onAct(): void {
    if (given !== undefined) stop();
  }
  observer.observe(popup, {
    childList: true,
    subtree: true,
    attributeFilter: ['aria-busy', 'data-focus-first', 'data-focus-later'],
  });
  page.addEventListener('focusin', onFocus);
  for (const type of ACTS) popup.addEventListener(type, onAct, true);
  return stop;
}
