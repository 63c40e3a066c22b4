/** The filter field: completion and marking of mistakes come from the host; the console never evaluates a filter. */
import { Autocomplete } from '@base-ui/react/autocomplete';
import { Search, X } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactElement } from 'react';
import type { Result } from '../../core/contract/console.ts';
import { fill } from '../copy/fill.ts';
import { FILTER } from '../copy/messages.ts';
import { useConsole } from '../state/context.ts';
import { IconButton } from '../components/Button.tsx';
import css from './FilterField.module.css';

type Completion = Result<'filter.complete'>['items'][number];
type Check = Result<'filter.check'>;

export interface FilterFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  /** Offers and remembers the last filters. */
  readonly history?: boolean;
  /** Called with every text that the host accepts, once typing rests or at Enter. */
  readonly onApply: (text: string) => void;
  /** Called with every keystroke. */
  readonly onDraft?: (text: string) => void;
}

const REST_MS = 120;
const HISTORY = 20;

/** A one-line field for the filter language. */
export function FilterField(props: FilterFieldProps): ReactElement {
  const { id, label, value, placeholder, history } = props;
  const console = useConsole();
  const [text, setText] = useState(value);
  const [items, setItems] = useState<readonly Completion[]>([]);
  /** The text that the suggestions are for; while typing goes on they are those of a moment ago. */
  const asked = useRef('');
  const marked = useRef<Completion>(undefined);
  const [open, setOpen] = useState(false);
  const [check, setCheck] = useState<Check>({ ok: true });
  const input = useRef<HTMLInputElement>(null);
  const round = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  // What the address says wins over what was typed: a view tab, a link, back and forward.
  useEffect(() => {
    setText((typed) => (typed.trim() === value ? typed : value));
    setCheck({ ok: true });
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);

  async function ask(typed: string, complete: boolean): Promise<boolean> {
    round.current += 1;
    const mine = round.current;
    const cursor = input.current?.selectionStart ?? typed.length;
    try {
      const [checked, completed] = await Promise.all([
        console.call('filter.check', { filter: typed }),
        complete ? console.call('filter.complete', { filter: typed, cursor }) : undefined,
      ]);
      if (mine !== round.current) return checked.ok;
      setCheck(checked);
      if (completed !== undefined) {
        asked.current = typed;
        setItems(completed.items);
        setOpen(completed.items.length > 0 && document.activeElement === input.current);
      }
      return checked.ok;
    } catch {
      // The connection bar tells; the field stays usable and is checked with the next key.
      return false;
    }
  }

  function apply(typed: string): void {
    props.onApply(typed.trim());
    if (history !== true || typed.trim() === '') return;
    console.ui.setState(({ lastFilters }) => ({
      lastFilters: [typed.trim(), ...lastFilters.filter((each) => each !== typed.trim())].slice(0, HISTORY),
    }));
  }

  function change(typed: string): void {
    setText(typed);
    props.onDraft?.(typed);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      void ask(typed, true).then((ok) => {
        if (ok) props.onApply(typed.trim());
      });
    }, REST_MS);
  }

  function accept(item: Completion): void {
    const cursor = input.current?.selectionStart ?? text.length;
    const next = text.slice(0, item.from) + item.insert + text.slice(cursor);
    setText(next);
    props.onDraft?.(next);
    const place = item.from + item.insert.length;
    requestAnimationFrame(() => input.current?.setSelectionRange(place, place));
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void ask(next, true), REST_MS);
  }

  function isMarked(): boolean {
    return (input.current?.getAttribute('aria-activedescendant') ?? '') !== '';
  }

  /** The first suggestion for a word that is begun; where nothing is begun or it is complete, Tab moves on. */
  function begun(): Completion | undefined {
    const cursor = input.current?.selectionStart ?? text.length;
    const [first] = items;
    if (first === undefined || first.from === cursor || asked.current !== text) return undefined;
    return items.some(({ from, insert }) => text.slice(from, cursor) === insert) ? undefined : first;
  }

  function clear(): void {
    setText('');
    setCheck({ ok: true });
    setItems([]);
    setOpen(false);
    props.onDraft?.('');
    apply('');
    input.current?.focus();
  }

  function onKey(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.key === 'Enter' && !isMarked()) {
      clearTimeout(timer.current);
      setOpen(false);
      void ask(text, false).then((ok) => {
        if (ok) apply(text);
      });
    } else if (event.key === 'Tab' && open && !event.shiftKey) {
      const chosen = isMarked() ? marked.current : begun();
      if (chosen === undefined) return;
      event.preventDefault();
      accept(chosen);
    } else if (event.key === 'Escape' && !open) {
      if (text === '') input.current?.blur();
      else clear();
    } else if (event.key === 'F1') {
      event.preventDefault();
      console.commands.open({ kind: 'filter-help' });
    } else if (event.key === 'ArrowUp' && text === '' && history === true) {
      const { lastFilters } = console.ui.getState();
      setItems(lastFilters.map((each) => ({ label: each, insert: each, from: 0, detail: FILTER.last })));
      setOpen(lastFilters.length > 0);
    }
  }

  const { error } = check;
  return (
    <div className={css.root}>
      <Autocomplete.Root
        items={items}
        value={text}
        open={open}
        filter={null}
        itemToStringValue={(item: Completion) => item.insert}
        onOpenChange={setOpen}
        onItemHighlighted={(item: Completion | undefined) => {
          marked.current = item;
        }}
        onValueChange={(next, details) => {
          if (details.reason === 'item-press') {
            const item = items.find((each) => each.insert === next);
            if (item !== undefined) accept(item);
          } else if (details.reason !== 'escape-key') change(next);
        }}
      >
        <div className={css.box} data-invalid={check.ok ? undefined : ''}>
          <Search aria-hidden size={14} className={css.icon} />
          <Autocomplete.Input
            ref={input}
            id={id}
            aria-label={label}
            aria-invalid={check.ok ? undefined : true}
            aria-describedby={error === undefined ? undefined : `${id}-error`}
            placeholder={placeholder}
            autoComplete="off"
            spellCheck={false}
            className={css.input}
            onKeyDown={onKey}
          />
          {error !== undefined && <Underline text={text} from={error.position} length={error.length} />}
          {text !== '' && <IconButton icon={X} label={FILTER.clear} className={css.clear} onClick={clear} />}
        </div>
        <Autocomplete.Portal>
          <Autocomplete.Positioner sideOffset={4} align="start" className={css.positioner}>
            <Autocomplete.Popup className={css.popup}>
              <Autocomplete.List aria-label={FILTER.suggestions}>
                {(item: Completion) => (
                  <Autocomplete.Item
                    key={`${item.from}.${item.insert}`}
                    value={item}
                    className={css.item}
                    aria-label={fill(FILTER.option, { label: item.label, detail: item.detail })}
                  >
                    <code>{item.label}</code>
                    <span className={css.detail}>{item.detail}</span>
                  </Autocomplete.Item>
                )}
              </Autocomplete.List>
            </Autocomplete.Popup>
          </Autocomplete.Positioner>
        </Autocomplete.Portal>
      </Autocomplete.Root>
      {error !== undefined && (
        <p id={`${id}-error`} role="status" className={css.error}>
          {error.message}
        </p>
      )}
    </div>
  );
}

/** A wavy line under the wrong part; the text over it is that of the field, invisible. */
function Underline({
  text,
  from,
  length,
}: {
  readonly text: string;
  readonly from: number;
  readonly length: number;
}): ReactElement {
  return (
    <span aria-hidden className={css.overlay}>
      {text.slice(0, from)}
      <span className={css.wrong}>{text.slice(from, from + Math.max(1, length))}</span>
    </span>
  );
}
