/**
 * Makes the texts of one export: removes the secrets of each message, then writes it in the export's format.
 */
import type { ExportFormat } from '../../contract/recording.ts';
import type { Codec } from '../codec.ts';
import { hideSecrets } from './hide-secrets.ts';
import type { SecretHiding } from './hide-secrets.ts';
import { maskMessage } from './mask.ts';
import type { Masking } from './mask.ts';
import type { RecordedMessage } from './recorded.ts';
import { exportWriter } from './writers.ts';
import type { ExportFacts, ExportWriter } from './writers.ts';

/** Everything that an export needs to know beforehand. */
export interface ExportOrder {
  readonly format: ExportFormat;
  readonly facts: ExportFacts;
  readonly masking: Masking;
  /** Values that must not appear in the export. */
  readonly secrets: readonly string[];
}

export class ExportText {
  readonly #order: ExportOrder;
  readonly #writer: ExportWriter;
  readonly #hiding: SecretHiding;
  readonly #codec: Codec;

  constructor(order: ExportOrder, codec: Codec) {
    this.#order = order;
    this.#writer = exportWriter(order.format, order.facts, codec);
    this.#hiding = hideSecrets(order.secrets, codec);
    this.#codec = codec;
  }

  begin(): string {
    return this.#writer.begin();
  }

  messages(recorded: readonly RecordedMessage[]): string {
    return recorded.map((each) => this.#message(each)).join('');
  }

  end(): string {
    return this.#writer.end();
  }

  #message(recorded: RecordedMessage): string {
    return this.#writer.message(
      this.#hiding.message(maskMessage(recorded, this.#order.masking, this.#codec)),
    );
  }
}
