/**
 * Refusals of the host in a form: beside the field that they name, else above the buttons, until something is
 * edited.
 */
import { useRef, useState } from 'react';
import type { RpcFailure } from '../client/rpc-client.ts';
import { REFUSED_AT_FIELD, VIEWS_COMMON } from '../copy/common.ts';
import { fill } from '../copy/fill.ts';
import { useConsole } from '../state/context.ts';

export interface Refused {
  /** Refusal that belongs to no field. */
  readonly problem: string | undefined;
  /** Refusal of this field. */
  readonly at: (field: string) => string | undefined;
  readonly take: (failure: RpcFailure) => void;
  readonly clear: () => void;
  /** True while the host has not answered yet. */
  readonly pending: boolean;
  /** Does `work` unless the form was sent and waits for its answer: Enter and a click send it once. False: it was not done. */
  readonly once: (work: () => Promise<boolean>) => Promise<boolean>;
  /** Runs something and reports the result; a refusal is shown in the form, not as a notification. */
  readonly run: (id: string, work: () => Promise<string | undefined>) => Promise<boolean>;
}

/** Whether a member as the host names it is that of a field, or a part of it: `maskPaths[0]` is one of `maskPaths`. */
export function isOfField(field: string, named: string | undefined): boolean {
  return (
    named === field || named?.startsWith(`${field}[`) === true || named?.startsWith(`${field}.`) === true
  );
}

const OWN_WORDS: ReadonlyMap<string, string> = new Map(Object.entries(REFUSED_AT_FIELD));

/** A refusal beside its field: without the name that the field has in the call. */
export function wordsAt({ message, code, field, expected }: RpcFailure): string {
  const namesIt = field !== undefined && message.startsWith(`${field} `);
  const words = namesIt && expected !== undefined ? fill(VIEWS_COMMON.use, { expected }) : message;
  return OWN_WORDS.get(code) ?? words;
}

/**
 * Makes the state of a form.
 * @param fields names of the form's fields at the host
 */
export function useRefused(fields: readonly string[] = []): Refused {
  const { acting } = useConsole();
  const [failure, setFailure] = useState<RpcFailure>();
  const [pending, setPending] = useState(false);
  const isSent = useRef(false);
  const clear = (): void => setFailure(undefined);

  async function once(work: () => Promise<boolean>): Promise<boolean> {
    if (isSent.current) return false;
    isSent.current = true;
    setPending(true);
    clear();
    try {
      return await work();
    } finally {
      isSent.current = false;
      setPending(false);
    }
  }

  const own = fields.find((field) => isOfField(field, failure?.field));
  return {
    problem: own === undefined ? failure?.message : undefined,
    at: (field) => (own === field && failure !== undefined ? wordsAt(failure) : undefined),
    take: setFailure,
    clear,
    pending,
    once,
    run: (id, work) => once(() => acting.run(id, work, setFailure)),
  };
}
