/** Measures the page: main thread, long tasks, bytes on the wire, heap. */
import type { CDPSession, Page } from 'playwright';

export interface Spent {
  readonly seconds: number;
  /** Share of one core that the main thread was busy. */
  readonly busy: number;
  readonly longTasks: readonly number[];
  readonly wireBytes: number;
}

export class Meter {
  readonly #page: Page;
  readonly #cdp: CDPSession;
  #wireBytes = 0;

  private constructor(page: Page, cdp: CDPSession) {
    this.#page = page;
    this.#cdp = cdp;
  }

  static async on(page: Page): Promise<Meter> {
    const cdp = await page.context().newCDPSession(page);
    const meter = new Meter(page, cdp);
    await cdp.send('Performance.enable');
    await cdp.send('Network.enable');
    cdp.on('Network.webSocketFrameReceived', ({ response }) => {
      meter.#wireBytes += response.payloadData.length;
    });
    await page.addInitScript(() => {
      const tasks: number[] = [];
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) tasks.push(duration);
      }).observe({ type: 'longtask' });
      Object.assign(window, { longTasks: tasks });
    });
    return meter;
  }

  /** Runs `work` and says what it cost. */
  async during(work: () => Promise<void>): Promise<Spent> {
    await this.#page.evaluate(() => Reflect.get(window, 'longTasks').splice(0));
    const [before, bytes, from] = [await this.#taskSeconds(), this.#wireBytes, performance.now()];
    await work();
    const seconds = (performance.now() - from) / 1000;
    const longTasks = await this.#page.evaluate((): number[] => [...Reflect.get(window, 'longTasks')]);
    const busy = ((await this.#taskSeconds()) - before) / seconds;
    return { seconds, busy, longTasks, wireBytes: this.#wireBytes - bytes };
  }

  /** Heap after a collection, in MB. */
  async heapMb(): Promise<number> {
    await this.#cdp.send('HeapProfiler.collectGarbage');
    return (await this.#metric('JSHeapUsedSize')) / 1024 / 1024;
  }

  #taskSeconds(): Promise<number> {
    return this.#metric('TaskDuration');
  }

  async #metric(name: string): Promise<number> {
    const { metrics } = await this.#cdp.send('Performance.getMetrics');
    return metrics.find((metric) => metric.name === name)?.value ?? 0;
  }
}
