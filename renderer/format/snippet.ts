/** Fills the real names of this run into small apps. */

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
