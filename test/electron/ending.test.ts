// Closing the window: the question when something would be lost, the order of the end, and its limits.
import * as electron from 'electron';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { endInOrder } from '../../electron/ending.ts';
import { app, asked, askedFor, forget, newestWindow, world } from './stand-in.ts';

interface Product {
  durable: boolean;
  open: number;
  stop: () => Promise<void>;
}

let product: Product;
let told: string[];
let end: () => void;

beforeEach(() => {
  forget();
  told = [];
  product = {
    durable: false,
    open: 0,
    stop: async () => void asked.push({ what: 'product.stop', with: [] }),
  };
  const window = new electron.BrowserWindow({});
  end = endInOrder({
    product: {
      get durable() {
        return product.durable;
      },
      held: () => product.open,
      stop: () => product.stop(),
    },
    window,
    leave: () => void asked.push({ what: 'leave', with: [] }),
    complain: (text) => told.push(text),
  });
  asked.length = 0;
});

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};
const steps = (): string[] => asked.map(({ what }) => what);
const IN_ORDER = ['leave', 'window.hide', 'product.stop', 'window.destroy', 'app.quit'];

describe('with nothing to lose', () => {
  test.each([
    ['closing the window', () => newestWindow().close()],
    ['a request from outside', () => end()],
  ])('%s stops everything gracefully, without a question', async (_name, act) => {
    act();
    await turns();
    expect(steps()).toEqual(IN_ORDER);
  });

  test('quitting the application is held back until the product has stopped', async () => {
    app.quit();
    await turns();
    expect(steps()).toEqual(['app.quit prevented', ...IN_ORDER]);
  });

  test('deliveries on disk are no loss', async () => {
    Object.assign(product, { durable: true, open: 3 });
    newestWindow().close();
    await turns();
    expect(steps()).toEqual(IN_ORDER);
  });
});

describe('with deliveries that are held or parked', () => {
  beforeEach(() => {
    product.open = 2;
  });

  test('the question names the kind and number of deliveries that are lost', async () => {
    newestWindow().close();
    await turns();
    expect(askedFor('dialog.showMessageBox')).toEqual([
      [
        expect.objectContaining({
          message: '2 deliveries are held or parked.',
          detail: expect.stringContaining('History is not kept'),
          defaultId: 1,
          cancelId: 1,
        }),
      ],
    ]);
  });

  test('the question has the singular for one delivery', async () => {
    product.open = 1;
    newestWindow().close();
    await turns();
    expect(askedFor('dialog.showMessageBox')[0]?.[0]).toMatchObject({
      message: 'One delivery is held or parked.',
    });
  });

  test('a no leaves everything running, and the next close asks again', async () => {
    newestWindow().close();
    await turns();
    expect(steps()).toEqual(['dialog.showMessageBox']);
    newestWindow().close();
    await turns();
    expect(steps()).toEqual(['dialog.showMessageBox', 'dialog.showMessageBox']);
  });

  test('a yes stops everything gracefully', async () => {
    world.answers = [0];
    newestWindow().close();
    await turns();
    expect(steps()).toEqual(['dialog.showMessageBox', ...IN_ORDER]);
  });

  test('several closes ask one question', async () => {
    world.answers = [0];
    for (let n = 0; n < 5; n += 1) newestWindow().close();
    app.quit();
    await turns();
    expect(askedFor('dialog.showMessageBox')).toHaveLength(1);
    expect(askedFor('product.stop')).toHaveLength(1);
  });

  test('a request from outside stops everything without a question', async () => {
    end();
    await turns();
    expect(steps()).toEqual(IN_ORDER);
  });

  test('a signal ends the product despite an open question', async () => {
    world.answers = [0];
    newestWindow().close();
    end();
    await turns();
    expect(askedFor('product.stop')).toHaveLength(1);
    expect(askedFor('app.quit')).toHaveLength(1);
  });
});

describe('when something goes wrong', () => {
  test('a product that fails to stop is logged, and the process ends with 1', async () => {
    product.stop = () => Promise.reject(new Error('the disk is full'));
    end();
    await turns();
    expect(told).toEqual(['did not stop cleanly: the disk is full']);
    expect(askedFor('app.exit')).toEqual([[1]]);
  });

  test('a product that hangs is left behind after its limit', async () => {
    vi.useFakeTimers();
    try {
      product.stop = () => new Promise(() => undefined);
      end();
      await vi.advanceTimersByTimeAsync(9_999);
      expect(askedFor('app.exit')).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      expect(askedFor('app.exit')).toEqual([[1]]);
      expect(told).toEqual(['did not stop within 10 s']);
    } finally {
      vi.useRealTimers();
    }
  });

  test('a window place that cannot be stored does not keep the product from stopping', async () => {
    forget();
    const window = new electron.BrowserWindow({});
    asked.length = 0;
    const stopNow = endInOrder({
      product: { durable: true, held: () => 0, stop: product.stop },
      window,
      leave: () => {
        throw new Error('read-only');
      },
      complain: (text) => told.push(text),
    });
    stopNow();
    await turns();
    expect(told).toEqual(['Sidelight could not save the position of the window: read-only']);
    expect(steps()).toEqual(IN_ORDER.slice(1));
  });
});
