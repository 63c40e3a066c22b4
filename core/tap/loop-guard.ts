/**
 * Taps whose --sidecar-url lead to each other pass every call round for ever. A tap marks the one call that it makes itself, for the
 * metadata of the sidecar: if that call comes to its own port, no sidecar is behind it.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { headerOf } from './head.ts';
import type { Head } from './head.ts';

/** Header of that call, and of the answer to a call that came back. */
const HEADER = 'sidelight-tap';
const LOOP_DETECTED = 508;

export class LoopGuard {
  readonly #mark: string;
  #isFound = false;

  /** @param mark that no other tap has */
  constructor(mark: string) {
    this.#mark = mark;
  }

  /** True: calls to the sidecar come back, so none goes on. */
  get isFound(): boolean {
    return this.#isFound;
  }

  /** Headers of the tap's own call. */
  get headers(): Readonly<Record<string, string>> {
    return { [HEADER]: this.#mark };
  }

  /**
   * Whether a call at the tap's port for the app must not go on. The tap's own call there never does: its answer shows the loop. Its
   * arrival alone shows nothing, because a call can arrive late, when the addresses have changed.
   */
  stops(head: Head): boolean {
    return this.#isFound || headerOf(head, HEADER) === this.#mark;
  }

  /**
   * Notes the result of the tap's own call.
   * @param isLoop true: a tap has answered that calls return to it
   */
  asked(isLoop: boolean): void {
    this.#isFound = isLoop;
  }

  /** The answer to a call that must not go on. */
  get answer(): Buffer {
    const body = Buffer.from('No sidecar is behind this tap: calls through it come back to it.\n');
    const head = [
      `HTTP/1.1 ${LOOP_DETECTED} Loop Detected`,
      'Content-Type: text/plain; charset=utf-8',
      `Content-Length: ${body.length}`,
      `${HEADER}: ${this.#mark}`,
      'Connection: close',
    ];
    return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
  }
}

/** Whether an answer is that of a tap to a call that must not go on. */
export function isLoopAnswer(status: number | undefined, headers: IncomingHttpHeaders): boolean {
  return status === LOOP_DETECTED && headers[HEADER] !== undefined;
}
