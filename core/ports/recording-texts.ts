/** The texts of exports and of tests out of recordings: made where nothing else waits for them. */
import type { ExportOrder } from '../domain/recording/export-texts.ts';
import type { TestOrder } from '../domain/recording/masked-test.ts';
import type { RecordedMessage } from '../domain/recording/recorded.ts';
import type { MadeTest } from '../domain/recording/to-test.ts';

/** One export: its texts are asked for one after another, and joined they are the file. */
export interface ExportTexts {
  begin(): Promise<string>;
  messages(recorded: readonly RecordedMessage[]): Promise<string>;
  end(): Promise<string>;
  /** Nobody asks any more; idempotent. */
  drop(): void;
}

export interface RecordingTexts {
  open(order: ExportOrder): ExportTexts;
  test(recorded: readonly RecordedMessage[], order: TestOrder): Promise<MadeTest>;
  /** What is under way is rejected. */
  close(): Promise<void>;
}
