/** Definition of a command. */
import type { Method } from '../../core/contract/console.ts';
import type { Console } from '../state/console.ts';

export interface Command {
  readonly id: string;
  readonly title: string;
  /** Other words by which the palette finds it. */
  readonly words?: string;
  readonly group: string;
  readonly keys?: readonly string[];
  /** True: the command runs again and again while its key is held down; else once. */
  readonly repeats?: true;
  /** True: it changes no message, so that a recording allows it too. */
  readonly reads?: true;
  /** `messages`: single keys act only while the list, the detail or nothing has the focus. */
  readonly scope?: 'messages';
  /** Why the command is disabled; undefined: it is not. */
  readonly when?: (console: Console) => string | undefined;
  readonly run: (console: Console) => void;
  /** The automation method with the same effect; absent: the command changes only this window. */
  readonly method?: Method;
  /** The call with the same effect now, for "Copy as automation call"; present wherever there is a method. */
  readonly call?: (console: Console) => string | undefined;
}
