/** The command palette: finds commands, topics, messages and views by a few letters. */
import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactElement } from 'react';
import { Copy } from 'lucide-react';
import { Button } from '../components/Button.tsx';
import { isNowhere } from '../components/kept-focus.ts';
import { Keys } from '../components/Keys.tsx';
import { PALETTE } from '../copy/frame.ts';
import { quotedValue } from '../format/cell-term.ts';
import { automationCall } from '../format/curl.ts';
import { useConsole, useResource } from '../state/context.ts';
import css from './Palette.module.css';
import { findEntries, groupEntries, whyNoCall, type PaletteEntry } from './palette-entries.ts';

const REST_MS = 120;
const FOUND = 20;

interface FoundMessages {
  readonly rows: readonly PaletteEntry[];
  /** True until the host has answered about the present text. */
  readonly isSearching: boolean;
}

const NO_MESSAGES: readonly PaletteEntry[] = [];

/** Rows of `@…`, which the host searches. Those of a text that was typed before are none of this one: Enter would open the wrong message. */
function useFoundMessages(text: string): FoundMessages {
  const console = useConsole();
  const [found, setFound] = useState<{ readonly text: string; readonly rows: readonly PaletteEntry[] }>();
  const wanted = text.startsWith('@') ? text.slice(1).trim() : '';
  useEffect(() => {
    let isCurrent = true;
    if (wanted === '') return undefined;
    const timer = setTimeout(() => {
      const number = /^\d+$/.test(wanted) ? ` OR id:#${wanted}` : '';
      const filter = `id:${quotedValue(wanted)} OR ${quotedValue(wanted)}${number}`;
      console.call('messages.list', { filter, limit: FOUND }).then(
        ({ items }) => {
          if (!isCurrent) return;
          const rows = items.map((row) => ({
            id: row.messageId,
            title: `${row.topic} ${row.eventType ?? ''}`.trim(),
            group: PALETTE.messages,
            note: row.messageId,
            run: () => console.acting.show(row.messageId),
            call: () => automationCall('messages.get', { messageId: row.messageId }),
          }));
          setFound({ text: wanted, rows });
        },
        // An incomplete filter finds nothing; the next keystroke searches again.
        () => isCurrent && setFound({ text: wanted, rows: NO_MESSAGES }),
      );
    }, REST_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [console, wanted]);
  const rows = found !== undefined && found.text === wanted ? found.rows : undefined;
  return { rows: rows ?? NO_MESSAGES, isSearching: wanted !== '' && rows === undefined };
}

/** Entries for the text of the field. */
function usePaletteEntries(text: string): {
  readonly entries: readonly PaletteEntry[];
  readonly isSearching: boolean;
} {
  const console = useConsole();
  const { value: topics } = useResource(console.topology.topics);
  const { value: saved } = useResource(console.saved.requests);
  const { value: views } = useResource(console.savedViews.list);
  const { rows, isSearching } = useFoundMessages(text);
  const entries = useMemo(
    () => (text.startsWith('@') ? rows : findEntries(console, text, topics?.items ?? [], saved?.items ?? [])),
    // oxlint-disable-next-line react/exhaustive-deps -- saved views are read by the search itself
    [console, text, topics, saved, views, rows],
  );
  return { entries, isSearching };
}

/**
 * Focuses the field in the task that opens the palette. The library would do it a frame later, and letters typed before that would be keys
 * of the list.
 * @returns false: the library focuses nothing
 */
function focusNow(field: HTMLElement | null): false {
  field?.focus();
  return false;
}

/**
 * The element that had the focus before; false: it gets the focus here. The library would pass over a screen, which takes the focus though no
 * Tab stops there, and move it to the first control inside.
 */
function backTo(opener: Element | null): HTMLElement | boolean {
  if (!(opener instanceof HTMLElement) || !opener.isConnected || opener === document.body) return true;
  if (opener.tabIndex >= 0) return opener;
  // Until the palette is gone, nothing outside of it takes the focus. A command that ran may have moved it by then.
  queueMicrotask(() => {
    if (isNowhere()) opener.focus({ preventScroll: true });
  });
  return false;
}

/** The dialog that `Ctrl K` opens. */
export function Palette(): ReactElement {
  const console = useConsole();
  const { commands } = console;
  const [text, setText] = useState('');
  const stays = useRef(false);
  const field = useRef<HTMLInputElement>(null);
  const marked = useRef<PaletteEntry>(undefined);
  const [opener] = useState(() => document.activeElement);
  const { entries, isSearching } = usePaletteEntries(text);
  const groups = groupEntries(entries);
  const hasNone = entries.length === 0;

  function run(entry: PaletteEntry): void {
    if (entry.off !== undefined) return;
    if (!stays.current) commands.close();
    stays.current = false;
    console.ui.setState(({ lastCommands }) => ({
      lastCommands: [entry.id, ...lastCommands.filter((id) => id !== entry.id)].slice(0, 8),
    }));
    entry.run();
  }

  function onKey(event: KeyboardEvent): void {
    const isMod = event.ctrlKey || event.metaKey;
    stays.current = event.key === 'Enter' && isMod;
    if (!isMod || !event.shiftKey || event.key.toLowerCase() !== 'c') return;
    event.preventDefault();
    copyCall();
  }

  function copyCall(): void {
    const entry = hasNone ? undefined : marked.current;
    if (entry === undefined) {
      console.toasts.failed(PALETTE.nothingToCopy);
      return;
    }
    const call = entry.call?.();
    if (call === undefined) console.toasts.failed(whyNoCall(entry));
    else void console.acting.copy(call);
  }

  return (
    <Dialog.Root open onOpenChange={(open) => !open && commands.close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={css.scrim} />
        <Dialog.Popup
          aria-label={PALETTE.title}
          className={css.popup}
          initialFocus={() => focusNow(field.current)}
          finalFocus={() => backTo(opener)}
        >
          <Autocomplete.Root
            inline
            open
            items={groups}
            value={text}
            filter={null}
            autoHighlight="always"
            onItemHighlighted={(entry: PaletteEntry | undefined) => {
              marked.current = entry;
            }}
            itemToStringValue={(entry: PaletteEntry) => entry.title}
            onValueChange={(next, details) => {
              if (details.reason === 'input-change' || details.reason === 'input-clear') setText(next);
            }}
          >
            <Autocomplete.Input
              ref={field}
              aria-label={PALETTE.input}
              placeholder={PALETTE.placeholder}
              className={css.input}
              onKeyDown={onKey}
            />
            <Autocomplete.Empty className={css.empty}>
              {isSearching ? PALETTE.searching : PALETTE.none}
            </Autocomplete.Empty>
            <Groups onRun={run} />
          </Autocomplete.Root>
          <Foot off={hasNone ? PALETTE.nothingToCopy : undefined} onCopy={copyCall} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface FootProps {
  /** Why there is nothing to copy. */
  readonly off: string | undefined;
  readonly onCopy: () => void;
}

/** The keys of Enter, and the button that copies the marked entry. */
function Foot({ off, onCopy }: FootProps): ReactElement {
  return (
    <p className={css.hint}>
      <span>{PALETTE.hint}</span>
      <Button kind="quiet" icon={Copy} keys={['Mod+Shift+C']} off={off} onClick={onCopy}>
        {PALETTE.copyCall}
      </Button>
    </p>
  );
}

interface GroupsProps {
  readonly onRun: (entry: PaletteEntry) => void;
}

/** The entries under the names of their groups. */
function Groups({ onRun }: GroupsProps): ReactElement {
  return (
    <Autocomplete.List className={css.list}>
      {(group: { readonly value: string; readonly items: readonly PaletteEntry[] }) => (
        <Autocomplete.Group key={group.value} items={group.items}>
          <Autocomplete.GroupLabel className={css.group}>{group.value}</Autocomplete.GroupLabel>
          <Autocomplete.Collection>
            {(entry: PaletteEntry) => (
              <Autocomplete.Item
                key={`${group.value} ${entry.id}`}
                value={entry}
                className={css.item}
                aria-disabled={entry.off !== undefined || undefined}
                onClick={() => onRun(entry)}
              >
                <span className={css.title}>
                  {entry.title}
                  {/* A name without the blank would run both together. */}
                  {entry.off !== undefined && <span className={css.off}> {entry.off}</span>}
                </span>
                {entry.note !== undefined && <code className={css.note}>{entry.note}</code>}
                {entry.keys !== undefined && <Keys keys={entry.keys} exact />}
              </Autocomplete.Item>
            )}
          </Autocomplete.Collection>
        </Autocomplete.Group>
      )}
    </Autocomplete.List>
  );
}
