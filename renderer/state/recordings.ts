/** Recordings: files that are exported and imported piece by piece, and the lists of an open one. */
import type { Method, Params, Result } from '../../core/contract/console.ts';
import type { ExportParams, Recording } from '../../core/contract/recording.ts';
import type { RpcClient } from '../client/rpc-client.ts';
import { createDetailStore, type DetailStore } from './detail.ts';
import { createMessages, type Messages } from './messages.ts';
import { createAllRead } from './unread.ts';
import { createResource, type ResourceStore } from './resource.ts';
import type { NextFrame } from './store.ts';

export interface Progress {
  readonly done: number;
  readonly count: number;
}

export interface ExportedFile {
  readonly name: string;
  readonly contentType: string;
  readonly texts: readonly string[];
  readonly count: number;
}

export interface RecordingLists {
  readonly messages: Messages;
  readonly detail: DetailStore;
  /** Calls the host; what it reads of messages is of the recording. */
  readonly call: RpcClient['call'];
}

export interface Recordings {
  readonly list: ResourceStore<Result<'recordings.list'>>;
  /** Reads an export to its end; undefined: it was cancelled. */
  export(
    params: ExportParams,
    onProgress: (progress: Progress) => void,
    signal: AbortSignal,
  ): Promise<ExportedFile | undefined>;
  import(name: string, file: Blob, onProgress: (progress: Progress) => void): Promise<Recording>;
  /** List and detail of one recording, the same ones until `forget`. */
  lists(recordingId: string): RecordingLists;
  forget(recordingId: string): void;
  /** Called when the connection is open again. */
  reopen(): void;
}

const PIECE_BYTES = 1024 * 1024;
/** Methods that read a recording if its id is given. */
const SCOPED: readonly Method[] = [
  'view.open',
  'messages.get',
  'messages.list',
  'messages.values',
  'filter.check',
  'filter.complete',
];

/** Makes the store of recordings of one window. */
export function createRecordings(rpc: RpcClient, frame: NextFrame): Recordings {
  const open = new Map<string, RecordingLists>();
  const list = createResource(() => rpc.call('recordings.list', {}));

  function within(recordingId: string): RpcClient {
    return {
      ...rpc,
      call<M extends Method>(method: M, params: Params<M>, ...rest: unknown[]): Promise<Result<M>> {
        const more = SCOPED.includes(method) ? { ...params, recordingId } : params;
        return Reflect.apply(rpc.call, rpc, [method, more, ...rest]);
      },
    };
  }

  return {
    list,
    async export(params, onProgress, signal) {
      const started = await rpc.call('recordings.export', params);
      const texts: string[] = [];
      for (let part = 1; ; part += 1) {
        if (signal.aborted) {
          await rpc.call('jobs.cancel', { jobId: started.jobId });
          return undefined;
        }
        const piece = await rpc.call('recordings.read', { jobId: started.jobId, part });
        texts.push(piece.text);
        onProgress({ done: piece.done, count: piece.count });
        if (piece.isLast) return { ...started, texts, count: piece.done };
      }
    },
    async import(name, file, onProgress) {
      const decoder = new TextDecoder();
      let recording: Recording | undefined;
      for (let from = 0; from === 0 || from < file.size; from += PIECE_BYTES) {
        const isLast = from + PIECE_BYTES >= file.size;
        const bytes = await file.slice(from, from + PIECE_BYTES).arrayBuffer();
        const text = decoder.decode(bytes, { stream: !isLast });
        const goesOn = recording === undefined ? {} : { recordingId: recording.recordingId };
        recording = await rpc.call('recordings.import', { name, text, isLast, ...goesOn });
        onProgress({ done: Math.min(from + PIECE_BYTES, file.size), count: Math.max(1, file.size) });
      }
      await list.refresh();
      if (recording === undefined) throw new Error('nothing was read');
      return recording;
    },
    lists(recordingId) {
      const found = open.get(recordingId);
      if (found !== undefined) return found;
      const scoped = within(recordingId);
      const made = {
        messages: createMessages(scoped, frame, createAllRead),
        detail: createDetailStore(scoped),
        call: scoped.call,
      };
      open.set(recordingId, made);
      return made;
    },
    forget(recordingId) {
      open.get(recordingId)?.messages.dispose();
      open.delete(recordingId);
    },
    reopen() {
      list.invalidate();
      for (const { messages } of open.values()) messages.reopen();
    },
  };
}
