/** What a region shows when it has nothing yet: loading, empty, failed, crashed. */
import { Component, useEffect, useState, type ReactElement, type ReactNode } from 'react';
import { fill } from '../copy/fill.ts';
import { FRAME } from '../copy/frame.ts';
import { Button } from './Button.tsx';
import css from './States.module.css';

const QUIET_MS = 200;

/** True from 200 ms on, so that a quick answer shows no loading text. */
function useIsSlow(): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, []);
  return slow;
}

/** Rows in the place of what is on its way, with a text after 200 ms. */
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

/** Says what failed, offers to try again and to copy the details. */
export function Failed({ text, again, details }: FailedProps): ReactElement {
  return (
    <div role="alert" className={css.failed}>
      <p>{text}</p>
      <div className={css.actions}>
        {again !== undefined && <Button onClick={again}>{FRAME.tryAgain}</Button>}
        <Button kind="quiet" onClick={() => void navigator.clipboard.writeText(details ?? text)}>
          {FRAME.copyDetails}
        </Button>
      </div>
    </div>
  );
}

interface BoundaryState {
  readonly failure: Error | undefined;
}

/** Keeps the crash of one part from taking the page with it. */
export class Boundary extends Component<{ readonly children: ReactNode }, BoundaryState> {
  override state: BoundaryState = { failure: undefined };

  static getDerivedStateFromError(reason: unknown): BoundaryState {
    return { failure: reason instanceof Error ? reason : new Error(String(reason)) };
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (failure === undefined) return this.props.children;
    return (
      <Failed
        text={fill(FRAME.crashed, { code: failure.name })}
        again={() => this.setState({ failure: undefined })}
        details={failure.stack ?? failure.message}
      />
    );
  }
}
