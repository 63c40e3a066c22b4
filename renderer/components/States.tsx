/** States of a region without content: loading, empty, failed, crashed. */
import { Component, useEffect, useState, type ReactElement, type ReactNode } from 'react';
import { fill } from '../copy/fill.ts';
import { FRAME } from '../copy/frame.ts';
import { whyNotRead } from '../format/why-not-read.ts';
import { useWhenBack } from '../state/context.ts';
import { Button } from './Button.tsx';
import css from './States.module.css';
import { copyText } from '../client/clipboard.ts';

const QUIET_MS = 200;

/** True after that time, so that a quick answer shows no loading text. */
export function useIsSlow(afterMs = QUIET_MS): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), afterMs);
    return () => clearTimeout(timer);
  }, [afterMs]);
  return slow;
}

/** Placeholder rows while content loads, with a text after QUIET_MS. */
export function Loading({ text, rows = 6 }: { readonly text: string; readonly rows?: number }): ReactElement {
  const slow = useIsSlow();
  return (
    <div className={css.loading} aria-busy="true">
      <p role="status" className={css.loadingText}>
        {slow ? text : ''}
      </p>
      {Array.from({ length: rows }, (_, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- identical rows that never move
        <div key={index} className={css.bar} aria-hidden />
      ))}
    </div>
  );
}

export interface EmptyProps {
  readonly title: string;
  readonly children?: ReactNode;
}

/** Says that there is nothing, and what to do about it. */
export function Empty({ title, children }: EmptyProps): ReactElement {
  return (
    <div className={css.empty}>
      <p className={css.title}>{title}</p>
      {children}
    </div>
  );
}

export interface FailedProps {
  readonly text: string;
  readonly again?: (() => void) | undefined;
  readonly details?: string | undefined;
}

/** Says what failed, with buttons to try again and to copy the details. */
export function Failed({ text, again, details }: FailedProps): ReactElement {
  return (
    <div role="alert" className={css.failed}>
      <p>{text}</p>
      <div className={css.actions}>
        {again !== undefined && <Button onClick={again}>{FRAME.tryAgain}</Button>}
        <Button kind="quiet" onClick={() => void copyText(details ?? text)}>
          {FRAME.copyDetails}
        </Button>
      </div>
    </div>
  );
}

export interface LoadedProps<T> {
  /** The value; undefined: not known yet. */
  readonly value: T | undefined;
  /** Why the value is not known; undefined: it is loading. */
  readonly failure: { readonly code?: string | undefined; readonly message: string } | undefined;
  readonly loading: string;
  /** Text of the failure, with the gap `{message}`. */
  readonly failed: string;
  readonly again: () => void;
  /** Number of placeholder rows while it loads. */
  readonly rows?: number;
  readonly children: (value: T) => ReactNode;
}

/** Shows a value, or that it is loading or failed. A known value stays while a newer one fails. */
export function Loaded<T>({
  value,
  failure,
  loading,
  failed,
  again,
  rows,
  children,
}: LoadedProps<T>): ReactNode {
  if (value !== undefined) return children(value);
  if (failure === undefined) return <Loading text={loading} {...(rows !== undefined && { rows })} />;
  const { code, message } = failure;
  return (
    <Failed
      text={fill(failed, { message: whyNotRead(failure) })}
      details={code === undefined ? undefined : `${code}: ${message}`}
      again={again}
    />
  );
}

/** Messages of browsers when a part of the page could not be loaded. */
const NOT_FETCHED = /dynamically imported module|importing a module script failed|preload css/i;

/** Reloads the page once its server answers; the address and what was typed are kept. */
async function reloadWhenBack(): Promise<void> {
  const answer = await fetch(window.location.pathname, { cache: 'no-store' });
  if (answer.ok) window.location.reload();
}

/** Tries again when the connection is back. */
function WhenBack({ failure, back }: { readonly failure: Error; readonly back: () => void }): null {
  useWhenBack(failure, back);
  return null;
}

export interface BoundaryProps {
  readonly children: ReactNode;
  /** Content to show for a part that could not be loaded. */
  readonly instead?: ReactNode;
  /** Wraps the message. */
  readonly around?: (said: ReactElement) => ReactElement;
}

interface BoundaryState {
  readonly failure: Error | undefined;
  readonly isAway: boolean;
}

/**
 * Catches the crash of one part of the page, and parts that cannot be loaded while the host is away, so that
 * the rest goes on.
 */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { failure: undefined, isAway: false };

  static getDerivedStateFromError(reason: unknown): Partial<BoundaryState> {
    return { failure: reason instanceof Error ? reason : new Error(String(reason)) };
  }

  again(): void {
    const { failure } = this.state;
    if (failure === undefined || !NOT_FETCHED.test(failure.message)) {
      this.setState({ failure: undefined });
      return;
    }
    // A browser remembers that a part failed to load; only a new page requests it again.
    reloadWhenBack().catch(() => this.setState({ isAway: true }));
  }

  override render(): ReactNode {
    const { failure, isAway } = this.state;
    const { children, instead, around } = this.props;
    if (failure === undefined) return children;
    const isFetching = NOT_FETCHED.test(failure.message);
    if (isFetching && instead !== undefined) return instead;
    const said = (
      <>
        {isFetching && <WhenBack failure={failure} back={() => this.again()} />}
        <Failed
          text={
            isFetching
              ? isAway
                ? FRAME.partStillAway
                : FRAME.partAway
              : fill(FRAME.crashed, { code: failure.name })
          }
          again={() => this.again()}
          details={failure.stack ?? failure.message}
        />
      </>
    );
    return around === undefined ? said : around(said);
  }
}
