/** A part of the screen: its heading with buttons, and its content once it is loaded. */
import type { ReactElement, ReactNode } from 'react';
import { Loaded } from '../../components/States.tsx';
import { useResource } from '../../state/context.ts';
import type { ResourceStore } from '../../state/resource.ts';
import css from './EventRouter.module.css';

export interface PanelProps {
  readonly title: string;
  /** Buttons at the end of the heading. */
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
  /** Text of a failure, with the gap `{message}`. */
  readonly failed: string;
  readonly children: (value: T) => ReactNode;
}

/** The value of a resource; loading or failed until there is one. */
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
