// The application menu, with only the standard roles of each platform.
import { Menu, type MenuItemConstructorOptions } from 'electron';

/** One row per menu. The console's own commands are in its page, so that browser mode has them too. */
const MENUS: readonly {
  readonly role: MenuItemConstructorOptions['role'];
  readonly onlyOn?: NodeJS.Platform;
}[] = [
  { role: 'appMenu', onlyOn: 'darwin' },
  { role: 'fileMenu' },
  { role: 'editMenu' },
  { role: 'viewMenu' },
  { role: 'windowMenu' },
];

/** Sets the menu of all windows. */
export function setMenu(platform: NodeJS.Platform): void {
  const rows = MENUS.filter(({ onlyOn }) => onlyOn === undefined || onlyOn === platform);
  Menu.setApplicationMenu(Menu.buildFromTemplate(rows.map(({ role }) => ({ ...(role && { role }) }))));
}
