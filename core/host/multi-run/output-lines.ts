/** Splits the output of a process into lines. A long line is cut, and terminal codes are removed. */
import { StringDecoder } from 'node:string_decoder';

/** Maximum number of bytes of a line; the rest up to its end is dropped. */
export const MAX_LINE_LENGTH = 64 * 1024;

/** Splits one stream into lines. */
export class OutputLines {
  readonly #take: (line: string) => void;
  readonly #decoder = new StringDecoder('utf8');
  #begun = '';
  #isCut = false;

  /**
   * Makes the splitter.
   * @param take gets each line without its end
   */
  constructor(take: (line: string) => void) {
    this.#take = take;
  }

  write(bytes: Uint8Array): void {
    const parts = this.#decoder.write(Buffer.from(bytes)).split('\n');
    for (const [i, part] of parts.entries()) {
      if (i > 0) this.#endLine();
      this.#add(part);
    }
  }

  /** Ends the stream; the rest without a line end is a line too. */
  end(): void {
    this.#add(this.#decoder.end());
    if (this.#begun !== '') this.#endLine();
  }

  #add(part: string): void {
    if (this.#isCut || part === '') return;
    this.#begun += part;
    if (Buffer.byteLength(this.#begun) <= MAX_LINE_LENGTH) return;
    this.#begun = `${Buffer.from(this.#begun).toString('utf8', 0, MAX_LINE_LENGTH)}…`;
    this.#isCut = true;
  }

  #endLine(): void {
    const line = this.#begun;
    this.#begun = '';
    this.#isCut = false;
    this.#take(line.endsWith('\r') ? line.slice(0, -1) : line);
  }
}

const COLOUR_CODES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** A line for a file and the console, without colours and other terminal codes. */
export function plain(line: string): string {
  return line.replaceAll(COLOUR_CODES, '').replaceAll(CONTROLS, '');
}
