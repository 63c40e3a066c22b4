/** Small apps with the real names of this run filled in. */

export interface SnippetFacts {
  readonly port: number;
  /** Route that the sidecar asks for subscriptions. */
  readonly discovery: string;
  readonly pubsub: string;
}

/** The text with its places filled in; a name that would end a literal is left as a word of its own. */
export function fillSnippet(text: string, { port, discovery, pubsub }: SnippetFacts): string {
  return text
    .replaceAll('%port%', String(port))
    .replaceAll('%discovery%', discovery)
    .replaceAll('%pubsub%', /^[\w.-]+$/.test(pubsub) ? pubsub : 'pubsub');
}
