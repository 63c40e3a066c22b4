/** Notes of a start for people: ports that gave way, flags without effect. Each is said once in the terminal. */

export class StartNotes {
  readonly all: string[] = [];
  #isPrinted: boolean;

  /** @param isPrinted whether the text of the start prints them; else the log says them */
  constructor(isPrinted: boolean) {
    this.#isPrinted = isPrinted;
  }

  /** @param log writes a line to the log */
  add(note: string, log: (text: string) => void): void {
    this.all.push(note);
    if (!this.#isPrinted) log(`${note.replace(/\.$/, '')}.`);
  }

  /** The text of the start was made: the log says what comes later. */
  started(): void {
    this.#isPrinted = false;
  }
}
