/**
 * Notifications at the lower left, one at a time: announced politely, kept while they are hovered; errors
 * stay until they are closed.
 */
import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { useEffect, useState, type ReactElement } from 'react';
import { FRAME } from '../copy/frame.ts';
import type { Toast } from '../state/toasts.ts';
import { Button, IconButton } from './Button.tsx';
import css from './Toasts.module.css';

const SHOWN_MS = 10_000;

export interface ToastListProps {
  readonly toasts: readonly Toast[];
  readonly onClose: (id: number) => void;
}

/** The region of notifications; hovering or focusing it stops the timer. */
export function ToastList({ toasts, onClose }: ToastListProps): ReactElement {
  const [rests, setRests] = useState(false);
  return (
    <section
      className={css.region}
      aria-label={FRAME.notifications}
      onMouseEnter={() => setRests(true)}
      onMouseLeave={() => setRests(false)}
      onFocus={() => setRests(true)}
      onBlur={() => setRests(false)}
    >
      <div role="status" aria-live="polite" className={css.list}>
        {toasts.slice(-1).map((toast) => (
          <ToastCard key={toast.id} toast={toast} rests={rests} onClose={onClose} />
        ))}
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
      <IconButton icon={X} label={FRAME.dismiss} onClick={() => onClose(id)} />
    </div>
  );
}
