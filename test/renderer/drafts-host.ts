/** A host that keeps the drafts of windows. */
import type { RpcClient } from '../../renderer/client/rpc-client.ts';

/** A host that keeps what it is given; `savedAt` counts. */
export function hostOf(): { readonly call: RpcClient['call']; readonly kept: () => unknown } {
  let kept: { drafts: unknown; savedAt: string | null } = { drafts: null, savedAt: null };
  let n = 0;
  const answers = {
    'drafts.get': () => structuredClone(kept),
    'drafts.set': ({ drafts, over }: { readonly drafts: unknown; readonly over?: string | null }) => {
      if (over !== undefined && kept.savedAt !== null && kept.savedAt !== over)
        return { savedAt: kept.savedAt, theirs: structuredClone(kept.drafts) };
      n += 1;
      kept = { drafts: structuredClone(drafts), savedAt: `2026-01-01T00:00:0${String(n)}.000Z` };
      return { savedAt: kept.savedAt };
    },
  };
  const call = async (method: keyof typeof answers, params: never): Promise<unknown> =>
    answers[method](params);
  // The two methods that drafts call, by their names.
  return { call: call as unknown as RpcClient['call'], kept: () => kept.drafts };
}
