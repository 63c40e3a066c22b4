/** Calls that the app received, and waits for more. */

export interface Delivery {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  readonly text: string;
  /** Milliseconds, never going back. */
  readonly atMs: number;
  /** The body as a JSON object; throws when it is none. */
  json(): Readonly<Record<string, unknown>>;
}

export interface DeliveryLog {
  add(delivery: Delivery): void;
  /** Calls to this path so far, oldest first. */
  at(path: string): readonly Delivery[];
  /** Every request so far, oldest first. */
  all(): readonly Delivery[];
  /** Resolves with what came to `path` once `enough` holds; rejects after `timeoutMs`, saying what was seen. */
  until(
    path: string,
    enough: (seen: readonly Delivery[]) => boolean,
    wanted: string,
    timeoutMs: number,
  ): Promise<readonly Delivery[]>;
}

/** An empty log. */
export function createDeliveryLog(): DeliveryLog {
  const byPath = new Map<string, Delivery[]>();
  const everything: Delivery[] = [];
  const waiting = new Set<() => void>();
  const at = (path: string): readonly Delivery[] => byPath.get(path) ?? [];
  return {
    at,
    all: () => everything,
    add: (delivery) => {
      everything.push(delivery);
      const seen = byPath.get(delivery.path);
      if (seen === undefined) byPath.set(delivery.path, [delivery]);
      else seen.push(delivery);
      for (const look of waiting) look();
    },
    until: async (path, enough, wanted, timeoutMs) =>
      new Promise((resolve, reject) => {
        const end = (): void => {
          waiting.delete(look);
          clearTimeout(timer);
        };
        const look = (): void => {
          const seen = at(path);
          try {
            if (!enough(seen)) return;
          } catch (error) {
            // The condition cannot read what came: that is the case's failure, not that of who delivered it.
            end();
            reject(error instanceof Error ? error : new Error(String(error)));
            return;
          }
          end();
          resolve(seen);
        };
        const timer = setTimeout(() => {
          end();
          reject(
            new Error(`${wanted} at ${path} did not come within ${timeoutMs} ms; seen: ${shown(at(path))}`),
          );
        }, timeoutMs);
        waiting.add(look);
        look();
      }),
  };
}

function shown(seen: readonly Delivery[]): string {
  if (seen.length === 0) return 'nothing';
  const last = seen.slice(-3).map((one) => `${one.method} ${one.text.slice(0, 120)}`);
  return `${seen.length}, the last: ${last.join(' | ')}`;
}
