/** Dialogs: an ordinary one, and a question that must be answered. */
import { AlertDialog } from '@base-ui/react/alert-dialog';
import { Dialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import {
  useCallback,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
} from 'react';
import { CONFIRM } from '../copy/acts.ts';
import { DISCARD } from '../copy/common.ts';
import { FRAME } from '../copy/frame.ts';
import { useOpensWindows } from '../state/context.ts';
import { Button } from './Button.tsx';
import { focusPath, gridOf, nearestTo, type FocusPath } from './kept-focus.ts';
import { cx } from './class-names.ts';
import { returnTo } from './return-focus.ts';
import { Edited } from './edited-context.ts';
import { Leave } from './leave-context.ts';
import css from './Overlay.module.css';

/**
 * Elements from which dialogs were opened, by dialog. One that replaces another has the opener of that one.
 */
const openers = new WeakMap<Element, FocusPath>();

function openerNow(): FocusPath {
  const element = document.activeElement;
  const before = element?.closest('[role="dialog"], [role="alertdialog"]') ?? null;
  return (before === null ? undefined : openers.get(before)) ?? focusPath(element);
}

/**
 * Returns the focus when a dialog closes. The library would choose the last element that still exists, which
 * may be a button used long ago: Enter would then do something unexpected.
 */
function useReturn(): {
  /** Receives the element of the dialog. */
  readonly note: (popup: HTMLElement | null) => void;
  readonly finalFocus: () => HTMLElement | boolean;
} {
  const [opener] = useState(openerNow);
  const note = useCallback(
    (popup: HTMLElement | null) => {
      if (popup !== null) openers.set(popup, opener);
    },
    [opener],
  );
  function finalFocus(): HTMLElement | boolean {
    const [element] = opener;
    // The row may disappear the next moment, and its buttons with it. A grid whose cells take the focus
    // handles that itself.
    const grid = gridOf(opener);
    if (grid !== undefined) return grid;
    const isOfMenu = opener.some((each) => each.matches('[role="dialog"], [role="menu"]'));
    if (isOfMenu) return true;
    // A dialog without an opener, as from the palette, returns the focus to the screen.
    const to = element?.isConnected === true ? element : nearestTo(opener);
    return to instanceof HTMLElement ? returnTo(to) : true;
  }
  return { note, finalFocus };
}

export interface OverlayProps {
  readonly title: string;
  readonly wide?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons at the foot. */
  readonly foot?: ReactNode;
  /**
   * Element that gets the focus first instead: Cancel, before something that can be undone only for a short
   * time.
   */
  readonly focusFirst?: RefObject<HTMLElement | null>;
  /** Why saving failed; shown above the foot until something is edited. */
  readonly problem?: string | undefined;
  /** Called whenever a field of the dialog is edited. */
  readonly onEdit?: () => void;
  /** Whether closing would lose what was entered, so that it asks first; see `useDiffers`. */
  readonly isFilled?: boolean;
}

/**
 * Element that gets the focus first: the editor of the content, else the first field, else the first button
 * of the foot or of the body. The close button is excluded, because its tooltip would take the first Escape.
 */
function firstField(popup: HTMLElement | null): HTMLElement | true {
  const first = (selector: string): HTMLElement | null | undefined => popup?.querySelector(selector);
  return (
    first('[data-focus-first]') ??
    // An editor that is still being loaded takes the focus later; a field that had it until then would get what is typed meanwhile.
    first('[data-focus-later]')?.closest<HTMLElement>('[role="dialog"]') ??
    first('input:not([type="hidden"]), textarea, [role="combobox"]') ??
    first('footer button') ??
    first(`.${css.body} button`) ??
    true
  );
}

/**
 * Enter in a field of one line runs the main action of the dialog, as in a form, and so does Ctrl+Enter
 * anywhere in it. They never run a destructive action. A form inside the dialog handles Enter itself.
 */
function onEnter(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget, key, nativeEvent } = event;
  if (key !== 'Enter' || event.isDefaultPrevented() || nativeEvent.isComposing) return;
  if (event.altKey || event.shiftKey || !(target instanceof Element) || !currentTarget.contains(target))
    return;
  const isMod = event.ctrlKey || event.metaKey;
  if (!isMod && (!(target instanceof HTMLInputElement) || target.type === 'checkbox')) return;
  if (!isMod && target.closest('form') !== null) return;
  event.preventDefault();
  currentTarget.querySelector<HTMLElement>('footer [data-primary]')?.click();
}

/** Lets the browser ask before its tab is closed or loaded again while something would be lost. */
function useLeaveQuestion(isFilled: boolean): void {
  const asksNow = useEffectEvent(() => isFilled);
  const opensWindows = useOpensWindows();
  useEffect(() => {
    // A desktop window would not ask: it would stay open without a word.
    if (!opensWindows) return undefined;
    const onLeave = (event: BeforeUnloadEvent): void => {
      if (asksNow()) event.preventDefault();
    };
    window.addEventListener('beforeunload', onLeave);
    return () => window.removeEventListener('beforeunload', onLeave);
  }, [opensWindows]);
}

const noEdit = (): void => undefined;

/** Asks, instead of the foot, whether to discard what was entered; Escape keeps it. */
function Discard({ onDiscard, onKeep }: Record<'onDiscard' | 'onKeep', () => void>): ReactElement {
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  return (
    <footer className={css.foot} role="group" aria-label={DISCARD.title}>
      <p role="status" className={css.question}>
        {DISCARD.title}
      </p>
      <Button ref={keep} onClick={onKeep}>
        {DISCARD.keep}
      </Button>
      <Button kind="danger" onClick={onDiscard}>
        {DISCARD.yes}
      </Button>
    </footer>
  );
}

/**
 * A modal dialog with a title. Escape, a click beside it, the close button and Cancel close it; each of them asks first where something
 * that was entered would be lost.
 */
export function Overlay(props: OverlayProps): ReactElement {
  const { title, wide, onClose, children, foot, focusFirst, problem, onEdit, isFilled = false } = props;
  const popup = useRef<HTMLDivElement>(null);
  const [asks, setAsks] = useState(false);
  const { note, finalFocus } = useReturn();
  useLeaveQuestion(isFilled);

  function leave(): void {
    if (isFilled) setAsks(true);
    else onClose();
  }

  function end(reason: string): void {
    if (asks && reason === 'escape-key') setAsks(false);
    else leave();
  }

  return (
    <Dialog.Root open onOpenChange={(open, { reason }) => !open && end(reason)}>
      <Dialog.Portal>
        <Dialog.Backdrop className={css.scrim} />
        <Dialog.Popup
          ref={(element: HTMLDivElement | null) => {
            popup.current = element;
            note(element);
          }}
          initialFocus={focusFirst ?? (() => firstField(popup.current))}
          finalFocus={finalFocus}
          className={cx(css.popup, wide === true && css.wide)}
          onKeyDown={onEnter}
        >
          <header className={css.head}>
            <Dialog.Title className={css.title}>{title}</Dialog.Title>
            {/* The close button has no tooltip, which would take the Escape meant for the dialog. */}
            <Dialog.Close aria-label={FRAME.close} className={css.close}>
              <X aria-hidden size={14} />
            </Dialog.Close>
          </header>
          <Edited value={onEdit ?? noEdit}>
            {/* No capture handlers: a redraw before the field would put its old text back. */}
            <div className={css.body} onInput={onEdit} onPaste={onEdit}>
              {children}
            </div>
          </Edited>
          {problem !== undefined && (
            <p role="alert" className={css.problem}>
              {problem}
            </p>
          )}
          {asks ? (
            <Discard onDiscard={onClose} onKeep={() => setAsks(false)} />
          ) : (
            foot !== undefined && (
              <Leave value={leave}>
                <footer className={css.foot}>{foot}</footer>
              </Leave>
            )
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

export interface QuestionProps {
  readonly title: string;
  readonly text: string;
  readonly yes: string;
  readonly danger: boolean;
  readonly onYes: () => void;
  readonly onClose: () => void;
  /** A further button in front, for something to do first. */
  readonly before?: { readonly title: string; readonly run: () => void };
}

/** A question before something with a wide or lasting effect; Cancel gets the focus first. */
export function Question(props: QuestionProps): ReactElement {
  const { title, text, yes, danger, onYes, onClose, before } = props;
  const cancel = useRef<HTMLButtonElement>(null);
  const { note, finalFocus } = useReturn();
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={css.scrim} />
        <AlertDialog.Popup ref={note} className={css.popup} initialFocus={cancel} finalFocus={finalFocus}>
          <header className={css.head}>
            <AlertDialog.Title className={css.title}>{title}</AlertDialog.Title>
          </header>
          <AlertDialog.Description className={css.body}>{text}</AlertDialog.Description>
          <footer className={css.foot}>
            {before !== undefined && (
              <Button
                onClick={() => {
                  onClose();
                  before.run();
                }}
              >
                {before.title}
              </Button>
            )}
            <Button ref={cancel} onClick={onClose}>
              {CONFIRM.cancel}
            </Button>
            <Button
              kind={danger ? 'danger' : 'primary'}
              onClick={() => {
                onClose();
                onYes();
              }}
            >
              {yes}
            </Button>
          </footer>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
