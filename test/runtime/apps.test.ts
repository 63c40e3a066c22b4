/** The list of apps, which join and leave while other parts go through it. */
import { expect, test } from 'vitest';
import { createHttpAppChannel } from '../../core/adapters/http-app-channel/channel.ts';
import { newApp } from '../../core/runtime/state/app.ts';
import type { App } from '../../core/runtime/state/app.ts';
import { Apps } from '../../core/runtime/state/apps.ts';

function appOf(appId: string): App {
  return newApp({ appId, channel: createHttpAppChannel({ url: 'http://127.0.0.1:1' }) }, '/subscribe');
}

test('an app that leaves while others go through the list moves none of them', () => {
  const [first, second, third] = [appOf('first'), appOf('second'), appOf('third')];
  const apps = new Apps([first, second]);
  const seen: string[] = [];
  for (const { appId } of apps.all) {
    seen.push(appId);
    apps.remove(first);
    if (apps.find('third') === undefined) apps.add(third);
  }
  expect(seen).toEqual(['first', 'second']);
  expect(apps.all).toEqual([second, third]);
  expect([apps.find('first'), apps.find('second')]).toEqual([undefined, second]);
});
