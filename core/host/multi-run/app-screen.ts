/**
 * Prints the output of the apps on the terminal of the run: each line with its app, in a colour of its own on
 * a terminal.
 */
import { plain } from './output-lines.ts';

/** Numbers of terminal colours that are legible on dark and light backgrounds. */
const COLOURS = [36, 33, 35, 32, 34, 31];
/** Maximum number of characters that wait for a slow reader; later output is counted and dropped. */
const MAX_WAITING = 4 * 1024 * 1024;

export interface Screen {
  readonly isTTY?: boolean;
  readonly writableLength: number;
  write(text: string): unknown;
}

export class AppScreen {
  readonly #screen: Screen;
  readonly #hasColour: boolean;
  readonly #prefixes = new Map<string, string>();
  #left = 0;

  /**
   * Makes the printer.
   * @param hasColour false: the reader wants no colours
   */
  constructor(screen: Screen, hasColour: boolean) {
    this.#screen = screen;
    this.#hasColour = hasColour && screen.isTTY === true;
  }

  line(appId: string, text: string): void {
    if (this.#screen.writableLength > MAX_WAITING) {
      this.#left += 1;
      return;
    }
    if (this.#left > 0) {
      this.#screen.write(`== ${this.#left} lines are left out: the reader of this output is too slow ==\n`);
      this.#left = 0;
    }
    const shown = this.#screen.isTTY === true ? text : plain(text);
    this.#screen.write(`${this.#prefixOf(appId)} ${shown}\n`);
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
