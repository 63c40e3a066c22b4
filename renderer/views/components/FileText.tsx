/** The text of a component file, read-only, with marked mistakes; read again when it changed. */
import { useEffect, useState, type ReactElement } from 'react';
import type { Problem } from '../../../core/contract/subscription.ts';
import { clause } from '../../../core/contract/error-text.ts';
import { CodeBox } from '../../components/CodeBox.tsx';
import { Failed, Loading } from '../../components/States.tsx';
import { FILES } from '../../copy/files.ts';
import { fill } from '../../copy/fill.ts';
import { useConsole, useOpenings, useResource } from '../../state/context.ts';
import { asFailure } from '../../state/resource.ts';
import css from './Components.module.css';

export interface FileTextProps {
  readonly file: string;
  readonly problems: readonly Problem[];
  readonly goTo: { readonly line: number; readonly column: number } | undefined;
}

type Read =
  | { readonly file: string; readonly text: string }
  | { readonly file: string; readonly failure: string };

/** A read-only editor. */
export function FileText({ file, problems, goTo }: FileTextProps): ReactElement {
  const { call, topology } = useConsole();
  const openings = useOpenings();
  const { at } = useResource(topology.components);
  const [read, setRead] = useState<Read>();
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    call('components.read', { file }).then(
      ({ text }) => isCurrent && setRead({ file, text }),
      (reason: unknown) => isCurrent && setRead({ file, failure: asFailure(reason).message }),
    );
    return () => {
      isCurrent = false;
    };
  }, [call, file, at, asked, openings]);
  if (read?.file !== file) return <Loading text={fill(FILES.loading, { file })} rows={8} />;
  if ('failure' in read)
    return (
      <Failed
        text={fill(FILES.failed, { file, message: clause(read.failure) })}
        again={() => setAsked(asked + 1)}
      />
    );
  return (
    <CodeBox
      label={fill(FILES.readOnly, { file })}
      value={read.text}
      language="yaml"
      marks={problems}
      goTo={goTo}
      className={css.text}
    />
  );
}
