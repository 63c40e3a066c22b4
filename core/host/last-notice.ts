/** The banner of what was said last about one thing. */
import type { SystemDescription } from '../contract/reports.ts';
import type { Notice } from '../ports/log.ts';

type Banner = SystemDescription['banners'][number];

export class LastNotice {
  readonly #name: string;
  #taken = 0;
  #last: Banner | undefined;

  /** @param name begins the ids of the banners */
  constructor(name: string) {
    this.#name = name;
  }

  /** Each notice has its own id, so that a person who dismissed one still sees the next. */
  readonly take: Notice = (level, text) => {
    this.#last = { id: `${this.#name}-${++this.#taken}`, level, text };
  };

  banners(): readonly Banner[] {
    return this.#last === undefined ? [] : [this.#last];
  }
}
