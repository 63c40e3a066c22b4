/** Numbers and sizes as the command line of the reference reads them. */

/** A sign, a prefix of the base or none, and digits with an underscore between two of them at most. */
const WHOLE = /^([+-]?)(0x|0b|0o|0(?=[\d_]))?(_?[\da-f]+(?:_[\da-f]+)*)$/i;
const BASES: Readonly<Record<string, number>> = { '0x': 16, '0b': 2, '0o': 8, '0': 8 };
const DIGITS: Readonly<Record<number, RegExp>> = {
  2: /^[01]+$/,
  8: /^[0-7]+$/,
  10: /^\d+$/,
  16: /^[\da-f]+$/i,
};

/** A whole number such as `8080`, `+80`, `0x1F90`, `010` (eight) or `1_000`; undefined: it is none. */
export function wholeNumber(text: string): number | undefined {
  const [, sign = '', prefix = '', digits = ''] = WHOLE.exec(text) ?? [];
  // An underscore may follow a prefix, but not begin a number.
  if (prefix === '' && digits.startsWith('_')) return undefined;
  const base = BASES[prefix.toLowerCase()] ?? 10;
  const plain = digits.replaceAll('_', '');
  if (DIGITS[base]?.test(plain) !== true) return undefined;
  const number = Number.parseInt(plain, base);
  return sign === '-' ? -number : number;
}

const SIZE = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:([a-z]*)|e([+-]?\d+))$/i;
const UNITS: Readonly<Record<string, number>> = {
  ...{ n: 1e-9, u: 1e-6, m: 1e-3, '': 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18 },
  ...{ Ki: 1024, Mi: 1024 ** 2, Gi: 1024 ** 3, Ti: 1024 ** 4, Pi: 1024 ** 5, Ei: 1024 ** 6 },
};

/** Bytes of a size such as `10Mi`, `1.5G` or `1e6`, rounded up; undefined: it is none. */
export function sizeInBytes(text: string): number | undefined {
  const [, number = '', unit = '', exponent] = SIZE.exec(text) ?? [];
  const factor = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined;
  if (number === '' || factor === undefined) return undefined;
  const given = exponent === undefined ? Number(number) * factor : Number(`${number}e${exponent}`);
  const bytes = given < 0 ? Math.floor(given) : Math.ceil(given);
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(bytes, Number.MAX_SAFE_INTEGER));
}
