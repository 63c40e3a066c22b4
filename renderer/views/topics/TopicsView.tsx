/** Stand-in while the screen is made. */
import type { ReactElement } from 'react';
export function TopicsView(): ReactElement {
  return <div />;
}
