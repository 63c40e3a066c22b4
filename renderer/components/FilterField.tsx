/** The filter field. Completions and mistakes come from the host; the console never evaluates a filter. */
import { Search, X } from 'lucide-react';
import {
  useContext,
  useEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactElement,
  type RefObject,
} from 'react';
import { Button, IconButton } from './Button.tsx';
import { fill } from '../copy/fill.ts';
import { FILTER } from '../copy/messages.ts';
import { begunWord } from '../format/begun-word.ts';
import { markedParts } from '../format/filter-words.ts';
import { mustFind } from '../format/offered-filter.ts';
import { keyCaps } from '../keys/chord.ts';
import { useConsole } from '../state/context.ts';
import { Edited } from './edited-context.ts';
import css from './FilterField.module.css';
import { useFinds } from './use-finds.ts';
import { useGivenFilter, type Completion, type FilterCheck, type FilterChecks } from './use-filter-check.ts';

export interface FilterFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  /** True: the label is shown above the field. */
  readonly labelled?: boolean;
  /** True: the field is part of a form: Escape and F1 leave its text, and the form may ask first. */
  readonly keepsText?: boolean;
  /** True: the field offers and remembers the last filters. */
  readonly history?: boolean;
  /** Called with every text that the host accepts, after a pause in typing or at Enter. */
  readonly onApply: (text: string) => void;
  /** Called after every keystroke. */
  readonly onDraft?: (text: string) => void;
  /** Called with whether the text can be read, after each answer of the host. */
  readonly onChecked?: (isValid: boolean) => void;
}

const HISTORY = 20;
/** The keys that take back a clearing, as they are drawn. */
const UNDO = keyCaps('Mod+Z').join(' ');

type FilterMistake = NonNullable<FilterCheck['error']>;

interface FieldText {
  readonly text: string;
  readonly setText: (text: string) => void;
  /** Notes the text that was applied here, so that its echo is recognised. */
  readonly setApplied: (filter: string) => void;
  /** The text that was cleared last; '': there is none, or something else came since. */
  readonly cleared: string;
  readonly setCleared: (text: string) => void;
}

/** The text of the field, which follows `value`. */
function useText(value: string): FieldText {
  const [text, setText] = useState(value);
  // A new address replaces what was typed: a view tab, a link, back and forward. The echo of a text that was
  // applied here does not, because more may have been typed since.
  const [shown, setShown] = useState(value);
  const [applied, setApplied] = useState<string>();
  const [cleared, setCleared] = useState('');
  if (shown !== value) {
    setShown(value);
    setApplied(undefined);
    if (text.trim() !== value && applied !== value) setText(value);
    // Whoever cleared the field and went elsewhere since does not mean the old text any more.
    if (applied !== value) setCleared('');
  }
  return { text, setText, setApplied, cleared, setCleared };
}

interface Editing {
  readonly text: string;
  readonly cursor: () => number;
  readonly asked: FilterChecks;
  readonly check: FilterCheck;
  /** True while the options are open. */
  readonly open: boolean;
  readonly setOpen: (isOpen: boolean) => void;
  readonly marked: number;
  readonly setMarked: (next: number | ((at: number) => number)) => void;
  readonly edit: (typed: string, isOpen: boolean) => void;
  readonly applyNow: () => void;
  readonly clear: () => void;
  /** The text that was cleared last, while the field is empty; '': there is none. */
  readonly cleared: string;
  /** The focus is elsewhere: the options and the offer of the cleared text end. */
  readonly leave: () => void;
  /** Takes back the clearing. */
  readonly bringBack: () => void;
  /** Takes the filter that is suggested instead. */
  readonly takeMeant: (filter: string) => void;
}

/** Editing: what is typed, checked by the host, and applied. */
function useEditing(props: FilterFieldProps, input: RefObject<HTMLInputElement | null>): Editing {
  const { value, history, onApply, onDraft } = props;
  const { ui } = useConsole();
  const { text, setText, setApplied, cleared, setCleared } = useText(value);
  const [open, setOpen] = useState(false);
  const [marked, setMarked] = useState(-1);
  const { asked, noteChecked } = useGivenFilter(value);
  const noteEdited = useContext(Edited);
  const { check, ask, askSoon, cancel, reset } = asked;
  const cursor = (): number => input.current?.selectionStart ?? text.length;

  function apply(filter: string): void {
    noteChecked(filter);
    if (filter !== value) setApplied(filter);
    onApply(filter);
  }

  function edit(typed: string, isOpen: boolean): void {
    // A suggestion and the button that empties the field make no input event.
    noteEdited();
    setText(typed);
    setCleared('');
    setMarked(-1);
    setOpen(isOpen);
    onDraft?.(typed);
    askSoon(typed, cursor, (ok) => {
      if (ok) apply(typed.trim());
    });
  }

  function applyNow(): void {
    cancel();
    setOpen(false);
    void ask(text, undefined).then((ok) => {
      if (!ok) return;
      apply(text.trim());
      if (history === true && text.trim() !== '') remember(text.trim());
    });
  }

  function remember(filter: string): void {
    ui.setState(({ lastFilters }) => ({
      lastFilters: [filter, ...lastFilters.filter((each) => each !== filter)].slice(0, HISTORY),
    }));
  }

  function clear(): void {
    noteEdited();
    reset();
    setCleared(text);
    setText('');
    setOpen(false);
    onDraft?.('');
    apply('');
    input.current?.focus();
  }

  function leave(): void {
    setOpen(false);
    setCleared('');
  }

  function bringBack(): void {
    edit(cleared, false);
  }

  function takeMeant(filter: string): void {
    edit(filter, false);
    input.current?.focus();
  }

  return {
    text,
    cursor,
    asked,
    check,
    open,
    setOpen,
    marked,
    setMarked,
    edit,
    applyNow,
    clear,
    cleared: text === '' ? cleared : '',
    leave,
    bringBack,
    takeMeant,
  };
}

interface Offer {
  readonly isShown: boolean;
  readonly items: readonly Completion[];
  readonly marked: number;
  readonly accept: (item: Completion) => void;
  readonly move: (step: 1 | -1) => void;
  /** The first suggestion for a word that is begun. Without one, or for a complete word, Tab moves on. */
  readonly begun: () => Completion | undefined;
  readonly showHistory: () => void;
  readonly close: () => void;
}

/** The options under the field: their list, the marked one, and taking one. */
function useOptions(editing: Editing, input: RefObject<HTMLInputElement | null>): Offer {
  const { ui } = useConsole();
  const { text, cursor, asked, open, setOpen, marked, setMarked, edit } = editing;
  const { items, isWhole, askedFor, offer, ask } = asked;
  const isShown = open && items.length > 0;

  function accept(item: Completion): void {
    const before = text.slice(0, item.from) + item.insert;
    edit(before + text.slice(cursor()), true);
    requestAnimationFrame(() => input.current?.setSelectionRange(before.length, before.length));
  }

  function showHistory(): void {
    const { lastFilters } = ui.getState();
    offer(lastFilters.map((each) => ({ label: each, insert: each, from: 0, detail: FILTER.last })));
    setOpen(true);
  }

  function move(step: 1 | -1): void {
    if (!open && items.length === 0) void ask(text, cursor());
    setOpen(true);
    setMarked((at) => (items.length === 0 ? -1 : (at + step + items.length) % items.length));
  }

  function begun(): Completion | undefined {
    return begunWord({ items, askedFor, isWhole }, text, cursor());
  }

  return { isShown, items, marked, accept, move, begun, showHistory, close: () => setOpen(false) };
}

/** A one-line field for the filter language: a combobox over the host's completions. */
export function FilterField(props: FilterFieldProps): ReactElement {
  const { id, label, placeholder, labelled, keepsText, history, onChecked } = props;
  const console = useConsole();
  const [scrolled, setScrolled] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const editing = useEditing(props, input);
  const { text, check, edit, applyNow, clear, cleared, leave, bringBack, takeMeant } = editing;
  const { isShown, items, marked, accept, move, begun, showHistory, close } = useOptions(editing, input);
  useEffect(() => onChecked?.(check.ok), [onChecked, check]);

  function onKey(event: KeyboardEvent<HTMLInputElement>): void {
    const chosen = isShown ? items[marked] : undefined;
    // Elements around the field get Enter too, so that a dialog can run its main action.
    if (event.key === 'Enter' && (chosen === undefined || event.ctrlKey || event.metaKey)) {
      applyNow();
      return;
    }
    if (event.key === 'Enter' && chosen !== undefined) accept(chosen);
    else if (event.key === 'Tab' && isShown && !event.shiftKey) {
      const taken = chosen ?? begun();
      if (taken === undefined) return;
      accept(taken);
    } else if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp' && text === '' && history === true && !isShown) showHistory();
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Escape' && isShown) close();
    else if (event.key === 'Escape' && text !== '' && keepsText !== true) clear();
    else if (isUndo(event) && cleared !== '') bringBack();
    else if (event.key === 'F1') {
      // The help would take the place of a form, with everything that was typed. That of the browser does not open either.
      if (keepsText !== true) console.commands.open({ kind: 'filter-help' });
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // While something is suggested, the word is still being typed: its mistake would stand behind the suggestions.
  const error = isShown ? undefined : check.error;
  return (
    <div className={css.root} data-in-form={keepsText || undefined}>
      {labelled === true && (
        <label htmlFor={id} className={css.label}>
          {label}
        </label>
      )}
      <div className={css.box} data-invalid={check.ok ? undefined : ''}>
        <Search aria-hidden size={14} className={css.icon} />
        <input
          ref={input}
          id={id}
          role="combobox"
          aria-label={label}
          aria-autocomplete="list"
          aria-expanded={isShown}
          aria-controls={`${id}-options`}
          aria-activedescendant={isShown && marked >= 0 ? `${id}-option-${marked}` : undefined}
          aria-invalid={check.ok ? undefined : true}
          aria-describedby={error === undefined ? undefined : `${id}-error`}
          placeholder={cleared === '' ? placeholder : fill(FILTER.cleared, { keys: UNDO, filter: cleared })}
          autoComplete="off"
          spellCheck={false}
          className={css.input}
          value={text}
          onChange={(event) => edit(event.target.value, true)}
          onBlur={leave}
          onKeyDown={onKey}
          onScroll={(event) => setScrolled(event.currentTarget.scrollLeft)}
          onSelect={(event) => setScrolled(event.currentTarget.scrollLeft)}
        />
        {text !== '' && (
          <Drawn
            text={text}
            scrolled={scrolled}
            wrong={check.error && { from: check.error.position - 1, length: check.error.length }}
          />
        )}
        {text !== '' && <IconButton icon={X} label={FILTER.clear} className={css.clear} onClick={clear} />}
      </div>
      <Options id={id} items={isShown ? items : []} marked={marked} onAccept={accept} />
      {error !== undefined && (
        <Mistake id={id} error={error} text={text} check={check} inForm={keepsText} onTake={takeMeant} />
      )}
    </div>
  );
}

/** The keys that take back what was typed; the browser forgets what a program cleared. */
function isUndo({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean {
  return (ctrlKey || metaKey) && !shiftKey && !altKey && key.toLowerCase() === 'z';
}

interface MistakeProps {
  readonly id: string;
  readonly error: FilterMistake;
  /** The filter with the mistake. */
  readonly text: string;
  readonly check: FilterCheck;
  /** True: the filter is a condition of a form, about messages to come, of which nothing is found yet. */
  readonly inForm: boolean | undefined;
  readonly onTake: (filter: string) => void;
}

/** The mistake in the filter, and the word or the filter that was probably meant. */
function Mistake({ id, error, text, check, inForm, onTake }: MistakeProps): ReactElement {
  const isAsked = inForm !== true && mustFind(text, check);
  const isFound = useFinds(isAsked ? check.meant : undefined);
  const meant = isAsked && !isFound ? undefined : check.meant;
  return (
    <div className={css.error}>
      <p id={`${id}-error`} role="status">
        {error.message}
      </p>
      {meant !== undefined && (
        <Button className={css.suggestion} onClick={() => onTake(meant)}>
          {FILTER.use} <code>{newIn(text, error, meant)}</code>
        </Button>
      )}
    </div>
  );
}

/** The text of the button: the new word if the filter changes nothing else, otherwise the whole filter. */
function newIn(text: string, { position, length, suggestion }: FilterMistake, meant: string): string {
  const from = position - 1;
  const isAll = `${text.slice(0, from)}${suggestion}${text.slice(from + length)}` === meant;
  return isAll && suggestion !== undefined ? suggestion : meant;
}

interface OptionsProps {
  readonly id: string;
  readonly items: readonly Completion[];
  readonly marked: number;
  readonly onAccept: (item: Completion) => void;
}

/** The list under the field. It stays in the page, so that the field can refer to it. */
function Options({ id, items, marked, onAccept }: OptionsProps): ReactElement {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[marked]?.scrollIntoView({ block: 'nearest' });
  }, [marked]);
  return (
    <div
      ref={list}
      id={`${id}-options`}
      role="listbox"
      tabIndex={-1}
      aria-label={FILTER.suggestions}
      hidden={items.length === 0}
      className={css.popup}
      // The field keeps the focus while an option is pressed.
      onMouseDown={(event) => event.preventDefault()}
    >
      {items.map((item, index) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are the field's
        <div
          key={`${item.from} ${item.insert} ${item.label}`}
          id={`${id}-option-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === marked}
          aria-label={fill(FILTER.option, { label: item.label, detail: item.detail })}
          className={css.item}
          onClick={() => onAccept(item)}
        >
          {/* The space keeps key and meaning apart for who says what the option shows. */}
          <code>{item.label}</code> <span className={css.detail}>{item.detail}</span>
        </div>
      ))}
    </div>
  );
}

interface DrawnProps {
  readonly text: string;
  readonly wrong: { readonly from: number; readonly length: number } | undefined;
  /** How far the text of the field is scrolled, in px. */
  readonly scrolled: number;
}

/**
 * The text of the field with coloured keys and a wavy line under a mistake; the field's own text is
 * invisible.
 */
function Drawn({ text, wrong, scrolled }: DrawnProps): ReactElement {
  return (
    <span aria-hidden className={css.overlay}>
      <span className={css.drawn} style={{ transform: `translateX(${-scrolled}px)` }}>
        {markedParts(text, wrong).map(({ kind, text: part, from, isWrong }) => (
          <span key={from} data-part={kind} className={isWrong ? css.wrong : undefined}>
            {part}
          </span>
        ))}
      </span>
    </span>
  );
}
