// Position of the window when it was closed, kept in one small file, and used again only where a screen still
// is.
import fs from 'node:fs';
import path from 'node:path';
import { screen, type BrowserWindow, type Rectangle } from 'electron';
import { errorText, hasCode } from '../core/contract/error-text.ts';

export interface WindowState {
  readonly width: number;
  readonly height: number;
  /** Position; absent: the system chooses it. */
  readonly x?: number;
  readonly y?: number;
  readonly maximized: boolean;
}

export const MIN_SIZE = { width: 640, height: 480 } as const;
const FIRST: WindowState = { width: 1280, height: 800, maximized: false };

/** Pixels of the title bar that must be on a screen, so that the window can be moved. */
const REACHABLE = 64;

/**
 * The state in `file`; a first state if there is none, it is not readable, or its screen is gone.
 * @param report receives one sentence when an existing file cannot be read
 */
export function readWindowState(file: string, report: (text: string) => void): WindowState {
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) {
      report(`Sidelight cannot read the saved position of the window: ${errorText(error)}`);
    }
    return FIRST;
  }
  const state = stateFrom(text);
  if (state === undefined)
    report(`Sidelight cannot read the saved position of the window in ${file}: the file has another format`);
  return state ?? FIRST;
}

/**
 * Writes the window's position.
 * @throws the error of writing
 */
export function keepWindowState(file: string, window: BrowserWindow): void {
  // The normal bounds are saved: those of a maximised window would make it huge when it is restored.
  const state: WindowState = { ...window.getNormalBounds(), maximized: window.isMaximized() };
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.new`;
  fs.writeFileSync(draft, JSON.stringify(state));
  fs.renameSync(draft, file);
}

function stateFrom(text: string): WindowState | undefined {
  let kept: unknown;
  try {
    kept = JSON.parse(text);
  } catch {
    // The file was cut off or changed by hand; the caller reports it.
    return undefined;
  }
  if (typeof kept !== 'object' || kept === null) return undefined;
  const facts = new Map(Object.entries(kept));
  const [width, height, x, y] = ['width', 'height', 'x', 'y'].map((name) => wholeNumber(facts.get(name)));
  if (width === undefined || height === undefined) return undefined;
  if (width < MIN_SIZE.width || height < MIN_SIZE.height) return undefined;
  const size = { width, height, maximized: facts.get('maximized') === true };
  if (x === undefined || y === undefined || !isReachable({ x, y, width, height })) return size;
  return { ...size, x, y };
}

const wholeNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;

function isReachable({ x, y, width }: Rectangle): boolean {
  return screen.getAllDisplays().some(({ workArea }) => {
    const across = Math.min(x + width, workArea.x + workArea.width) - Math.max(x, workArea.x);
    return across >= REACHABLE && y >= workArea.y && y + REACHABLE <= workArea.y + workArea.height;
  });
}
