/** A part of the screen: its heading with what can be done, and what it shows once it is known. */
import type { ReactElement, ReactNode } from 'react';
import { Loaded } from '../../components/States.tsx';
import { useResource } from '../../state/context.ts';
import type { ResourceStore } from '../../state/resource.ts';
import css from './EventRouter.module.css';

export interface PanelProps {
  readonly title: string;
  /** Stands at the end of the heading. */
  readonly acts?: ReactNode;
  readonly children: ReactNode;
}

/** A named region. */
export function Panel({ title, acts, children }: PanelProps): ReactElement {
  return (
    <section className={css.panel} aria-label={title}>
      <div className={css.head}>
        <h2>{title}</h2>
        {acts}
      </div>
      {children}
    </section>
  );
}

export interface KnownProps<T> {
  readonly of: ResourceStore<T>;
  readonly loading: string;
  /** With a place for `{message}`. */
  readonly failed: string;
  readonly children: (value: T) => ReactNode;
}

/** What a resource gave; loading or failed until it has given something. */
export function Known<T>({ of, loading, failed, children }: KnownProps<T>): ReactNode {
  const { value, failure } = useResource(of);
  return (
    <Loaded
      value={value}
      failure={failure}
      loading={loading}
      failed={failed}
      rows={3}
      again={() => void of.refresh()}
    >
      {children}
    </Loaded>
  );
}
