/** A binding component: an output side that is invoked, an input side that brings events. */
export interface BindingEvent {
  readonly data: Uint8Array | string;
  readonly metadata: Readonly<Record<string, string>>;
  /** Headers for the app; absent: `metadata`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What lists show of it, where the binding knows. */
  readonly about?: { readonly eventId?: string; readonly eventType?: string; readonly subject?: string };
}

export interface BindingReply {
  readonly data?: Uint8Array | string;
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface BindingListener {
  close(): Promise<void>;
}

/** What happened to an event: accepted by the app (2xx), or its status, or why there was none. */
export interface BindingTaken {
  readonly accepted: boolean;
  readonly status?: number;
  /** Beginning of the app's answer where it did not accept. */
  readonly body?: string;
  readonly error?: string;
  readonly messageId?: string;
}

export type TakeEvent = (event: BindingEvent) => Promise<BindingTaken>;

/** How far the way to the app is, before anything is listened to. */
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
  /** `data` is JSON text as the reference hands it over, or the bytes of a call over gRPC. Rejects with an Error that says why. */
  invoke(
    operation: string,
    data: Uint8Array | string,
    metadata: Readonly<Record<string, string>>,
  ): Promise<BindingReply | undefined>;
  /**
   * Takes other settings without being replaced: only the side that they are about begins again.
   * @returns false: they need a new instance
   */
  change?(metadata: Readonly<Record<string, string>>): boolean;
  /** Told of the steps towards its app, for those that show them. */
  notice?(notice: BindingNotice): void;
  listen?(take: TakeEvent): Promise<BindingListener>;
  /** Why the health routes should not say that all is well; undefined: they may. */
  trouble?(): string | undefined;
  close(): Promise<void>;
}
