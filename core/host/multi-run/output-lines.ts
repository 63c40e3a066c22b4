/** What a process writes, as lines: whole ones as they come, a long one cut, and nothing that a screen would obey. */
import { StringDecoder } from 'node:string_decoder';

/** Bytes of a line; what follows up to its end is left out, and reading goes on. */
export const LONGEST_LINE = 64 * 1024;

/** Cuts one stream into lines. */
export class OutputLines {
  readonly #take: (line: string) => void;
  readonly #decoder = new StringDecoder('utf8');
  #begun = '';
  #isCut = false;

  /** @param take gets each line without its end */
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

  /** The stream has ended: a line without an end is a line too. */
  end(): void {
    this.#add(this.#decoder.end());
    if (this.#begun !== '') this.#endLine();
  }

  #add(part: string): void {
    if (this.#isCut || part === '') return;
    this.#begun += part;
    if (Buffer.byteLength(this.#begun) <= LONGEST_LINE) return;
    this.#begun = `${Buffer.from(this.#begun).toString('utf8', 0, LONGEST_LINE)}…`;
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

/** A line as a file and the console keep it: without colours and other codes of terminals. */
export function plain(line: string): string {
  return line.replaceAll(COLOUR_CODES, '').replaceAll(CONTROLS, '');
}
