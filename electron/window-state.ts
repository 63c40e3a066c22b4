// Where the window was when it was closed, kept in one small file, and used again only where a screen still is.
import fs from 'node:fs';
import path from 'node:path';
import { screen, type BrowserWindow, type Rectangle } from 'electron';
import { errorText } from '../core/contract/error-text.ts';

export interface WindowState {
  readonly width: number;
  readonly height: number;
  /** Left out: the system chooses the place. */
  readonly x?: number;
  readonly y?: number;
  readonly maximized: boolean;
}

export const SMALLEST = { width: 640, height: 480 } as const;
const FIRST: WindowState = { width: 1280, height: 800, maximized: false };

/** Pixels of the title bar that must lie on a screen, so that the window can be taken hold of. */
const REACHABLE = 64;

/**
 * The state kept in `file`, or the first one: nothing kept, not readable, or on a screen that is gone.
 * @param tell gets one sentence when something is kept and cannot be read
 */
export function readWindowState(file: string, tell: (text: string) => void): WindowState {
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) {
      tell(`Sidelight cannot read the saved position of the window: ${errorText(error)}`);
    }
    return FIRST;
  }
  const state = stateFrom(text);
  if (state === undefined)
    tell(`Sidelight cannot read the saved position of the window in ${file}: the file has another format`);
  return state ?? FIRST;
}

/** Writes the window's place. @throws what writing says */
export function keepWindowState(file: string, window: BrowserWindow): void {
  // The normal bounds: those of a maximised window would make it huge when it is made smaller again.
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
    // Cut off or changed by hand: whoever asked says so.
    return undefined;
  }
  if (typeof kept !== 'object' || kept === null) return undefined;
  const facts = new Map(Object.entries(kept));
  const [width, height, x, y] = ['width', 'height', 'x', 'y'].map((name) => wholeNumber(facts.get(name)));
  if (width === undefined || height === undefined) return undefined;
  if (width < SMALLEST.width || height < SMALLEST.height) return undefined;
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
