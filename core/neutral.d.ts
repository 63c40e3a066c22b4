/** The few globals that every JavaScript host has and the ES2023 library lacks, for rooms that know neither Node nor a browser. */

interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

interface AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}
declare const AbortController: { new (): AbortController };

interface TextDecoder {
  decode(bytes?: Uint8Array): string;
}
declare const TextDecoder: {
  new (label?: string, options?: { readonly fatal?: boolean; readonly ignoreBOM?: boolean }): TextDecoder;
};

interface TextEncoder {
  encode(text?: string): Uint8Array<ArrayBuffer>;
}
declare const TextEncoder: { new (): TextEncoder };

interface URLSearchParams {
  get(name: string): string | null;
  forEach(visit: (value: string, name: string) => void): void;
}

interface URL {
  readonly href: string;
  readonly origin: string;
  readonly protocol: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly pathname: string;
  readonly search: string;
  readonly searchParams: URLSearchParams;
  readonly username: string;
  readonly password: string;
}
declare const URL: {
  new (url: string, base?: string | URL): URL;
  canParse(url: string, base?: string): boolean;
};

interface String {
  isWellFormed(): boolean;
  toWellFormed(): string;
}
