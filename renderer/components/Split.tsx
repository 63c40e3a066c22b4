/**
 * A part of the page that may have a second part beside or below it, with a line between them that can be moved. The sizes are the
 * browser's to compute: measuring them when the second part comes would lay the page out twice in the middle of a click.
 */
import {
  useId,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type PointerEvent,
} from 'react';
import css from './Split.module.css';

export interface SplitProps {
  /** `right`: beside the first part. */
  readonly side: 'right' | 'below';
  /** Share of the first part, in percent. */
  readonly share: number;
  /** Accessible name of the line. */
  readonly label: string;
  readonly first: ReactNode;
  /** undefined: the first part has the whole room. */
  readonly second: ReactNode;
  /** Called when a person has moved the line. */
  readonly onMoved: (share: number) => void;
}

/** Least and largest share of a part, in percent. */
const LEAST = 20;
const MOST = 100 - LEAST;
/** Percent by which a key moves the line. */
const STEP = 5;

function inBounds(share: number): number {
  return Math.min(MOST, Math.max(LEAST, share));
}

/** The share after a key; undefined: the key moves no line of this direction. */
export function shareAfter(key: string, side: SplitProps['side'], share: number): number | undefined {
  const [less, more] = side === 'right' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
  const shares = new Map([
    [less, share - STEP],
    [more, share + STEP],
    ['Home', LEAST],
    ['End', MOST],
  ]);
  const next = shares.get(key);
  return next === undefined ? undefined : inBounds(next);
}

type SplitStyle = CSSProperties & Readonly<Record<'--share', string>>;

/** The parts and the line. The first part is the same one whether there is a second or not. */
export function Split({ side, share, label, first, second, onMoved }: SplitProps): ReactElement {
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const [moving, setMoving] = useState<number>();
  const shown = inBounds(moving ?? share);
  const style: SplitStyle = { '--share': `${shown}%` };

  function shareAt({ clientX, clientY }: PointerEvent): number {
    const box = root.current?.getBoundingClientRect();
    if (box === undefined) return shown;
    const part = side === 'right' ? (clientX - box.left) / box.width : (clientY - box.top) / box.height;
    return inBounds(part * 100);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const next = shareAfter(event.key, side, shown);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onMoved(next);
  }

  return (
    <div ref={root} className={css.split} data-side={second === undefined ? undefined : side} style={style}>
      <div id={id} className={css.part}>
        {first}
      </div>
      {second !== undefined && (
        <>
          <div
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a separator that can be moved is a control
            tabIndex={0}
            role="separator"
            aria-label={label}
            aria-controls={id}
            aria-orientation={side === 'right' ? 'vertical' : 'horizontal'}
            aria-valuemin={LEAST}
            aria-valuemax={MOST}
            aria-valuenow={Math.round(shown)}
            className={css.line}
            onKeyDown={onKeyDown}
            onPointerDown={(event) => {
              if (event.button !== 0) return;
              event.preventDefault();
              event.currentTarget.setPointerCapture(event.pointerId);
              setMoving(shown);
            }}
            onPointerMove={(event) => {
              if (moving !== undefined) setMoving(shareAt(event));
            }}
            onPointerUp={(event) => {
              if (moving === undefined) return;
              onMoved(shareAt(event));
              setMoving(undefined);
            }}
            onPointerCancel={() => setMoving(undefined)}
          />
          <div className={css.part}>{second}</div>
        </>
      )}
    </div>
  );
}
