/** Looks names of machines up. */

/** `unknown`: no machine has that name. `unanswered`: nobody could be asked for it now. */
export type NameMistake = 'unknown' | 'unanswered';

export interface HostNames {
  /** Why no address belongs to the name; undefined: one does, or that is not known. Never rejects. */
  mistakeOf(host: string): Promise<NameMistake | undefined>;
}
