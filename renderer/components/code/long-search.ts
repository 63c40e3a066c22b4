/**
 * The search of an editor with a long text. The library compares character by character, which holds the page for seconds; this one looks
 * for the text in slices, and other work runs in between.
 */
import { closeSearchPanel, openSearchPanel, search } from '@codemirror/search';
import { Prec, type Extension, type Text } from '@codemirror/state';
import { EditorView, keymap, type Panel } from '@codemirror/view';
import { FIND } from '../../copy/viewer.ts';
import { fill } from '../../copy/fill.ts';
import { count } from '../../format/quantity.ts';

/** Characters that are searched at once. */
const SLICE = 512 * 1024;

/** Index at which a needle begins: the next one from `from` on, or the last one before it; after the end the search goes on at the other end. */
export async function findInSlices(
  doc: Text,
  needle: string,
  from: number,
  step: 1 | -1,
  signal: AbortSignal,
): Promise<number | undefined> {
  const wanted = needle.toLowerCase();
  const slices = Math.max(1, Math.ceil(doc.length / SLICE));
  const first = Math.min(Math.floor(from / SLICE), slices - 1);
  // The first slice is looked at twice: its other part last.
  for (let turn = 0; turn <= slices && !signal.aborted; turn += 1) {
    const slice = (((first + step * turn) % slices) + slices) % slices;
    const start = slice * SLICE;
    const text = lowered(doc.sliceString(start, start + SLICE + wanted.length - 1));
    const at = inSlice(text, wanted, turn === 0 ? from - start : undefined, step);
    if (at !== undefined) return start + at;
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return undefined;
}

/** @param limit the search begins here; undefined: at the end of the slice that comes first */
function inSlice(text: string, wanted: string, limit: number | undefined, step: 1 | -1): number | undefined {
  const before = limit === undefined ? text.length : limit - 1;
  if (step === -1 && before < 0) return undefined;
  const at = step === 1 ? text.indexOf(wanted, limit ?? 0) : text.lastIndexOf(wanted, before);
  return at === -1 ? undefined : at;
}

/** Lower case, unless that changes where characters are. */
function lowered(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
}

class LongSearch implements Panel {
  readonly dom = document.createElement('div');
  readonly top = true;
  readonly #view: EditorView;
  readonly #field = document.createElement('input');
  readonly #said = document.createElement('span');
  #running: AbortController | undefined;

  constructor(view: EditorView) {
    this.#view = view;
    const { main } = view.state.selection;
    this.dom.className = 'cm-search';
    this.#field.className = 'cm-textfield';
    this.#field.setAttribute('main-field', 'true');
    this.#field.setAttribute('aria-label', FIND.label);
    this.#field.placeholder = FIND.label;
    if (!main.empty && main.to - main.from <= 100)
      this.#field.value = view.state.sliceDoc(main.from, main.to);
    this.#said.setAttribute('role', 'status');
    const close = this.#button('×', () => closeSearchPanel(view), 'close');
    close.setAttribute('aria-label', FIND.close);
    this.dom.append(
      this.#field,
      this.#button(FIND.next, () => this.find(1)),
      this.#button(FIND.previous, () => this.find(-1)),
      this.#said,
      close,
    );
    this.dom.addEventListener('keydown', (event) => this.#onKey(event));
  }

  mount(): void {
    this.#field.select();
  }

  destroy(): void {
    this.#running?.abort();
  }

  /** Selects the next match, or the one before. */
  find(step: 1 | -1): void {
    this.#running?.abort();
    const needle = this.#field.value;
    if (needle === '') return;
    const own = new AbortController();
    this.#running = own;
    this.#said.textContent = FIND.searching;
    const { doc, selection } = this.#view.state;
    const from = step === 1 ? selection.main.to : selection.main.from;
    void findInSlices(doc, needle, from, step, own.signal).then((at) => {
      if (!own.signal.aborted && this.#view.state.doc === doc) this.#show(at, needle);
    });
  }

  #show(at: number | undefined, needle: string): void {
    if (at === undefined) {
      this.#said.textContent = FIND.none;
      return;
    }
    const line = this.#view.state.doc.lineAt(at).number;
    this.#said.textContent = fill(FIND.line, { n: count(line) });
    const head = at + needle.length;
    this.#view.dispatch({
      selection: { anchor: at, head },
      effects: EditorView.scrollIntoView(at, { y: 'center', x: 'center' }),
      userEvent: 'select.search',
    });
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape') closeSearchPanel(this.#view);
    else if (event.key === 'Enter' && event.target === this.#field) this.find(event.shiftKey ? -1 : 1);
    else if (event.key === 'F3') this.find(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #button(text: string, run: () => void, name?: string): HTMLButtonElement {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = name === undefined ? 'cm-button' : '';
    if (name !== undefined) button.name = name;
    button.textContent = text;
    button.addEventListener('click', run);
    return button;
  }
}

/** Finds the next match; without an open search it opens one. */
function findNext(view: EditorView, step: 1 | -1): boolean {
  const open = panels.get(view);
  if (open === undefined || !open.dom.isConnected) return openSearchPanel(view);
  open.find(step);
  return true;
}

/** The last search of each editor. */
const panels = new WeakMap<EditorView, LongSearch>();

/** Takes the place of `search()`. */
export const LONG_SEARCH: Extension = [
  search({
    top: true,
    createPanel(view) {
      const made = new LongSearch(view);
      panels.set(view, made);
      return made;
    },
  }),
  Prec.high(
    keymap.of([
      {
        key: 'F3',
        run: (view) => findNext(view, 1),
        shift: (view) => findNext(view, -1),
        preventDefault: true,
      },
      {
        key: 'Mod-g',
        run: (view) => findNext(view, 1),
        shift: (view) => findNext(view, -1),
        preventDefault: true,
      },
    ]),
  ),
];
