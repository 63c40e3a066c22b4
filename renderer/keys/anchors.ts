/** Ids of the elements to which commands and links move the focus. */
export const ANCHORS = {
  main: 'content',
  filter: 'filter-messages',
  logFilter: 'filter-logs',
  grid: 'messages-grid',
  detail: 'message-detail',
  publishData: 'publish-data',
} as const;

/** Focuses the search field of the present screen; false: it has none. */
export function focusSearch(): boolean {
  const field = document.querySelector<HTMLElement>(`#${ANCHORS.main} input[type="search"]`);
  field?.focus();
  return field !== null;
}

/** Focuses the element with this id, if it exists. */
export function focusAnchor(id: string): void {
  document.getElementById(id)?.focus();
}
