/** A binding component: an output side that can be invoked, and an input side that receives events. */
export interface BindingEvent {
  readonly data: Uint8Array | string;
  readonly metadata: Readonly<Record<string, string>>;
  /** Headers for the app; absent: `metadata`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Facts about the event for lists, if the binding knows them. */
  readonly about?: { readonly eventId?: string; readonly eventType?: string; readonly subject?: string };
}

export interface BindingReply {
  readonly data?: Uint8Array | string;
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface BindingListener {
  close(): Promise<void>;
}

/**
 * Outcome of an event: accepted by the app (2xx), or the status of its answer, or why there was no answer.
 */
export interface BindingTaken {
  readonly accepted: boolean;
  readonly status?: number;
  /** Beginning of the app's answer, if the app did not accept the event. */
  readonly body?: string;
  readonly error?: string;
  readonly messageId?: string;
}

export type TakeEvent = (event: BindingEvent) => Promise<BindingTaken>;

/** State of the connection to the app before the binding starts to listen. */
export type BindingNotice =
  | { readonly kind: 'probing'; readonly appId: string; readonly path: string }
  | { readonly kind: 'subscribed'; readonly appId: string; readonly path: string; readonly status?: number }
  | { readonly kind: 'not-subscribed'; readonly appId: string; readonly status: number }
  | {
      readonly kind: 'no-answer';
      readonly appId: string;
      readonly message: string;
      readonly againMs: number;
    };

export interface Binding {
  /** Operations of the output side; [] = input only. */
  readonly operations: readonly string[];
  readonly hasInput: boolean;
  start(): Promise<void>;
  /**
   * Invokes an operation. `data` is JSON text as the reference passes it, or the bytes of a call over gRPC.
   * Rejects with an Error that gives the reason.
   */
  invoke(
    operation: string,
    data: Uint8Array | string,
    metadata: Readonly<Record<string, string>>,
  ): Promise<BindingReply | undefined>;
  /**
   * Applies new settings without a new instance; only the side that they concern restarts.
   * @returns false: the settings need a new instance
   */
  change?(metadata: Readonly<Record<string, string>>): boolean;
  /** Receives the notices on the connection to the app, for bindings that show them. */
  notice?(notice: BindingNotice): void;
  listen?(take: TakeEvent): Promise<BindingListener>;
  /** Reason for which the health routes should report a problem; undefined: there is none. */
  trouble?(): string | undefined;
  close(): Promise<void>;
}
