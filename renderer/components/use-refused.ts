/** What the host refused of a form: beside the field that it names, else above the buttons; gone when something is edited. */
import { useState } from 'react';
import type { RpcFailure } from '../client/rpc-client.ts';
import { useConsole } from '../state/context.ts';

export interface Refused {
  /** What belongs to none of the fields. */
  readonly problem: string | undefined;
  /** What belongs to this field. */
  readonly at: (field: string) => string | undefined;
  readonly take: (failure: RpcFailure) => void;
  readonly clear: () => void;
  /** Runs something and says how it went: a refusal in the form, not in a notification. */
  readonly say: (id: string, work: () => Promise<string | undefined>) => Promise<boolean>;
}

/** @param fields the names by which the host knows the fields of the form */
export function useRefused(fields: readonly string[] = []): Refused {
  const { acting } = useConsole();
  const [failure, setFailure] = useState<RpcFailure>();
  const clear = (): void => setFailure(undefined);
  const isOfField = failure?.field !== undefined && fields.includes(failure.field);
  return {
    problem: isOfField ? undefined : failure?.message,
    at: (field) => (isOfField && failure.field === field ? failure.message : undefined),
    take: setFailure,
    clear,
    say(id, work) {
      clear();
      return acting.say(id, work, setFailure);
    },
  };
}
