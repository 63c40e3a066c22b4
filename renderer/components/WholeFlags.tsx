/** Keeps flags of the command line on one line: broken after its hyphens, `--app-url` reads as two words. */
import type { ReactElement } from 'react';

/** Parts of a text; every second one is a flag. */
export function flagParts(text: string): readonly string[] {
  return text.split(/(--[a-z][a-z0-9-]*)/);
}

export function WholeFlags({ text }: { readonly text: string }): ReactElement {
  return (
    <>
      {flagParts(text).map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- the parts of one text
          <span key={index} style={{ whiteSpace: 'nowrap' }}>
            {part}
          </span>
        ),
      )}
    </>
  );
}
