/** The work of the thread: texts of the exports that are open, and tests. */
import type { Codec } from '../../domain/codec.ts';
import { ExportText } from '../../domain/recording/export-texts.ts';
import type { ExportOrder } from '../../domain/recording/export-texts.ts';
import { makeMaskedTest } from '../../domain/recording/masked-test.ts';
import type { TestOrder } from '../../domain/recording/masked-test.ts';
import type { RecordedMessage } from '../../domain/recording/recorded.ts';
import type { MadeTest } from '../../domain/recording/to-test.ts';

/** `nth`: which export. */
export type Wanted =
  | { readonly kind: 'begin'; readonly nth: number; readonly order: ExportOrder }
  | { readonly kind: 'messages'; readonly nth: number; readonly recorded: readonly RecordedMessage[] }
  | { readonly kind: 'end' | 'drop'; readonly nth: number }
  | { readonly kind: 'test'; readonly recorded: readonly RecordedMessage[]; readonly order: TestOrder };

export class TextWork {
  readonly #open = new Map<number, ExportText>();
  readonly #codec: Codec;

  constructor(codec: Codec) {
    this.#codec = codec;
  }

  do(wanted: Wanted): string | MadeTest {
    if (wanted.kind === 'test') return makeMaskedTest(wanted.recorded, wanted.order, this.#codec);
    if (wanted.kind === 'begin') this.#open.set(wanted.nth, new ExportText(wanted.order, this.#codec));
    const text = this.#open.get(wanted.nth);
    if (wanted.kind === 'drop' || wanted.kind === 'end') this.#open.delete(wanted.nth);
    if (wanted.kind === 'drop') return '';
    if (text === undefined) throw new Error('this export is not open');
    return wanted.kind === 'messages' ? text.messages(wanted.recorded) : text[wanted.kind]();
  }
}
