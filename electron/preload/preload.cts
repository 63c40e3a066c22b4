// The bridge between page and main process: two functions, text only, no event object and no Electron name passed on.
import { contextBridge, ipcRenderer } from 'electron';

const CHANNEL = 'sidelight:text';

contextBridge.exposeInMainWorld('sidelight', {
  send: (text: string): void => ipcRenderer.send(CHANNEL, text),
  onText: (take: (text: string) => void): (() => void) => {
    const listen = (_event: unknown, text: string): void => take(text);
    ipcRenderer.on(CHANNEL, listen);
    return () => {
      ipcRenderer.off(CHANNEL, listen);
    };
  },
});
