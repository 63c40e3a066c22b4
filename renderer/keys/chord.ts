/** Key bindings as text (`Mod+K`, `g m`, `Shift+U`): notation, drawing and recognition. */

/** Whether the main modifier of the platform is the command key. */
function isApple(platform: string): boolean {
  return /mac|iphone|ipad/i.test(platform);
}

const PLATFORM = typeof navigator === 'undefined' ? '' : navigator.platform;

const CAPS: Readonly<Record<string, string>> = {
  Mod: isApple(PLATFORM) ? '⌘' : 'Ctrl',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  ' ': 'Space',
};

/** Caps to draw: one per step of the chord. */
export function keyCaps(binding: string): readonly string[] {
  if (binding === ' ') return ['Space'];
  return binding.split(' ').map((step) =>
    step
      .split('+')
      .map((part) => CAPS[part] ?? part)
      .join(' '),
  );
}

/** The part of a keyboard event that bindings use. */
export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/**
 * The step of a key press, in the order `Mod+Alt+Shift+key`. Shift is named only with letters and named keys.
 */
export function stepOf(press: KeyPress): string {
  const mod = isApple(PLATFORM) ? press.metaKey : press.ctrlKey;
  const isLetter = /^[a-z]$/i.test(press.key);
  const isNamed = press.key.length > 1;
  const key = isLetter ? (press.shiftKey || mod ? press.key.toUpperCase() : press.key) : press.key;
  const parts: string[] = [];
  if (mod) parts.push('Mod');
  if (press.altKey) parts.push('Alt');
  if (press.shiftKey && (isLetter || isNamed)) parts.push('Shift');
  return [...parts, key === ' ' ? 'Space' : key].join('+');
}

/** Whether the binding is a single character without a modifier, which must not act while a person types. */
export function isSingleKey(binding: string): boolean {
  return !/\b(Mod|Alt)\b/.test(binding) && !/^F\d+$/.test(binding);
}

export interface ChordReader {
  /** Binding that the presses so far complete; undefined: none. */
  read(press: KeyPress, bindings: ReadonlySet<string>): string | undefined;
}

/**
 * Recognises single steps and two-step chords such as `g m`; the second step has to follow within a second.
 */
export function createChordReader(now: () => number): ChordReader {
  let first: { readonly step: string; readonly at: number } | undefined;
  return {
    read(press, bindings) {
      const step = stepOf(press);
      const began = first;
      first = undefined;
      if (began !== undefined && now() - began.at < 1000) {
        const chord = `${began.step} ${step}`;
        if (bindings.has(chord)) return chord;
      }
      const starts = [...bindings].some((binding) => binding.startsWith(`${step} `));
      if (starts) {
        first = { step, at: now() };
        return undefined;
      }
      return bindings.has(step) ? step : undefined;
    },
  };
}
