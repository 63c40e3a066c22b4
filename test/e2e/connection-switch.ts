// A switch in the connection between page and product, and what the page says while there is none.
import type { Locator, Page } from '@playwright/test';

export const notice = (page: Page, text: string): Locator =>
  page.getByRole('status').filter({ hasText: text });

export const LOST = 'Connection to Sidelight lost. Reconnecting…';

/** Loads the page with `load` and gives it a switch: `cut` closes its sockets and keeps new ones from opening, `restore` lets them open again. */
export async function withConnectionSwitch(
  page: Page,
  load: () => Promise<unknown> = () => page.reload(),
): Promise<{ cut: () => Promise<void>; restore: () => Promise<void> }> {
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
  return { cut: () => cutLine(true), restore: () => cutLine(false) };
}
