/** The known differences of the conformance suite as the table in docs/reference-differences.md. */
import { DIFFERENCES } from '../conformance/differences.ts';

const START =
  '<!-- reasons: written by `npm run spec-map` from the differences that the conformance suite knows -->';
const END = '<!-- reasons: end -->';

/** @param page the whole page; throws where it lacks the place of the table. */
export function withDifferences(page: string): string {
  const start = page.indexOf(START);
  const end = page.indexOf(END);
  if (start === -1 || end < start) throw new Error(`docs/reference-differences.md lacks ${START} or ${END}`);
  const rows = DIFFERENCES.map(
    ({ cases, releases, reason }) =>
      `| ${cases.join(', ')} | ${releases?.join(', ') ?? 'both'} | ${reason} |`,
  );
  const table = ['| Cases | Release | There |', '|---|---|---|', ...rows].join('\n');
  return `${page.slice(0, start + START.length)}\n\n${table}\n\n${page.slice(end)}`;
}
