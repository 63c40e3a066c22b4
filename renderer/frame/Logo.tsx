/** The product's mark: lines of traffic, lit from the side. */
import type { ReactElement } from 'react';

/** Shows the mark. It is decorative, because the name is beside it. */
export function Logo(): ReactElement {
  return (
    <svg aria-hidden width="20" height="20" viewBox="0 0 32 32">
      <rect width="32" height="32" rx="7" fill="var(--accent)" />
      <path d="M7 10h8M7 16h5M7 22h8" stroke="var(--on-accent)" strokeWidth="2.6" strokeLinecap="round" />
      <path d="M17 16l8-7v14z" fill="var(--on-accent)" />
    </svg>
  );
}
