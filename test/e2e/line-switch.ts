// A switch in the line between page and product, and what the page says while it is cut.
import type { Locator, Page } from '@playwright/test';

export const notice = (page: Page, text: string): Locator =>
  page.getByRole('status').filter({ hasText: text });

export const LOST = 'Connection to Sidelight lost. Reconnecting…';

/**
 * Puts a switch into the line between page and product, which `load` loads: while it is cut, open sockets are closed and new ones find
 * nothing.
 */
export async function throughSwitch(
  page: Page,
  load: () => Promise<unknown> = () => page.reload(),
): Promise<{ cut: () => Promise<void>; join: () => Promise<void> }> {
  await page.addInitScript(() => {
    const sockets = new Set<WebSocket>();
    let isCut = false;
    window.WebSocket = class extends WebSocket {
      constructor(address: string | URL, protocols?: string | string[]) {
        super(isCut ? `${address}-cut` : address, protocols);
        sockets.add(this);
      }
    };
    const cutLine = (cut: boolean): void => {
      isCut = cut;
      if (cut) for (const socket of sockets) socket.close();
    };
    Object.assign(window, { cutLine });
  });
  await load();
  const cutLine = (cut: boolean): Promise<void> =>
    page.evaluate((on) => void Reflect.get(window, 'cutLine')(on), cut);
  return { cut: () => cutLine(true), join: () => cutLine(false) };
}
