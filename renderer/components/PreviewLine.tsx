/** The payload of a message in one line. */
import { memo, type ReactElement } from 'react';
import { cx } from './class-names.ts';
import { previewParts, withMatchInSight } from '../format/preview.ts';
import { visibleShort } from '../format/visible-text.ts';
import { usePreview } from '../state/use-preview.ts';
import css from './PreviewLine.module.css';

const NOTHING: readonly string[] = [];

export interface PreviewLineProps {
  /** Number of the message. */
  readonly number: number;
  /** Texts in lower case that are marked. */
  readonly needles?: readonly string[];
}

/** Requests the payload while it is mounted; empty until the answer arrives. */
export const PreviewLine = memo(function PreviewLine({
  number,
  needles = NOTHING,
}: PreviewLineProps): ReactElement {
  const line = usePreview(number) ?? '';
  return <PreviewText line={line} needles={needles} />;
});

/** A preview line with known text. */
function PreviewText({
  line,
  needles = NOTHING,
}: {
  readonly line: string;
  readonly needles?: readonly string[];
}): ReactElement {
  const parts = withMatchInSight(previewParts(visibleShort(line), needles));
  return (
    <bdi className={css.line} title={line}>
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
    </bdi>
  );
}
