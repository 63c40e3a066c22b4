/** How a form of another tool is turned into that of this language: rules over a text whose quoted parts are hidden meanwhile. */

/** A key: with the dot of jq, the dollar of a JSON path or the at sign of a log search in front. */
export const KEY = String.raw`[.$@]*[A-Za-z_][\w.@[\]-]*`;
export const VALUE = String.raw`[^\s(),;{}]+`;
/** The beginning of a word. */
export const START = String.raw`(?<=^|[\s(])`;
/** The end of a word. */
export const END = String.raw`(?=$|[\s)])`;
/** Placeholder of a text in quotes. */
export const HIDDEN = String.raw`\u0001\d+\u0001`;

export type Found = Readonly<Record<string, string | undefined>>;

/** One form of another tool, and the same in this language. */
export interface Rule {
  readonly form: RegExp;
  /** The new text for what is found; undefined: it stays as it is. */
  readonly to: string | ((found: Found) => string | undefined);
}

/** A rule whose form is made of the parts above, in any letter case. */
export function rule(form: string, to: Rule['to']): Rule {
  return { form: new RegExp(form, 'gis'), to };
}

const PLACEHOLDER = new RegExp(HIDDEN, 'g');
const QUOTED = /"(?:\\.|[^"\\])*"/g;

/** The texts in quotes of one filter: no rule looks into them. */
export class HiddenTexts {
  readonly #texts: string[] = [];

  /** The text with a placeholder for each text in quotes. */
  hide(text: string): string {
    return text.replaceAll(QUOTED, (quoted) => `\u0001${this.#texts.push(quoted) - 1}\u0001`);
  }

  show(text: string): string {
    return text.replaceAll(PLACEHOLDER, (all) => this.#texts[Number(all.slice(1, -1))] ?? all);
  }
}

/** The text after a change that looks into no text in quotes. */
export function besideQuotes(text: string, change: (hidden: string) => string): string {
  const texts = new HiddenTexts();
  return texts.show(change(texts.hide(text)));
}

/** The hidden text after all rules, one after the other. A rule sees the quoted parts of what it finds. */
export function applied(rules: readonly Rule[], text: string, texts: HiddenTexts): string {
  let now = text;
  for (const { form, to } of rules) {
    now = now.replaceAll(form, (whole: string, ...rest: unknown[]) => {
      if (typeof to === 'string') return to;
      const found = Object.entries(rest.at(-1) as Found).map(([name, each]) => [
        name,
        each && texts.show(each),
      ]);
      return texts.hide(to(Object.fromEntries(found) as Found) ?? whole);
    });
  }
  return now;
}
