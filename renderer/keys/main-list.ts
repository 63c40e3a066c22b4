/** Gives keys to the list of the screen while nothing in particular has the focus. */
import { ANCHORS } from './anchors.ts';

/** Marks the list that a screen is about. */
const LIST = `#${ANCHORS.main} [data-main-list]`;
const OVER_THE_PAGE = '[role="dialog"], [role="alertdialog"], [role="menu"]';
/** Keys that move in a list, or open its row. */
const LIST_KEYS = new Set(['ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown', 'Enter']);
/** Most frames for which a list that is being loaded is waited for. */
const MAX_FRAMES = 120;

function mainList(): HTMLElement | null {
  return document.querySelector<HTMLElement>(LIST);
}

/** Whether the focus at this element says nothing about what a key is for: no element has it, or the screen or part around the list. */
function isLoose(element: Element | null, list: Element | null): boolean {
  if (element === null || element === document.body || element.id === ANCHORS.main) return true;
  return list !== null && element.matches('section') && element.contains(list);
}

/** The list that a key is for, if it was pressed while nothing in particular had the focus. */
export function listFor(target: Element): HTMLElement | undefined {
  const list = mainList();
  if (list === null || !isLoose(target, list)) return undefined;
  return document.querySelector(OVER_THE_PAGE) === null ? list : undefined;
}

/** The acts that a list names, in whose rows they are buttons too. */
function actKeys(list: HTMLElement): readonly string[] {
  return list.dataset['actKeys']?.split(' ') ?? [];
}

/** Whether a key moves in this list, or opens its row. Enter that acts on the row is left to who has the focus: it is pressed for other things. */
export function isListKey({ key, ctrlKey, metaKey, altKey }: KeyboardEvent, list: HTMLElement): boolean {
  if (ctrlKey || metaKey || altKey || !LIST_KEYS.has(key)) return false;
  return key !== 'Enter' || !actKeys(list).includes('Enter');
}

/** Whether a key is one of the acts that this list names. */
export function isActKey({ key, ctrlKey, metaKey, altKey }: KeyboardEvent, list: HTMLElement): boolean {
  return !ctrlKey && !metaKey && !altKey && key !== 'Enter' && actKeys(list).includes(key);
}

/** Gives the list the focus and the key, which then does what it does there. */
export function passOn(list: HTMLElement, event: KeyboardEvent): void {
  const { key, code, shiftKey, repeat } = event;
  list.focus({ preventScroll: true });
  const passed = new KeyboardEvent('keydown', {
    key,
    code,
    shiftKey,
    repeat,
    bubbles: true,
    cancelable: true,
  });
  if (!list.dispatchEvent(passed)) event.preventDefault();
}

/** Gives the list the focus, unless another element of the page has it. */
export function focusLooseList(): void {
  const list = mainList();
  if (list !== null && isLoose(document.activeElement, list)) list.focus({ preventScroll: true });
}

/** Gives the focus to the list of a screen that was gone to by keys, as soon as it is there. */
export function focusMainList(frames = MAX_FRAMES): void {
  requestAnimationFrame(() => {
    const list = mainList();
    if (list !== null) list.focus({ preventScroll: true });
    else if (frames > 0 && isLoose(document.activeElement, list)) focusMainList(frames - 1);
  });
}
