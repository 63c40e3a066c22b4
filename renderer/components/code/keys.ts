/** Keys of every editor. Ctrl+Enter is not one of them: it does what the form or dialog around the editor is for. */
import { defaultKeymap, historyKeymap } from '@codemirror/commands';
import type { KeyBinding } from '@codemirror/view';

export const EDITING_KEYS: readonly KeyBinding[] = [
  ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'),
  ...historyKeymap,
];
