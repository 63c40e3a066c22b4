/** Makes the texts of exports and of tests from recordings, on a thread that nothing else waits for. */
import type { ExportOrder } from '../domain/recording/export-texts.ts';
import type { TestOrder } from '../domain/recording/masked-test.ts';
import type { RecordedMessage } from '../domain/recording/recorded.ts';
import type { MadeTest } from '../domain/recording/to-test.ts';

/** One export. Its texts are read one after another; joined they are the file. */
export interface ExportTexts {
  begin(): Promise<string>;
  messages(recorded: readonly RecordedMessage[]): Promise<string>;
  end(): Promise<string>;
  /** Ends the export early. Idempotent. */
  drop(): void;
}

export interface RecordingTexts {
  open(order: ExportOrder): ExportTexts;
  test(recorded: readonly RecordedMessage[], order: TestOrder): Promise<MadeTest>;
  /** Ends all work; open requests are rejected. */
  close(): Promise<void>;
}
