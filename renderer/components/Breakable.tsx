/** Lets a long word break after one of its separators, not in the middle of a part. */
import { Fragment, type ReactElement } from 'react';

/** Parts that stay together: each ends with the characters that separate it from the next. */
export function partsOf(text: string): readonly string[] {
  return text.match(/[^\s.:/_,-]*[\s.:/_,-]+|[^\s.:/_,-]+$/g) ?? [];
}

/** The text with places where it may break; copying gives the original text. */
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
