/** Finds the name that a mistyped word probably means, for every "did you mean". */

/**
 * The nearest of `candidates` that may be meant by a mistyped word: one slip away, else the first that begins with the word, else two slips
 * away.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const lower = word.toLowerCase();
  const allowed = lower.length < 3 ? 0 : lower.length < 6 ? 1 : 2;
  let best: { readonly candidate: string; readonly distance: number } | undefined;
  for (const candidate of candidates) {
    // Each slip changes the length by one at most; a word of a file may be very long.
    if (Math.abs(candidate.length - word.length) > allowed) continue;
    const distance = slips(lower, candidate.toLowerCase(), allowed);
    if (distance <= allowed && distance < (best?.distance ?? Infinity)) best = { candidate, distance };
  }
  if (best !== undefined && best.distance < 2) return best.candidate;
  // A word that was not written to its end is likelier than two slips: `appDir` is `appDirPath`, not `appID`.
  const begun =
    lower.length < 3 ? undefined : candidates.find((candidate) => candidate.toLowerCase().startsWith(lower));
  return begun ?? best?.candidate;
}

/** The end of a sentence about a mistyped word, `; did you mean grpc?`; "": no candidate is near. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const meant = nearest(word, candidates);
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}

/**
 * Number of insertions, removals, replacements and swapped neighbours that lead from one word to the other; Infinity: surely more than
 * `most`, so that what lies further from the diagonal is not looked at.
 */
export function slips(a: string, b: string, most: number): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next: number[] = [i];
    for (let j = Math.max(1, i - most); j <= Math.min(b.length, i + most); j++) {
      const replaced = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(at(row, j) + 1, at(next, j - 1) + 1, replaced);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, at(before, j - 2) + 1);
      }
      next[j] = least;
    }
    before = row;
    row = next;
  }
  return at(row, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
