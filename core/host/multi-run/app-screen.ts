/**
 * Prints the output of the apps on the terminal of the run: each line with its app, in a colour of its own on
 * a terminal.
 */
import { leftOut, LineOutput } from '../../adapters/line-output.ts';
import type { OutputStream } from '../../adapters/line-output.ts';
import { plain } from './output-lines.ts';

/** Numbers of terminal colours that are legible on dark and light backgrounds. */
const COLOURS = [36, 33, 35, 32, 34, 31];
export interface Screen extends OutputStream {
  readonly isTTY?: boolean;
}

export class AppScreen {
  readonly #isTerminal: boolean;
  readonly #hasColour: boolean;
  readonly #output: LineOutput;
  readonly #prefixes = new Map<string, string>();
  /** Lines of the present turn of the event loop, which are written together: a write for each line would take longer than all else. */
  #lines: string[] = [];

  /**
   * Makes the printer.
   * @param hasColour false: the reader wants no colours
   */
  constructor(screen: Screen, hasColour: boolean) {
    this.#isTerminal = screen.isTTY === true;
    this.#hasColour = hasColour && this.#isTerminal;
    this.#output = new LineOutput(screen, (left) => `== ${leftOut(left)} ==`);
  }

  line(appId: string, text: string): void {
    if (this.#lines.length === 0) queueMicrotask(() => this.#write());
    this.#lines.push(`${this.#prefixOf(appId)} ${this.#isTerminal ? text : plain(text)}`);
  }

  #write(): void {
    const lines = this.#lines;
    this.#lines = [];
    this.#output.lines(lines);
  }

  #prefixOf(appId: string): string {
    const known = this.#prefixes.get(appId);
    if (known !== undefined) return known;
    const colour = COLOURS[this.#prefixes.size % COLOURS.length] ?? 0;
    const text = `== APP - ${appId} ==`;
    const prefix = this.#hasColour ? `\u001b[${colour}m${text}\u001b[0m` : text;
    this.#prefixes.set(appId, prefix);
    return prefix;
  }
}
