/** Errors on the router's wire: status, code, message, details. */
import type { RouterErrorBody } from '../../contract/event-router/wire.ts';

export interface WireErrorMore {
  readonly details?: readonly { readonly code: string; readonly message: string }[];
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Body of the error, if its form differs from that of the management API: errors of the identity service.
   */
  readonly body?: unknown;
}

/** Error that the listener of the request answers unchanged. */
export class WireError extends Error {
  readonly status: number;
  readonly code: string;
  readonly more: WireErrorMore;

  constructor(status: number, code: string, message: string, more: WireErrorMore = {}) {
    super(message);
    this.name = 'WireError';
    this.status = status;
    this.code = code;
    this.more = more;
  }

  get body(): unknown {
    if (this.more.body !== undefined) return this.more.body;
    return {
      error: { code: this.code, message: this.message, details: this.more.details ?? [] },
    } satisfies RouterErrorBody;
  }
}
