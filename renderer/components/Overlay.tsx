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
import { DISCARD, EDITOR_COMING } from '../copy/common.ts';
import { FRAME } from '../copy/frame.ts';
import { useOpensWindows } from '../state/context.ts';
import { Button } from './Button.tsx';
import { focusPath, gridOf, nearestTo, type FocusPath } from './kept-focus.ts';
import { cx } from './class-names.ts';
import { firstField, isEditorComing, passFocusOn } from './first-focus.ts';
import { returnTo } from './return-focus.ts';
import { Edited } from './edited-context.ts';
import { Leave } from './leave-context.ts';
import css from './Overlay.module.css';

/**
 * Elements from which dialogs were opened, by dialog. One that replaces another has the opener of that one.
 */
const openers = new WeakMap<Element, FocusPath>();

interface Opener {
  readonly path: FocusPath;
  /** Whether a dialog had the focus that this one replaces, or that it lies over. */
  readonly isOfDialog: boolean;
}

function openerNow(): Opener {
  const element = document.activeElement;
  const before = element?.closest('[role="dialog"], [role="alertdialog"]') ?? null;
  const path = before === null ? undefined : openers.get(before);
  return { path: path ?? focusPath(element), isOfDialog: path !== undefined };
}

/**
 * Returns the focus when a dialog closes. The library would choose the last element that still exists, which
 * may be a button used long ago: Enter would then do something unexpected.
 */
function useReturn(): {
  /** Receives the element of the dialog. */
  readonly note: (popup: HTMLElement | null) => void;
  readonly finalFocus: () => HTMLElement | boolean;
  readonly isOfDialog: boolean;
} {
  const [{ path: opener, isOfDialog }] = useState(openerNow);
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
  return { note, finalFocus, isOfDialog };
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

/** The element of the dialog: keeps where it was opened from, and passes its focus on to its first field. */
function usePopup(
  { note, isOfDialog }: Omit<ReturnType<typeof useReturn>, 'finalFocus'>,
  focusFirst: RefObject<HTMLElement | null> | undefined,
): {
  readonly popup: RefObject<HTMLDivElement | null>;
  readonly take: (popup: HTMLDivElement) => () => void;
} {
  const popup = useRef<HTMLDivElement>(null);
  const take = useCallback(
    (element: HTMLDivElement) => {
      popup.current = element;
      note(element);
      const body = element.querySelector(`.${css.body}`);
      const find = (): HTMLElement | undefined =>
        focusFirst === undefined ? firstField(element, body) : (focusFirst.current ?? undefined);
      const stop = passFocusOn({ popup: element, find });
      // The dialog before this one returns the focus to the page, where a key would act on what is behind until the next frame.
      if (isOfDialog) queueMicrotask(() => element.focus({ preventScroll: true }));
      return () => {
        stop();
        popup.current = null;
      };
    },
    [note, isOfDialog, focusFirst],
  );
  return { popup, take };
}

/** Whether a key runs the main action: Enter in a field of one line, and Ctrl+Enter anywhere. */
function runsMain(event: KeyboardEvent<HTMLElement>): boolean {
  const { target, currentTarget } = event;
  if (event.key !== 'Enter' || event.nativeEvent.isComposing || event.altKey || event.shiftKey) return false;
  if (!(target instanceof Element) || !currentTarget.contains(target)) return false;
  if (event.ctrlKey || event.metaKey) return true;
  return target instanceof HTMLInputElement && target.type !== 'checkbox' && target.closest('form') === null;
}

/**
 * Enter in a field of one line runs the main action of the dialog, as in a form, and so does Ctrl+Enter
 * anywhere in it. They never run a destructive action. A form inside the dialog handles Enter itself.
 */
function onEnter(event: KeyboardEvent<HTMLElement>): void {
  if (event.isDefaultPrevented() || !runsMain(event)) return;
  event.preventDefault();
  event.currentTarget.querySelector<HTMLElement>('footer [data-primary]')?.click();
}

/**
 * Takes the keys of the main action while an editor of the dialog is still being loaded: what a person believes to have written is not in
 * what would be sent.
 */
function useComing(): {
  /** True after such a key, until the next key. */
  readonly isSaid: boolean;
  readonly onKey: (event: KeyboardEvent<HTMLElement>) => void;
} {
  const [isSaid, setIsSaid] = useState(false);
  function onKey(event: KeyboardEvent<HTMLElement>): void {
    const isEarly = runsMain(event) && isEditorComing(event.currentTarget);
    setIsSaid(isEarly);
    if (!isEarly) return;
    event.preventDefault();
    event.stopPropagation();
  }
  return { isSaid, onKey };
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
  const [asks, setAsks] = useState(false);
  const { finalFocus, ...opened } = useReturn();
  const { popup, take } = usePopup(opened, focusFirst);
  const coming = useComing();
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
          ref={take}
          initialFocus={popup}
          finalFocus={finalFocus}
          className={cx(css.popup, wide === true && css.wide)}
          onKeyDownCapture={coming.onKey}
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
          {coming.isSaid && (
            <p role="status" className={css.coming}>
              {EDITOR_COMING}
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
