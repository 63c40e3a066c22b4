/** Fills the real names of this run into small apps. */
import type { AppRow } from '../../core/contract/subscription.ts';

export interface SnippetFacts {
  readonly port: number;
  /** Route at which the sidecar asks for subscriptions. */
  readonly discovery: string;
  readonly pubsub: string;
}

/**
 * The text with its gaps filled. A component name that could end a string literal is replaced by `pubsub`.
 */
export function fillSnippet(text: string, { port, discovery, pubsub }: SnippetFacts): string {
  return text
    .replaceAll('%port%', String(port))
    .replaceAll('%discovery%', discovery)
    .replaceAll('%pubsub%', /^[\w.-]+$/.test(pubsub) ? pubsub : 'pubsub');
}

/** Port of the app: free on most machines, and the suggestion of the address field in Settings. */
const PORT = 8080;

export interface SnippetPlace {
  readonly port: number;
  /** What makes Sidelight deliver to the app: the address field, the address of the start, or a new start. */
  readonly how: 'enter' | 'given' | 'start';
  readonly app?: string;
}

/** Where the small app listens. With the address of an app from the start there is no field to enter another one. */
export function snippetPlace(apps: readonly Pick<AppRow, 'app' | 'mockUrl'>[]): SnippetPlace {
  const [first] = apps;
  if (first === undefined || apps.some(({ mockUrl }) => mockUrl !== undefined))
    return { port: PORT, how: 'enter' };
  const { app = '' } = first;
  const port = /^http:\/\/(?:127\.0\.0\.1|localhost):(\d+)\/?$/.exec(app)?.[1];
  return port === undefined ? { port: PORT, how: 'start' } : { port: Number(port), how: 'given', app };
}
