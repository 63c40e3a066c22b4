/** What can be done with a request that waits for its answer. */
export interface Reply {
  /** Does nothing when the caller has gone. `body` undefined: none. */
  send(status: number, headers: Readonly<Record<string, string>>, body: string | undefined): void;
  /** Closes the connection with a reset. */
  reset(): void;
  /** Calls back once when the connection closes, also after an answer. */
  onClosed(done: () => void): void;
  /** A remark in the request log. */
  note(text: string): void;
}
