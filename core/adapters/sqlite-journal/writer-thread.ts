/** The thread that writes; what it does is in writer.ts. */
import { serve, reportStep } from './serve.ts';
import type { WriterRequests } from './requests.ts';
import { Writer } from './writer.ts';

const writer = new Writer(Date.now, reportStep);
serve<WriterRequests>(writer, () => writer.folder);
