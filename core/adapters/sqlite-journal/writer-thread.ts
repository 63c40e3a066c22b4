/** The thread that writes; what it does is in writer.ts. */
import { serve, tellStep } from './serve.ts';
import type { WriterRequests } from './requests.ts';
import { Writer } from './writer.ts';

const writer = new Writer(Date.now, tellStep);
serve<WriterRequests>(writer, () => writer.folder);
