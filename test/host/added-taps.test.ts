// Taps that are added while a headless product runs.
import { expect, test } from 'vitest';
import { wholeProduct } from '../event-router/whole-product.ts';

test('taps that are added without ports get free ones each', async () => {
  const whole = await wholeProduct({ mode: 'headless' });
  try {
    const add = (appId: string) => whole.rpc('taps.add', { appId, appUrl: 'http://127.0.0.1:9' });
    const taps = [await add('first'), await add('second')];
    expect(new Set(taps.flatMap(({ appPort, sidecarPort }) => [appPort, sidecarPort])).size).toBe(4);
  } finally {
    await whole.stop();
  }
});
