/** The lines to change, each with a copy button. */
import { Check, Copy } from 'lucide-react';
import type { ReactElement } from 'react';
import type { TapRow } from '../../../core/contract/tap.ts';
import { IconButton } from '../Button.tsx';
import { fill } from '../../copy/fill.ts';
import { TAPS } from '../../copy/taps.ts';
import { tapLines, usedLines } from '../../format/tap-lines.ts';
import { useConsole } from '../../state/context.ts';
import css from './Taps.module.css';

const TITLES = { sidecar: TAPS.ofSidecar, app: TAPS.ofApp, grpc: TAPS.ofGrpc } as const;

export function TapLines({ tap }: { readonly tap: TapRow }): ReactElement {
  const { acting } = useConsole();
  const used = usedLines(tap);
  return (
    <ul className={css.lines} aria-label={TAPS.lines}>
      {tapLines(tap).map(({ side, line, before }) => (
        <li key={side}>
          <span>{TITLES[side]}</span>
          <span className={css.line}>
            <code>{line}</code>
            <IconButton
              icon={Copy}
              label={fill(TAPS.copy, { line })}
              onClick={() => void acting.copy(line)}
            />
            {used.has(side) && (
              <span className={css.used}>
                <Check aria-hidden size={14} /> {TAPS.used}
              </span>
            )}
            {before !== '' && !used.has(side) && (
              <span className={css.before}>{fill(TAPS.wasPort, { port: before })}</span>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
