/** The payload of a message in one line. */
import { memo, type CSSProperties, type ReactElement } from 'react';
import { cx } from './class-names.ts';
import { EDITED } from '../copy/edited.ts';
import { previewParts, type PreviewPart } from '../format/preview.ts';
import { visibleShort } from '../format/visible-text.ts';
import { usePreview } from '../state/use-preview.ts';
import css from './PreviewLine.module.css';

const NOTHING: readonly string[] = [];

export interface PreviewLineProps {
  /** Number of the message. */
  readonly number: number;
  /** Version of its payload, by `payloadVersion`; undefined: the view has no row of the message. */
  readonly version: string | undefined;
  /** Texts in lower case that are marked. */
  readonly needles?: readonly string[];
}

/** Requests the payload while it is mounted; empty until the answer arrives. */
export const PreviewLine = memo(function PreviewLine({
  number,
  version,
  needles = NOTHING,
}: PreviewLineProps): ReactElement {
  const { line, isEdited } = usePreview(number, version) ?? { line: '', isEdited: false };
  if (!isEdited) return <PreviewText line={line} needles={needles} />;
  return (
    <>
      <span className={css.edited} title={EDITED.hint}>
        {EDITED.mark}
      </span>
      <PreviewText line={line} needles={needles} />
    </>
  );
});

/** Most letters of a match that stay in sight. */
const MATCH_LETTERS = 12;

type MatchStyle = CSSProperties & Readonly<Record<'--match', number>>;

/** A preview line with known text. Where it does not fit, what is in front of the first match and behind it is cut, the match itself is not. */
function PreviewText({
  line,
  needles = NOTHING,
}: {
  readonly line: string;
  readonly needles?: readonly string[];
}): ReactElement {
  const parts = previewParts(visibleShort(line), needles);
  const at = parts.findIndex(({ isMarked }) => isMarked);
  const match = parts[at];
  if (match === undefined || at === 0)
    return (
      <bdi className={css.line} title={line}>
        <Parts parts={parts} />
      </bdi>
    );
  const style: MatchStyle = { '--match': Math.min(MATCH_LETTERS, match.text.length) };
  return (
    <bdi className={cx(css.line, css.split)} title={line} style={style}>
      <span>
        <Parts parts={parts.slice(0, at)} />
      </span>
      <span>
        <Parts parts={parts.slice(at)} />
      </span>
    </bdi>
  );
}

function Parts({ parts }: { readonly parts: readonly PreviewPart[] }): ReactElement {
  return (
    <>
      {parts.map(({ kind, text, isMarked }, place) =>
        isMarked ? (
          <mark key={place} className={css.mark}>
            {text}
          </mark>
        ) : (
          <span key={place} className={cx(kind === 'name' && css.name)}>
            {text}
          </span>
        ),
      )}
    </>
  );
}
