/** Asks the host whether the data is valid by the schema of its topic, after a pause in typing. */
import { useEffect, useState } from 'react';
import type { SchemaVerdict } from '../../../core/contract/saved.ts';
import { useConsole, useOpenings, useResource } from '../../state/context.ts';
import type { SingleDraft } from '../../state/publish-drafts.ts';

const REST_MS = 300;

/** The verdict; undefined: there is no schema, no JSON, or there are variables. */
export function useSchemaCheck(draft: SingleDraft, isJson: boolean): SchemaVerdict | undefined {
  const { call, saved } = useConsole();
  const openings = useOpenings();
  const { value } = useResource(saved.schemas);
  const [verdict, setVerdict] = useState<SchemaVerdict>();
  const { topic, data, envelope } = draft;
  const eventType = envelope === 'own' ? draft.attributes.type : '';
  const isBound = (value?.items ?? []).some((each) => each.topic === topic);
  const canCheck = isBound && isJson && !data.includes('{{');
  useEffect(() => {
    if (!canCheck) return undefined;
    let isCurrent = true;
    const timer = setTimeout(() => {
      call('schemas.validate', { data, topic, ...(eventType === '' ? {} : { eventType }) }).then(
        (answer) => isCurrent && setVerdict(answer),
        // The connection bar reports a missing answer; nothing is shown about the data.
        () => isCurrent && setVerdict(undefined),
      );
    }, REST_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [call, canCheck, data, eventType, openings, topic, value]);
  return canCheck ? verdict : undefined;
}
