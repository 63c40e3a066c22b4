/** The banner of what was said last about one thing. */
import type { SystemDescription } from '../contract/reports.ts';
import type { Notice } from '../ports/log.ts';

type Banner = SystemDescription['banners'][number];

export class LastNotice {
  readonly #name: string;
  readonly #then: Notice;
  #taken = 0;
  #last: Banner | undefined;

  /**
   * @param name begins the ids of the banners
   * @param then called when there is another banner, so that screens ask for it
   */
  constructor(name: string, then: Notice) {
    this.#name = name;
    this.#then = then;
  }

  /** Each notice has its own id, so that a person who dismissed one still sees the next. */
  readonly take: Notice = (level, text) => {
    this.#last = { id: `${this.#name}-${++this.#taken}`, level, text };
    this.#then(level, text);
  };

  banners(): readonly Banner[] {
    return this.#last === undefined ? [] : [this.#last];
  }
}
