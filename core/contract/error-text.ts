/** Text that a person reads about a thrown error. */

/**
 * The message of an error; any other thrown value as text. A host with several addresses fails with one error for each of
 * them and no message of its own: then theirs are joined.
 */
export function errorText(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.message === '') {
    const errors: readonly unknown[] = thrown.errors;
    return [...new Set(errors.map(errorText))].filter((text) => text !== '').join(', ');
  }
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Whether it is an error of the system with one of these codes, such as ENOENT. */
export function hasCode(thrown: unknown, ...codes: readonly string[]): boolean {
  return thrown instanceof Error && 'code' in thrown && codes.includes(String(thrown.code));
}

/** Turns a sentence into a part of another one, by leaving out the full stop at its end. */
export function clause<T extends string | undefined>(text: T): T;
export function clause(text: string | undefined): string | undefined {
  return text?.replace(/\.$/, '');
}

/**
 * Says that there was no answer, and why, as a clause: "No answer: the connection was refused". A reason that says so
 * itself ("No answer within 5 s.") stays as it is.
 */
export function noAnswer(reason: string): string {
  const why = clause(reason);
  return why.startsWith('No answer') ? why : `No answer: ${why}`;
}

/** Makes a sentence of a clause; one that asks has its sign already. */
export function sentence(clauseText: string): string {
  return clauseText.endsWith('?') ? clauseText : `${clauseText}.`;
}

/**
 * A text that stands for itself: it begins with a capital, also where it was made as a part of another sentence. A word that is no plain
 * one, such as an address or `apiVersion`, stays as it is, and so does the name of the field that the text is about.
 * @param field path of that field
 */
export function asSentence(text: string, field = ''): string {
  const [word = ''] = /^[a-z]+(?=[ ,;])/.exec(text) ?? [];
  if (word === '' || field.split(/[.[\]]/).includes(word)) return text;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
