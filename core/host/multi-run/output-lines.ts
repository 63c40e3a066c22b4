/** Splits the output of a process into lines. A long line is cut, and terminal codes are removed. */
import { StringDecoder } from 'node:string_decoder';

/** Maximum number of bytes of a line; the rest up to its end is dropped. */
export const MAX_LINE_LENGTH = 64 * 1024;

/** Splits one stream into lines. */
export class OutputLines {
  readonly #take: (line: string) => void;
  readonly #decoder = new StringDecoder('utf8');
  #begun = '';
  /** Bytes of the begun line; counted as it grows, because a program may write it letter by letter. */
  #bytes = 0;
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
    this.#bytes += Buffer.byteLength(part);
    if (this.#bytes <= MAX_LINE_LENGTH) return;
    this.#begun = `${Buffer.from(this.#begun).toString('utf8', 0, MAX_LINE_LENGTH)}…`;
    this.#isCut = true;
  }

  #endLine(): void {
    const line = this.#begun;
    this.#begun = '';
    this.#bytes = 0;
    this.#isCut = false;
    this.#take(line.endsWith('\r') ? line.slice(0, -1) : line);
  }
}

/**
 * Codes of a terminal: colours and moves (`ESC [`), texts for the terminal itself such as its title (`ESC ]`, `ESC P`), and short ones such
 * as the choice of a character set (`ESC ( B`).
 */
const TERMINAL_CODES =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[ -/]*[0-~]/g;
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** A line for a file and the console, without colours and other terminal codes. */
export function plain(line: string): string {
  // Most lines have no code, and every code begins with a control character.
  if (line.search(CONTROLS) < 0) return line;
  return line.replaceAll(TERMINAL_CODES, '').replaceAll(CONTROLS, '');
}
