/** The last lines that a process wrote, oldest first. */
export class LastLines {
  readonly #most: number;
  readonly #lines: string[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  get all(): readonly string[] {
    return this.#lines;
  }

  readonly add = (line: string): void => {
    this.#lines.push(line);
    if (this.#lines.length > this.#most) this.#lines.shift();
  };
}
