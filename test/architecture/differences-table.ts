/** The known differences of the conformance suite as the table in docs/reference-differences.md. */
import { CONFIGURATIONS } from '../conformance/configurations.ts';
import { DIFFERENCES } from '../conformance/differences.ts';
import { REFERENCE_SETUPS } from '../conformance/reference.ts';

const START =
  '<!-- reasons: written by `npm run spec-map` from the differences that the conformance suite knows -->';
const END = '<!-- reasons: end -->';

/** @param page the whole page; throws where it lacks the place of the table. */
export function withDifferences(page: string): string {
  const start = page.indexOf(START);
  const end = page.indexOf(END);
  if (start === -1 || end < start) throw new Error(`docs/reference-differences.md lacks ${START} or ${END}`);
  const rows = DIFFERENCES.map(
    ({ cases, releases, reason, sometimes = false }) =>
      `| ${cases.join(', ')} | ${releases?.join(', ') ?? 'both'} | ${reason}${sometimes ? ' (not each time)' : ''} |`,
  );
  const table = ['| Cases | Release | There |', '|---|---|---|', ...rows].join('\n');
  const parts = [page.slice(0, start + START.length), table, notCompared(), page.slice(end)];
  return parts.join('\n\n');
}

/** The ways of starting the sidecar that the reference does not have, so that their cases say nothing about it. */
function notCompared(): string {
  const rows = CONFIGURATIONS.flatMap(({ id, cases }) => {
    const why = REFERENCE_SETUPS[id]?.skip;
    return why === undefined ? [] : [`| \`${id}\` | ${cases.map((one) => one.id).join(', ')} | ${why} |`];
  });
  return [
    'These configurations are not compared:',
    '',
    '| Configuration | Cases | Why |',
    '|---|---|---|',
    ...rows,
  ].join('\n');
}
