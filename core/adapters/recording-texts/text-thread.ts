/** The thread that makes texts; what it does is in text-work.ts. */
import { parentPort } from 'node:worker_threads';
import { errorText } from '../../contract/error-text.ts';
import type { MadeTest } from '../../domain/recording/to-test.ts';
import { bufferCodec } from '../buffer-codec.ts';
import { TextWork } from './text-work.ts';
import type { Wanted } from './text-work.ts';

export interface Asked {
  readonly id: number;
  readonly wanted: Wanted;
}

export type Given =
  | { readonly id: number; readonly value: string | MadeTest }
  | { readonly id: number; readonly error: string };

const work = new TextWork(bufferCodec);

parentPort?.on('message', (asked: Asked) => parentPort?.postMessage(answerTo(asked)));

function answerTo({ id, wanted }: Asked): Given {
  try {
    return { id, value: work.do(wanted) };
  } catch (error) {
    return { id, error: errorText(error) };
  }
}
