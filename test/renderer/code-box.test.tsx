/** The text area that stands in for an editor until that is loaded. */
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { CodeBox } from '../../renderer/components/CodeBox.tsx';

const box = (takesFocus: boolean): string =>
  renderToStaticMarkup(
    <CodeBox
      label="New event"
      language="json"
      value="{}"
      readOnly={false}
      takesFocus={takesFocus}
      onChange={() => undefined}
    />,
  );

test('a dialog gives it the focus first, as it would the editor', () => {
  expect(box(true)).toMatch(/<textarea[^>]* data-focus-first=""/);
  expect(box(false)).toMatch(/<textarea(?![^>]*data-focus-first)/);
});
