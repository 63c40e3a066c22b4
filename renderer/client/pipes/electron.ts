/** The pipe over the desktop shell's bridge. */
import type { TextPipe } from '../../../core/contract/rpc.ts';

/** Object that the preload script adds to the window. */
export interface Bridge {
  send(text: string): void;
  onText(cb: (text: string) => void): () => void;
}

declare global {
  interface Window {
    readonly sidelight?: Bridge;
  }
}

/** A pipe over the bridge. Host and window end together, so it never closes by itself. */
export function openElectronPipe(bridge: Bridge): Promise<TextPipe> {
  return Promise.resolve({
    send: (text: string) => bridge.send(text),
    onText: (take: (text: string) => void) => bridge.onText(take),
    onClose: () => () => undefined,
  });
}
