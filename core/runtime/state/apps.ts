/** The apps of this run. Others join and leave while it runs. */
import type { App } from './app.ts';

export class Apps {
  #all: readonly App[];

  constructor(all: readonly App[]) {
    this.#all = all;
  }

  /** The apps of now, in the order in which they came: a list that is replaced, never changed, when one joins or leaves. */
  get all(): readonly App[] {
    return this.#all;
  }

  find(appId: string): App | undefined {
    return this.#all.find((one) => one.appId === appId);
  }

  /** No other one may have its id. */
  add(app: App): void {
    this.#all = [...this.#all, app];
  }

  remove(app: App): void {
    this.#all = this.#all.filter((one) => one !== app);
  }
}
