/** The position before a problem of a file. */
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Problem } from '../../core/contract/subscription.ts';
import { ProblemList } from '../../renderer/components/ProblemList.tsx';

const PROBLEM: Problem = { file: 'pubsub.yaml', message: 'It is empty.', severity: 'error' };

function drawn(problem: Problem, isInFile: boolean): string {
  return renderToStaticMarkup(<ProblemList label="Problems" problems={[problem]} isInFile={isInFile} />);
}

test('a problem of a whole file has nothing before it beside that file', () => {
  expect(drawn(PROBLEM, true)).toContain('<span>It is empty.</span>');
  expect(drawn(PROBLEM, false)).toContain('<span><code>pubsub.yaml</code> It is empty.</span>');
});

test('a problem of a line has its position before it', () => {
  expect(drawn({ ...PROBLEM, line: 12, column: 5 }, true)).toContain(
    '<span><code>12:5</code> It is empty.</span>',
  );
});
