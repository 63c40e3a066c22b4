/** Saved requests out of the files of a folder, and what is wrong with those files. */
import type { SavedRequest } from '../../contract/saved.ts';
import type { Problem } from '../../contract/subscription.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { RequestFile, RequestFiles } from '../../ports/request-files.ts';
import { readRequests } from './requests-file.ts';

export interface FolderRequests {
  readonly items: readonly SavedRequest[];
  readonly problems: readonly Problem[];
}

/** Saved requests in the folder now. A broken file is reported with its position; the others are still used. */
export async function readFolderRequests(folder: RequestFiles | undefined): Promise<FolderRequests> {
  if (folder === undefined) return { items: [], problems: [] };
  const { files, problems } = await folder.read();
  const found: Problem[] = [...problems];
  const byId = new Map<string, SavedRequest>();
  for (const one of files) {
    const { file, writtenAt } = one;
    for (const request of requestsOf(one, found)) {
      const { requestId, name } = request;
      const other = byId.get(requestId)?.file;
      if (other === undefined) byId.set(requestId, { ...request, file, savedAt: writtenAt });
      else {
        const message = `"${name}" has the requestId ${requestId}, which is already used in ${other}; this one is left out.`;
        found.push({ file, field: 'requestId', message, severity: 'error' });
      }
    }
  }
  return { items: [...byId.values()], problems: found };
}

function requestsOf({ file, text }: RequestFile, problems: Problem[]): ReturnType<typeof readRequests> {
  try {
    return readRequests(text);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { line, column } = error.data ?? {};
    problems.push({
      file,
      ...(typeof line === 'number' && typeof column === 'number' ? { line, column } : {}),
      ...withoutUndefined({ field: error.field }),
      message: error.message,
      severity: 'error',
    });
    return [];
  }
}
