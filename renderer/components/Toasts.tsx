/**
 * Notifications at the lower left, one at a time: announced politely, kept while they are hovered; errors
 * stay until they are closed.
 */
import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { useEffect, useRef, useState, type FocusEvent, type ReactElement } from 'react';
import { FRAME } from '../copy/frame.ts';
import type { Toast } from '../state/toasts.ts';
import { Button, IconButton } from './Button.tsx';
import { focusPath, isNowhere, nearestTo, type FocusPath } from './kept-focus.ts';
import css from './Toasts.module.css';

const SHOWN_MS = 10_000;

export interface ToastListProps {
  readonly toasts: readonly Toast[];
  readonly onClose: (id: number) => void;
}

interface Returning {
  readonly onFocus: (event: FocusEvent) => void;
  readonly onBlur: (event: FocusEvent) => void;
}

/** Gives the focus back to where it came from when the notification that has it is closed. */
function useReturning(shownId: number | undefined): Returning {
  const from = useRef<FocusPath>(undefined);
  useEffect(() => {
    const path = from.current;
    if (path === undefined || !isNowhere()) return;
    from.current = undefined;
    const [element] = path;
    if (element instanceof HTMLElement && element.isConnected) element.focus({ preventScroll: true });
    else nearestTo(path)?.focus({ preventScroll: true });
  }, [shownId]);
  return {
    onFocus({ currentTarget, relatedTarget }) {
      const isWithin = relatedTarget instanceof Element && currentTarget.contains(relatedTarget);
      if (!isWithin) from.current = relatedTarget instanceof Element ? focusPath(relatedTarget) : [];
    },
    onBlur({ relatedTarget }) {
      // A removed button loses the focus to no element.
      if (relatedTarget !== null) from.current = undefined;
    },
  };
}

/** The region of notifications; hovering or focusing it stops the timer. */
export function ToastList({ toasts, onClose }: ToastListProps): ReactElement {
  const [rests, setRests] = useState(false);
  const shown = toasts.at(-1);
  const { onFocus, onBlur } = useReturning(shown?.id);
  // A notification that is closed under the pointer may take the end of its hovering with it.
  if (rests && shown === undefined) setRests(false);
  return (
    <section
      className={css.region}
      aria-label={FRAME.notifications}
      onMouseEnter={() => setRests(true)}
      onMouseLeave={() => setRests(false)}
      onFocus={(event) => {
        setRests(true);
        onFocus(event);
      }}
      onBlur={(event) => {
        setRests(false);
        onBlur(event);
      }}
    >
      <div role="status" aria-live="polite" className={css.list}>
        {shown !== undefined && <ToastCard key={shown.id} toast={shown} rests={rests} onClose={onClose} />}
      </div>
    </section>
  );
}

interface ToastCardProps {
  readonly toast: Toast;
  readonly rests: boolean;
  readonly onClose: (id: number) => void;
}

function ToastCard({ toast, rests, onClose }: ToastCardProps): ReactElement {
  const { id, kind, text, action } = toast;
  useEffect(() => {
    if (rests || kind === 'failed') return undefined;
    const timer = setTimeout(() => onClose(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id, kind, rests, onClose]);
  const Icon = kind === 'failed' ? CircleAlert : CircleCheck;
  return (
    <div className={css.toast} data-kind={kind}>
      <Icon aria-hidden size={16} className={css.icon} />
      <span className={css.text}>{text}</span>
      {action !== undefined && (
        <Button
          onClick={() => {
            onClose(id);
            action.run();
          }}
        >
          {action.title}
        </Button>
      )}
      <IconButton steps icon={X} label={FRAME.dismiss} onClick={() => onClose(id)} />
    </div>
  );
}
