/** Replies to a request. */
export interface Reply {
  /** Sends an answer; does nothing if the caller has disconnected. `body` undefined: none. */
  send(status: number, headers: Readonly<Record<string, string>>, body: string | undefined): void;
  /** Closes the connection with a reset. */
  reset(): void;
  /** Calls back once when the connection closes, also after an answer. */
  onClosed(done: () => void): void;
  /** Adds a remark to the request log. */
  note(text: string): void;
}
