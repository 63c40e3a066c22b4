/** A file as the data of a message: text into the editor, bytes that are no text beside it. */
import { PUBLISH } from '../../copy/publish.ts';
import type { SingleDraft } from '../../state/publish-drafts.ts';

/** As much as a publish takes when its limit is the usual one. */
const MOST_BYTES = 4 * 1024 * 1024;
const PART = 0x8000;

/** The fields that change. Rejects with Error for a file that is too large or cannot be read. */
export async function readDataFile(file: File): Promise<Pick<SingleDraft, 'data' | 'file'>> {
  if (file.size > MOST_BYTES) throw new Error(PUBLISH.fileTooLarge);
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    return {
      data: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
      file: undefined,
    };
  } catch {
    // Not UTF-8: its bytes are kept, nothing is guessed.
    let binary = '';
    for (let at = 0; at < bytes.length; at += PART) {
      binary += String.fromCharCode(...bytes.subarray(at, at + PART));
    }
    return { data: '', file: { name: file.name, base64: btoa(binary), bytes: bytes.length } };
  }
}
