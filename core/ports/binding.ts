/** A binding component: an output side that is invoked, an input side that brings events. */
export interface BindingEvent {
  readonly data: Uint8Array | string;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface BindingReply {
  readonly data?: Uint8Array | string;
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface BindingListener {
  close(): Promise<void>;
}

export interface Binding {
  /** Operations of the output side; [] = input only. */
  readonly operations: readonly string[];
  readonly hasInput: boolean;
  start(): Promise<void>;
  /** `data` is JSON text as the reference hands it over. Rejects with an Error that says why. */
  invoke(
    operation: string,
    data: string,
    metadata: Readonly<Record<string, string>>,
  ): Promise<BindingReply | undefined>;
  /** `take` resolves true when the app accepted the event (2xx). */
  listen?(
    take: (
      event: BindingEvent,
    ) => Promise<{ readonly accepted: boolean; readonly status?: number; readonly error?: string }>,
  ): Promise<BindingListener>;
  close(): Promise<void>;
}
