/** What a command is. */
import type { Method } from '../../core/contract/console.ts';
import type { Console } from '../state/console.ts';

export interface Command {
  readonly id: string;
  readonly title: string;
  readonly group: string;
  readonly keys?: readonly string[];
  /** `messages`: single keys act only while the list or the detail has the focus, or nothing has. */
  readonly scope?: 'messages';
  /** Why it cannot run now; undefined: it can. */
  readonly when?: (console: Console) => string | undefined;
  readonly run: (console: Console) => void;
  /** The automation method that does the same; absent: the command changes this window and nothing else. */
  readonly method?: Method;
  /** The call that does the same now, for "Copy as automation call"; there is one wherever there is a method. */
  readonly call?: (console: Console) => string | undefined;
}
