// A run of tests in which a mistyped name left out every test counts as failed.
import { expect, test } from 'vitest';
import { whyNoneRan } from '../../scripts/test/ran-reporter.ts';

test.each([
  { what: 'no name was given', states: ['skipped'], name: undefined },
  { what: 'a test passed', states: ['skipped', 'passed'], name: /a/ },
  { what: 'a test failed', states: ['failed', 'skipped'], name: /a/ },
])('a run counts as it ended where $what', ({ states, name }) => {
  expect(whyNoneRan(states, name)).toBeUndefined();
});

test('a name that fits no test fails the run, and is named', () => {
  expect(whyNoneRan(['skipped', 'skipped'], /slow ascii/)).toMatch(
    /^No test ran: none of 2 .*-t 'slow ascii'/,
  );
});
