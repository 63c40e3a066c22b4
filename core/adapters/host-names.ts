/** Names of machines, as this machine looks them up for every connection. */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { HostNames, NameMistake } from '../ports/host-names.ts';

const MISTAKES: Readonly<Record<string, NameMistake>> = { ENOTFOUND: 'unknown', EAI_AGAIN: 'unanswered' };
/** A name that takes longer cannot be used for deliveries either. */
const LIMIT_MS = 3_000;

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** @param look rejects with the code of the system's resolver */
export function systemHostNames(look: (host: string) => Promise<unknown> = lookup): HostNames {
  return {
    mistakeOf: async (host) => {
      if (isIP(host.replace(/^\[|\]$/g, '')) !== 0) return undefined;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<NameMistake>((resolve) => {
        timer = setTimeout(resolve, LIMIT_MS, 'unanswered');
      });
      const found = look(host).then(
        () => undefined,
        (error: unknown) => MISTAKES[codeOf(error)],
      );
      return Promise.race([found, late]).finally(() => clearTimeout(timer));
    },
  };
}
