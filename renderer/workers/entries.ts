/** The worker that reads files of entries, so that a large one freezes nothing. */
import { readEntriesFile } from '../format/entries-file.ts';
import type { ReadFile } from '../format/entries-table.ts';

addEventListener('message', (event: MessageEvent<unknown>) => {
  const { data } = event;
  if (!(data instanceof File)) return;
  void read(data).then((answer) => postMessage(answer));
});

async function read(file: File): Promise<ReadFile> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    return readEntriesFile(file.name, text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return {
      kind: 'bad',
      line: 1,
      why: 'utf8',
      detail: error instanceof Error ? error.message : String(error),
    };
  }
}
