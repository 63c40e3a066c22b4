/**
 * Checks whether the data has the form of its content type. Long data is read in a worker after a pause in
 * typing.
 */
import { useMemo } from 'react';
import { jsonMistake, type JsonMistake } from '../../../core/contract/json-position.ts';
import { LONG_TEXT, useTextFacts, type TextReading } from '../../components/use-text-facts.ts';
import type { SingleDraft } from '../../state/publish-drafts.ts';
import { dataQuestion } from './single-request.ts';

export interface DataCheck {
  readonly reading: TextReading;
  /** The mistake; undefined: there is none, or it is not known yet. */
  readonly mistake: JsonMistake | undefined;
  /**
   * Whether the data is JSON, whatever its content type; long data is read only if its content type is JSON.
   */
  readonly isJson: boolean;
}

/** Checks the data of the draft. */
export function useDataCheck({ contentType, data, envelope, file }: SingleDraft): DataCheck {
  const hasFile = file !== undefined;
  const question = useMemo(
    () => (hasFile ? undefined : dataQuestion({ contentType, data, envelope })),
    [contentType, data, envelope, hasFile],
  );
  const reading = useTextFacts(question, true);
  const mistake = reading.state === 'known' ? reading.facts.mistake : undefined;
  const isKnown = reading.state === 'known' && question?.kind === 'json' && !data.includes('{{');
  const isShortJson = useMemo(
    () => data !== '' && data.length <= LONG_TEXT && jsonMistake(data) === undefined,
    [data],
  );
  return { reading, mistake, isJson: isKnown ? mistake === undefined : isShortJson };
}
