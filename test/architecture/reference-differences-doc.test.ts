/** docs/reference-differences.md has the rows of the table of hints and of the suite's known differences, word for word, and no other. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { REFERENCE_HINT_IDS } from '../../core/contract/words.ts';
import { PROFILES } from '../../core/contract/profile.ts';
import { withDifferences } from './differences-table.ts';
import { REFERENCE_HINTS, documentedAt } from '../../core/domain/reference-hints.ts';

const page = readFileSync(new URL('../../docs/reference-differences.md', import.meta.url), 'utf8');
const PARTS = /^([a-z-]+)\n\n\*\*(.+)\.\*\*\n\n- When: (.+)\n- On the reference: (.+)\n- Here: (.+)\n$/;

/** The sections under `## Fails there` or `## Differs there`, by id. */
function sections(): Record<string, object> {
  const found: Record<string, object> = {};
  for (const part of page.split('\n## ').slice(1)) {
    const effect = part.startsWith('Fails there\n') ? 'fails' : 'differs';
    for (const section of part.split('\n### ').slice(1)) {
      const [, id = '', title, when, reference, here] = PARTS.exec(`${section.trimEnd()}\n`) ?? [];
      expect(id, `a section that cannot be read: ${section.slice(0, 60)}`).not.toBe('');
      found[id] = { effect, title, when, reference, here };
    }
  }
  return found;
}

test('the page and the table are equal, in both directions', () => {
  expect(sections()).toEqual(REFERENCE_HINTS);
});

test('a hint leads to its section, and the page names the release', () => {
  for (const id of REFERENCE_HINT_IDS) {
    expect(documentedAt(id)).toBe(`docs/reference-differences.md#${id}`);
    expect(page).toContain(`\n### ${id}\n`);
  }
  expect(page).toContain(`release ${PROFILES.dapr.referenceRelease}`);
});

test('every known difference of the conformance suite stands there (npm run spec-map writes them)', () => {
  expect(page).toBe(withDifferences(page));
});
