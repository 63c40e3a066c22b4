/**
 * Keys of all editors. Ctrl+Enter is left out: it runs the main action of the form or dialog around the
 * editor.
 */
import { defaultKeymap, historyKeymap } from '@codemirror/commands';
import type { KeyBinding } from '@codemirror/view';

export const EDITING_KEYS: readonly KeyBinding[] = [
  ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'),
  ...historyKeymap,
];
