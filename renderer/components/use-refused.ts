/**
 * Refusals of the host in a form: beside the field that they name, else above the buttons, until something is
 * edited.
 */
import { useState } from 'react';
import type { RpcFailure } from '../client/rpc-client.ts';
import { useConsole } from '../state/context.ts';

export interface Refused {
  /** Refusal that belongs to no field. */
  readonly problem: string | undefined;
  /** Refusal of this field. */
  readonly at: (field: string) => string | undefined;
  readonly take: (failure: RpcFailure) => void;
  readonly clear: () => void;
  /** Runs something and reports the result; a refusal is shown in the form, not as a notification. */
  readonly run: (id: string, work: () => Promise<string | undefined>) => Promise<boolean>;
}

/**
 * Makes the state of a form.
 * @param fields names of the form's fields at the host
 */
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
    run(id, work) {
      clear();
      return acting.run(id, work, setFailure);
    },
  };
}
