/** Requests of agents over HTTP, behind the console's guard: one question, one answer. */

export interface AgentQuestion {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface AgentAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Answers a question.
 * @param signal aborted when the client no longer waits
 */
export type AskedByAgent = (question: AgentQuestion, signal: AbortSignal) => Promise<AgentAnswer>;
