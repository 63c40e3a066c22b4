/** Shows whether the data is valid by the schema of its topic; each mistake leads to its position. */
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useEffect, useState, type ReactElement } from 'react';
import type { SchemaVerdict } from '../../core/contract/saved.ts';
import { withoutUndefined } from '../../core/contract/without-undefined.ts';
import { fill } from '../copy/fill.ts';
import { VIEWER } from '../copy/viewer.ts';
import { positionOfPointer } from '../format/json-pointer.ts';
import { useConsole, useOpenings, useResource } from '../state/context.ts';
import css from './SchemaResult.module.css';

export interface SchemaResultProps {
  readonly topic: string;
  readonly eventType: string | undefined;
  /** JSON as it was sent. */
  readonly data: string;
  /** The visible text, in which mistakes have their positions. */
  readonly shown: string;
  readonly onGo: (place: { readonly line: number; readonly column: number }) => void;
}

/** One line for valid data, a list of mistakes otherwise, nothing without a schema. */
export function SchemaResult(props: SchemaResultProps): ReactElement | null {
  const { shown, onGo } = props;
  const verdict = useVerdict(props);
  if (verdict?.schemaId === undefined) return null;
  const name = verdict.name ?? verdict.schemaId;
  if (verdict.valid) {
    return (
      <p role="status" className={css.valid}>
        <CircleCheck aria-hidden size={14} /> {fill(VIEWER.valid, { name })}
      </p>
    );
  }
  const label = fill(VIEWER.invalid, { name, n: verdict.errors.length });
  return (
    <div className={css.invalid}>
      <p role="status" className={css.head}>
        <CircleAlert aria-hidden size={14} /> {label}
      </p>
      <ul aria-label={label} className={css.list}>
        {verdict.errors.map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            <button
              type="button"
              className={css.mistake}
              onClick={() => onGo(positionOfPointer(shown, path))}
            >
              <code>{path === '' ? VIEWER.wholeData : path}</code> {message}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function useVerdict({ topic, eventType, data }: SchemaResultProps): SchemaVerdict | undefined {
  const { call, saved } = useConsole();
  const openings = useOpenings();
  const { value } = useResource(saved.schemas);
  const [told, setTold] = useState<{ readonly data: string; readonly verdict: SchemaVerdict }>();
  const isBound = (value?.items ?? []).some((each) => each.topic === topic);
  useEffect(() => {
    if (!isBound) return undefined;
    let isCurrent = true;
    call('schemas.validate', { data, topic, ...withoutUndefined({ eventType }) }).then(
      (verdict) => isCurrent && setTold({ data, verdict }),
      // The connection bar reports a missing answer; nothing is shown about the data.
      () => isCurrent && setTold(undefined),
    );
    return () => {
      isCurrent = false;
    };
  }, [call, isBound, data, topic, eventType, openings, value]);
  return isBound && told?.data === data ? told.verdict : undefined;
}
