/** Reads a file as the data of a message: text into the editor, other bytes beside it. */
import { PUBLISH } from '../../copy/publish.ts';
import type { SingleDraft } from '../../state/publish-drafts.ts';

/** Maximum number of bytes, the default limit of a publish. */
const MAX_BYTES = 4 * 1024 * 1024;
const PART = 0x8000;

/** The fields that change. Rejects with Error for a file that is too large or unreadable. */
export async function readDataFile(file: File): Promise<Pick<SingleDraft, 'data' | 'file'>> {
  if (file.size > MAX_BYTES) throw new Error(PUBLISH.fileTooLarge);
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    return {
      data: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
      file: undefined,
    };
  } catch {
    // The file is not UTF-8, so its bytes are kept.
    let binary = '';
    for (let at = 0; at < bytes.length; at += PART) {
      binary += String.fromCharCode(...bytes.subarray(at, at + PART));
    }
    return { data: '', file: { name: file.name, base64: btoa(binary), bytes: bytes.length } };
  }
}
