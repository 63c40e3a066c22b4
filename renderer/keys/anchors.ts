/** Ids of the elements to which commands and links move the focus. */
export const ANCHORS = {
  main: 'content',
  filter: 'filter-messages',
  logFilter: 'filter-logs',
  grid: 'messages-grid',
  columns: 'columns-of-list',
  detail: 'message-detail',
  publishData: 'publish-data',
} as const;

/** Focuses the search field of the present screen; false: it has none. */
export function focusSearch(): boolean {
  const field = document.querySelector<HTMLElement>(`#${ANCHORS.main} input[type="search"]`);
  field?.focus();
  return field !== null;
}

/** Most frames for which a screen that is being loaded is waited for. */
const MAX_FRAMES = 120;

/** Focuses what a form still needs: its first empty required field, else its first required one, as soon as the form is on the screen. */
export function focusNeeded(formSelector: string, frames = MAX_FRAMES): void {
  const form = document.querySelector(`#${ANCHORS.main} ${formSelector}`);
  const fields = [...(form?.querySelectorAll<HTMLInputElement>('input[required]') ?? [])];
  const field = fields.find(({ value }) => value === '') ?? fields[0];
  if (field !== undefined) field.focus();
  else if (frames > 0) requestAnimationFrame(() => focusNeeded(formSelector, frames - 1));
}

/** Focuses the element with this id, if it exists. */
export function focusAnchor(id: string): void {
  document.getElementById(id)?.focus();
}
