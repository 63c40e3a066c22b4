/** Headers of a request or an answer. */
import type { ReactElement } from 'react';
import { ATTEMPTS } from '../copy/detail.ts';
import { visible } from '../format/visible-text.ts';
import css from './HeaderList.module.css';

/** One line per header; nothing if there is none. */
export function HeaderList({
  headers,
}: {
  readonly headers: Readonly<Record<string, string>>;
}): ReactElement | null {
  const entries = Object.entries(headers);
  if (entries.length === 0) return null;
  return (
    <dl className={css.headers} aria-label={ATTEMPTS.headers}>
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <bdi>{visible(value)}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
