/** A long word that goes on in the next line after one of its signs, not in the middle of a part of it. */
import { Fragment, type ReactElement } from 'react';

/** Parts that stay together: each ends with the signs that separate it from the next. */
export function partsOf(text: string): readonly string[] {
  return text.match(/[^\s.:/_,-]*[\s.:/_,-]+|[^\s.:/_,-]+$/g) ?? [];
}

/** The text with places to break; it is copied as it is. */
export function Breakable({ text }: { readonly text: string }): ReactElement {
  return (
    <>
      {partsOf(text).map((part, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the parts of one text
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </>
  );
}
