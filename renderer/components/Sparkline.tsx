/** A small bar chart; the number beside it says the same. */
import type { ReactElement } from 'react';
import css from './Sparkline.module.css';

const WIDTH = 60;
const HEIGHT = 16;

/** One bar per value, oldest first. */
export function Sparkline({ values }: { readonly values: readonly number[] }): ReactElement {
  const highest = Math.max(1, ...values);
  const step = WIDTH / Math.max(1, values.length);
  return (
    <svg aria-hidden className={css.spark} width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`}>
      {values.map((value, index) => {
        const height = value === 0 ? 1 : Math.max(2, (value / highest) * HEIGHT);
        return (
          // oxlint-disable-next-line react/no-array-index-key -- a bar is its place
          <rect
            key={index}
            x={index * step}
            y={HEIGHT - height}
            width={Math.max(0.6, step - 0.4)}
            height={height}
          />
        );
      })}
    </svg>
  );
}
