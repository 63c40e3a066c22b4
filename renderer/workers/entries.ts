/**
 * The worker that reads files of entries, so that a large one does not block the page. A table stays here
 * until its columns are known.
 */
import { errorText } from '../../core/contract/error-text.ts';
import { readEntriesFile } from '../format/entries-file.ts';
import { fileOf, type EntriesQuestion, type FileRead } from '../format/entries-read.ts';
import type { ReadFile } from '../format/entries-table.ts';
import { onQuestion, postAnswer, postShare } from './answer.ts';

/** Share of the work for loading and decoding the bytes. */
const LOADING = 0.2;

let held: ReadFile | undefined;

onQuestion((question: EntriesQuestion) => {
  if (question.ask === 'columns') postAnswer(fileOf(held, question.mapping));
  else void read(question.file).then(postAnswer);
});

async function read(file: File): Promise<FileRead> {
  try {
    const text = await textOf(file);
    held = readEntriesFile(file.name, text.replace(/^\uFEFF/, ''), (share) =>
      postShare(LOADING + (1 - LOADING) * share),
    );
    return fileOf(held);
  } catch (error) {
    const detail = errorText(error);
    return { kind: 'bad', line: 1, why: 'utf8', detail };
  }
}

/** Decodes a file. Throws for bytes that are not UTF-8. */
async function textOf(file: File): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parts: string[] = [];
  let bytes = 0;
  for await (const part of file.stream()) {
    bytes += part.length;
    parts.push(decoder.decode(part, { stream: true }));
    postShare((LOADING * bytes) / file.size);
  }
  return [...parts, decoder.decode()].join('');
}
