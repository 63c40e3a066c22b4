/** What is said of something that could not be read: the reason alone, without advice for an act. */
import { expect, test } from 'vitest';
import { Loaded } from '../../renderer/components/States.tsx';
import { FRAME } from '../../renderer/copy/frame.ts';
import { drawn, wordsOf } from './drawn.tsx';

const said = (failure: { readonly code: string; readonly message: string }): string =>
  wordsOf(
    drawn(
      <Loaded
        value={undefined}
        failure={failure}
        loading=""
        failed="Topics could not be loaded: {message}."
        again={() => undefined}
      >
        {() => ''}
      </Loaded>,
      {},
    ),
  );

test.each([FRAME.unsentCall, FRAME.lostCall])('a lost connection is named without "%s"', (message) => {
  expect(said({ code: 'CONNECTION_LOST', message })).toContain(
    'Topics could not be loaded: no connection to Sidelight.',
  );
});

test('any other reason is given as it is', () => {
  expect(said({ code: 'INTERNAL', message: 'The disk is full.' })).toContain(
    'Topics could not be loaded: The disk is full.',
  );
});
