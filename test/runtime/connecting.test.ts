/** Apps that were connected in a wrong way: each mistake is found, logged and reported, and nothing is delivered by guess. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { appBanners } from '../../core/host/app-banners.ts';
import type { MockApp } from '../../core/ports/mock-app.ts';
import type { NameMistake } from '../../core/ports/host-names.ts';
import type { SettingOrigin } from '../../core/contract/settings.ts';
import { nobodyListens } from '../../core/runtime/apps/connection-mistakes.ts';
import type { ComponentSpec } from '../../core/ports/component-source.ts';
import { component } from '../support/listed-components.ts';
import { openMockApp } from '../support/mock-app-parts.ts';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

const ORDERS = { topic: 'orders', route: '/orders' };
const HEALTH = { enabled: true, path: '/healthz', intervalMs: 1000, timeoutMs: 100, threshold: 3 };

const AGAIN = 'Sidelight asks again when the app restarts, or when you choose "Discover again".';

function said(stand: Stand): { readonly lines: readonly string[]; readonly banners: readonly string[] } {
  return {
    lines: stand.lines
      .filter(({ part, level }) => part === 'discovery' && level !== 'debug')
      .map(({ text }) => text),
    banners: appBanners(() => stand.runtime.topology.apps())().map(({ text }) => text),
  };
}

describe('another profile', () => {
  test.each([
    ['sidecar', 'dapr'],
    ['dapr', 'sidecar'],
  ] as const)(
    'asked as %s, an app that speaks %s is reported, and its answer is not used',
    async (own, other) => {
      const stand = await started({ profile: own }, (it) => {
        it.app.discoveryAnswers.push(404);
        it.app.otherProfile = { body: [{ pubsubname: 'pubsub', topic: 'orders', route: '/orders' }] };
      });
      const text = `The app speaks profile ${other}: it answers GET /${other}/subscribe and not /${own}/subscribe. Start with --profile ${other}. Until then it gets no messages.`;
      expect(said(stand)).toEqual({ lines: [text], banners: [text] });
      expect(stand.app.asked.map(({ path }) => path)).toEqual([`/${own}/subscribe`, `/${other}/subscribe`]);
      expect(stand.app.asked[1]?.headers).toMatchObject({ [`${other}-app-id`]: 'app' });
      await stand.publish('orders');
      await stand.pass(1000);
      expect(stand.app.calls).toEqual([]);
      expect(stand.runtime.topology.subscriptions()).toEqual([]);
    },
  );

  test.each([
    ['also 404', 404],
    ['a page for every path', { body: '<html>' }],
    ['a list of something else', { body: [{ name: 'x' }] }],
  ])('%s is reported as an app without subscriptions', async (_, otherProfile) => {
    const stand = await started({}, (it) => {
      it.app.discoveryAnswers.push(404);
      it.app.otherProfile = otherProfile;
    });
    const text =
      'The app declares no subscriptions: it answers 404 to GET http://app.test:6001/sidecar/subscribe, and the routes of other profiles give no list either. The app gets messages only by subscriptions in files.';
    expect(said(stand)).toEqual({ lines: [text], banners: [] });
    expect(stand.lines.find((line) => line.text === text)?.level).toBe('info');
  });

  test('the problem is removed when the app returns with the right profile', async () => {
    const stand = await started({}, (it) => {
      it.app.discoveryAnswers.push(404);
      it.app.otherProfile = { body: [] };
    });
    expect(said(stand).banners).toHaveLength(1);
    await stand.runtime.rediscovery.ask('app');
    expect(said(stand).banners).toEqual([]);
  });
});

describe('no program listens', () => {
  const text =
    'Nothing listens at http://app.test:6001, the address of the app: start the app, or check this address. Messages of all topics wait until it answers, because only it knows what it subscribes to.';

  test('is logged as a warning after 2 s and then each minute, and shown until one listens', async () => {
    const stand = await started({}, (it) => void (it.app.isOpen = false));
    await stand.pass(1900);
    expect(said(stand)).toEqual({ lines: [], banners: [] });
    await stand.pass(200);
    expect(said(stand)).toEqual({ lines: [text], banners: [text] });
    await stand.pass(59_000);
    expect(said(stand).lines).toHaveLength(1);
    await stand.pass(2000);
    const levels = (): readonly string[] =>
      stand.lines.filter((line) => line.text.startsWith('Nothing listens')).map(({ level }) => level);
    expect(levels()).toEqual(['warn', 'info']);
    stand.app.isOpen = true;
    await stand.pass(1000);
    expect(said(stand).banners).toEqual([]);
    stand.app.isOpen = false;
    await stand.pass(4000);
    expect(levels()).toEqual(['warn', 'info', 'warn']);
  });

  test('a name that no machine has is said, in the log, in the banner and with the app, until it leads somewhere', async () => {
    let mistake: NameMistake | undefined = 'unknown';
    const stand = await started(
      { hostNames: { mistakeOf: async (host) => (host === 'app.test' ? mistake : undefined) } },
      (it) => void (it.app.isOpen = false),
    );
    await stand.pass(3000);
    const unknown =
      'No machine has the name app.test, the machine in http://app.test:6001, the address of the app: check this address. Messages of all topics wait until it answers, because only it knows what it subscribes to.';
    expect(said(stand)).toEqual({ lines: [unknown], banners: [unknown] });
    const waits = (): string | undefined => stand.runtime.topology.apps()[0]?.discovery.error;
    expect(waits()).toBe('no machine has the name app.test');
    mistake = 'unanswered';
    await stand.pass(60_000);
    expect(said(stand).banners).toEqual([
      expect.stringMatching(/^The name app\.test could not be looked up, /),
    ]);
    mistake = undefined;
    await stand.pass(60_000);
    expect(said(stand).banners).toEqual([text]);
    expect(waits()).toBeUndefined();
  });

  test('the name that containers have for their machine is said to be theirs', async () => {
    const { app } = await started({}, (it) => void (it.app.isOpen = false));
    const { message } = await nobodyListens(
      {
        ...{ appId: 'app', discovered: false, isRestarting: false, notRunning: undefined, runsHere: false },
        ...{ listensAt: () => [], mock: undefined, added: false, addressFrom: '--app-url' },
        channel: Object.assign(app, { url: 'http://host.docker.internal:8080' }),
      },
      'default',
      'unknown',
    );
    expect(message).toMatch(
      /^No machine has the name host\.docker\.internal, .*: only containers have that name for their machine\. If Sidelight runs on that machine itself, use 127\.0\.0\.1 instead; if it runs in a container, start the container with --add-host=host\.docker\.internal:host-gateway\. /,
    );
  });

  test('a program that listens at another address of this machine is named', async () => {
    const stand = await started({}, (it) => {
      it.app.isOpen = false;
      it.app.beside = 'http://[::1]:6001';
    });
    await stand.pass(3000);
    const named =
      'Nothing listens at http://app.test:6001, the address of the app: a program listens at http://[::1]:6001; if that is the app, give this address. Messages of all topics wait until it answers, because only it knows what it subscribes to.';
    expect(said(stand)).toEqual({ lines: [named], banners: [named] });
  });

  test('says where the address was entered, if that was while Sidelight ran', async () => {
    const { app } = await started({}, (it) => void (it.app.isOpen = false));
    const at = {
      appId: 'app',
      channel: app,
      discovered: false,
      isRestarting: false,
      notRunning: undefined,
      runsHere: false,
      listensAt: () => [],
      addressFrom: undefined,
    };
    const absent = async (
      more: { readonly mock: MockApp | undefined; readonly added: boolean; readonly addressFrom?: string },
      setBy: SettingOrigin = 'default',
    ) => (await nobodyListens({ ...at, ...more }, setBy)).message;
    expect(await absent({ mock: undefined, added: false })).toBe(text);
    expect(await absent({ mock: undefined, added: false, addressFrom: '--app-port' })).toContain(
      ': start the app, or check this address, which --app-port gave. ',
    );
    const elsewhere = { ...at, runsHere: true, listensAt: () => [6002], addressFrom: '--app-port' };
    expect(
      (await nobodyListens({ ...elsewhere, mock: undefined, added: false }, 'default')).message,
    ).toContain(
      ', whose process runs and listens on port 6002: make it listen here, or check this address, which --app-port gave. ',
    );
    const mock = await openMockApp();
    onTestFinished(() => mock.close());
    const says: Readonly<Record<string, string>> = {
      here: 'change its address on the Apps screen, where this one was entered',
      flag: 'check this address, which --set app.address gave',
      file: 'change its address on the Apps screen; this one is in the --config file, under app.address',
    };
    for (const setBy of ['here', 'flag', 'file'] as const)
      expect(await absent({ mock, added: false }, setBy)).toContain(`: start the app, or ${says[setBy]}. `);
    expect(await absent({ mock: undefined, added: true })).toContain(
      ': start the app, or remove the app on the Apps screen and add it with another address. ',
    );
  });

  test('gives a process that was not started as the reason, and waits 2 s again for the next one', async () => {
    const stand = await started({}, (it) => void (it.app.isOpen = false));
    const notRunning = (why: string): string =>
      `Nothing listens at http://app.test:6001, the address of the app, whose process does not run: ${why}. Messages of all topics wait until it answers, because only it knows what it subscribes to.`;
    stand.runtime.processChanged('app', 'it waits for a: it is not started yet');
    await stand.pass(3000);
    const first = notRunning('it waits for a: it is not started yet');
    expect(said(stand)).toEqual({ lines: [first], banners: [first] });
    stand.runtime.processChanged('app', 'it waits for a: it ended with status 3');
    await stand.pass(200);
    const later = notRunning('it waits for a: it ended with status 3');
    expect(said(stand)).toEqual({ lines: [first], banners: [later] });
    stand.runtime.processChanged('app', undefined);
    await stand.pass(1900);
    expect(said(stand).banners).toEqual([]);
    await stand.pass(300);
    const running = text.replace(': start the app, or', ', whose process runs: wait until it listens, or');
    expect(said(stand)).toEqual({ lines: [first, running], banners: [running] });
  });

  test('names the deliveries that wait while the process of an app with known subscriptions does not run', async () => {
    const stand = await started({}, (it) => subscribe(it, ORDERS));
    await stand.runtime.restarting.begin('app');
    stand.app.isOpen = false;
    stand.runtime.processChanged('app', 'it ended with status 3');
    await stand.pass(3000);
    expect(said(stand).banners).toEqual([
      'Nothing listens at http://app.test:6001, the address of the app, whose process does not run: it ended with status 3. Deliveries to it wait until its process runs again.',
    ]);
  });

  const failing = text.replace(
    'Messages of all topics wait until it answers, because only it knows what it subscribes to.',
    'Deliveries to it fail, and are tried again as often as their retry policy allows.',
  );

  test('an answer that failed before adds no second banner while no program listens', async () => {
    const stand = await started({}, (it) => {
      subscribe(it, ORDERS);
      it.app.discoveryAnswers.push(500);
    });
    expect(said(stand).banners).toEqual([expect.stringMatching(/^Discovery of the app failed/)]);
    stand.app.isOpen = false;
    await stand.pass(3000);
    expect(said(stand).banners).toEqual([failing]);
  });

  test('is reported again when an app goes away, with the fate of its messages', async () => {
    const stand = await started({}, (it) => subscribe(it, ORDERS));
    stand.app.isOpen = false;
    await stand.pass(3000);
    expect(said(stand).banners).toEqual([failing]);
    await stand.publish('orders');
    expect(stand.app.calls).toHaveLength(1);
  });
});

describe('a list with subscriptions that cannot be used', () => {
  const mistake = 'Subscription 1 (orders): "pubsubName": did you mean "pubsubname"?';

  test('is reported in the log, in one banner and in the result of the discovery, until the next list has none', async () => {
    const stand = await started({}, (it) => {
      subscribe(it, ORDERS);
      const entries = [
        { pubsubName: 'pubsub', topic: 'orders', route: '/orders' },
        { pubsubname: 'pubsub', topic: 'paid', route: '/paid' },
        { pubsubname: 'pubsub', topic: 'sent' },
      ];
      it.app.discoveryAnswers.push({ body: entries }, { body: entries });
    });
    expect(said(stand)).toEqual({
      lines: [
        `app: ${mistake}`,
        'app: Subscription 3 (sent): no route, no rules and no default: nothing can be delivered.',
      ],
      banners: [
        `The subscription list of the app has 2 mistakes. One of them: ${mistake} Sidelight asks again when the app restarts, or when you choose "Discover again".`,
      ],
    });
    // Neither entry can be used, so neither is only a warning.
    expect(stand.logged('error')).toHaveLength(2);
    const discovery = () => stand.runtime.topology.apps()[0]?.discovery;
    expect(discovery()).toMatchObject({ state: 'done', count: 1, unused: 2 });
    expect(await stand.runtime.rediscovery.ask('app')).toMatchObject({ unused: 2 });
    expect(await stand.runtime.rediscovery.ask('app')).not.toHaveProperty('unused');
    expect(said(stand).banners).toEqual([]);
    expect(discovery()).not.toHaveProperty('unused');
  });
});

describe('an app without a list of subscriptions', () => {
  const LIST = ' Make the app answer there with a JSON array, or with 404 if it subscribes to nothing.';
  const meanwhile = `Sidelight asks again when the app restarts, or when you choose "Discover again". Until then it gets only the topics that files subscribe it to.`;

  test.each([
    ['a 500 with words', { status: 500, body: 'no database' }, 'The app answered 500: no database'],
    ['a redirect', 302, 'The app answered 302'],
    [
      'a page',
      { body: '<html>' },
      'The app answered with an HTML page, where an array of subscriptions is expected',
      LIST,
    ],
    [
      'a page with its words',
      { body: '\n<!DOCTYPE html><html><head><title>My\nshop</title>', contentType: 'text/html' },
      'The app answered with an HTML page that begins with "My shop", where an array of subscriptions is expected',
      LIST,
    ],
    [
      'a page about an error',
      { status: 500, body: '<!doctype html><title>Error</title><style>p { }</style><p>no database' },
      'The app answered 500: an HTML page that begins with "Error no database"',
    ],
    [
      'a text with its content type',
      { body: 'hello', contentType: 'text/plain; charset=utf-8' },
      'The app answered with text that is not JSON (content type text/plain), where an array of subscriptions is expected',
      LIST,
    ],
    [
      'an object',
      { body: {} },
      'The app answered with an object, where an array of subscriptions is expected',
      LIST,
    ],
  ] as const)(
    '%s is reported in the log and in a banner, until the app is asked again',
    async (_, answer, why, todo: string = '') => {
      const stand = await started({}, (it) => {
        subscribe(it, ORDERS);
        it.app.discoveryAnswers.push(answer);
      });
      const text = `Discovery of the app failed: ${why} (http://app.test:6001/sidecar/subscribe).${todo} ${meanwhile}`;
      expect(said(stand)).toEqual({ lines: [text], banners: [text] });
      await stand.runtime.rediscovery.ask('app');
      expect(said(stand).banners).toEqual([]);
    },
  );

  test('is reported with its earlier subscriptions if it had some', async () => {
    const stand = await started({}, (it) => subscribe(it, ORDERS));
    stand.app.discoveryAnswers.push(500);
    await stand.runtime.rediscovery.ask('app');
    expect(said(stand).banners).toEqual([expect.stringContaining('Its earlier subscriptions stay.')]);
  });

  test('is reported after 3 s without an answer, until it answers', async () => {
    const stand = await started({}, (it) => {
      subscribe(it, ORDERS);
      it.app.slowMs = 9000;
    });
    await stand.pass(2900);
    expect(said(stand)).toEqual({ lines: [], banners: [] });
    await stand.pass(200);
    const text =
      'The app has not answered http://app.test:6001/sidecar/subscribe for 3 s. Sidelight waits 10 s for its subscriptions, and messages wait meanwhile.';
    expect(said(stand)).toEqual({ lines: [text], banners: [text] });
    await stand.pass(6000);
    expect(said(stand).banners).toEqual([]);
    expect(stand.runtime.topology.subscriptions()).toMatchObject([{ topic: 'orders', state: 'active' }]);
  });

  test('is reported with what waits if the app was asked before', async () => {
    const stand = await started({}, (it) => subscribe(it, ORDERS));
    stand.app.slowMs = 9000;
    const asked = stand.runtime.rediscovery.ask('app');
    await stand.pass(3100);
    expect(said(stand).banners).toEqual([
      expect.stringContaining(
        'Sidelight waits 10 s for its subscriptions, and deliveries to it wait meanwhile.',
      ),
    ]);
    await stand.during(asked);
  });

  test('is reported with what waits if the app was asked before and gave no list', async () => {
    const stand = await started({}, (it) => {
      subscribe(it, ORDERS);
      it.app.discoveryAnswers.push(500);
    });
    stand.app.slowMs = 9000;
    const asked = stand.runtime.rediscovery.ask('app');
    await stand.pass(3100);
    expect(said(stand).banners).toEqual([
      expect.stringContaining('Sidelight waits 10 s for its subscriptions, and messages wait meanwhile.'),
    ]);
    await stand.during(asked);
  });

  test('is not reported for an address that refuses each call', async () => {
    const stand = await started({ random: () => 0.99 }, (it) => {
      subscribe(it, ORDERS);
      it.app.discoveryAnswers.push('refused', 'refused', 'refused', 'refused', 'refused');
    });
    await stand.pass(10_000);
    expect(said(stand).lines).toEqual([expect.stringContaining('Discovery of the app failed')]);
  });

  test('is not reported later if it answered quickly', async () => {
    const stand = await started({}, (it) => subscribe(it, ORDERS));
    await stand.pass(5000);
    expect(said(stand)).toEqual({ lines: ['The app reported its subscriptions: 1.'], banners: [] });
  });

  test('is reported with the path in its address if its routes are missing', async () => {
    const stand = await started({}, (it) => {
      it.app.url = 'http://app.test:6001/api';
      it.app.discoveryAnswers.push(404);
    });
    expect(said(stand).lines).toEqual([
      expect.stringContaining('Sidelight puts the path /api of its address before every route.'),
    ]);
  });
});

test('discovery of an app that does not pass its health check waits for that', async () => {
  const stand = await started({}, (it) => {
    subscribe(it, ORDERS);
    it.set('app.health', HEALTH);
    it.app.health = 404;
  });
  const text = 'The app is not healthy: its health check /healthz answers 404. Its messages wait.';
  await stand.pass(5000);
  expect(said(stand).banners).toEqual([text]);
  expect(stand.logged('warn').filter((line) => line === text)).toHaveLength(1);
  const discovery = () => stand.runtime.topology.apps()[0]?.discovery;
  expect(discovery()).toMatchObject({ state: 'waiting', error: 'its health check does not pass' });
  stand.app.health = 200;
  await stand.pass(1000);
  expect(said(stand).banners).toEqual([]);
  await stand.pass(1000);
  expect(discovery()).toMatchObject({ state: 'done' });
  expect(discovery()?.error).toBeUndefined();
});

describe('a missing component', () => {
  test('is reported once with its subscriptions and the loaded components', async () => {
    const stand = await started({}, (it) =>
      subscribe(
        it,
        ORDERS,
        { ...ORDERS, pubsubname: 'orderpubsub' },
        { ...ORDERS, pubsubname: 'orderpubsub', topic: 'news' },
      ),
    );
    const text =
      'The app subscribes to orders, news of orderpubsub, and no pub/sub component of that name is loaded for it (there is pubsub). The app gets nothing from it until --resources names a folder with orderpubsub, or the app names another component.';
    expect(said(stand).banners).toEqual([`${text} ${AGAIN}`]);
    await stand.runtime.rediscovery.ask('app');
    expect(stand.lines.filter((line) => line.text === text)).toMatchObject([{ level: 'warn' }]);
  });

  test('is answered with the one that was meant, until the corrected app is asked again', async () => {
    const stand = await started({}, (it) => subscribe(it, { ...ORDERS, pubsubname: 'pubsup' }));
    const shown = () => appBanners(() => stand.runtime.topology.apps())();
    expect(shown()).toMatchObject([
      {
        text: 'The app subscribes to orders of pubsup, and no pub/sub component of that name is loaded for it (there is pubsub); did you mean pubsub? The app gets nothing from it until --resources names a folder with pubsup, or the app names another component. Sidelight asks again when the app restarts, or when you choose "Discover again".',
        help: 'discovery',
      },
    ]);
    expect(stand.runtime.topology.subscriptions()[0]?.reason).toBe(
      'There is no pub/sub component pubsup that this app may use; did you mean pubsub?',
    );
    subscribe(stand, ORDERS);
    await stand.runtime.rediscovery.ask('app');
    expect(shown()).toEqual([]);
  });

  test('of a file is not mended by asking the app', async () => {
    const stand = await started({}, (it) => {
      it.components.subscriptions = [
        {
          apiVersion: 'sidecar.io/v2alpha1',
          kind: 'Subscription',
          metadata: { name: 'orders' },
          spec: { pubsubname: 'pubsup', topic: 'orders', routes: { default: '/orders' } },
        },
      ];
    });
    const [banner] = appBanners(() => stand.runtime.topology.apps())();
    expect(banner?.text).toContain('did you mean pubsub?');
    expect(banner).not.toHaveProperty('help');
  });
});

describe('a component of other apps', () => {
  const SHOP = { file: 'shop.yaml', line: 3, scopes: ['billing', 'mail'] };

  async function leftOut(more: Partial<ComponentSpec> = {}): Promise<Stand> {
    return started({}, (it) => {
      it.components.components = [
        component('shop', 'pubsub.in-memory', {}, { ...SHOP, ...more }),
        component('pubsub', 'pubsub.in-memory'),
      ];
      subscribe(it, { ...ORDERS, pubsubname: 'shop' });
    });
  }

  test('is named with its scopes, file and line, not as a name that is not loaded', async () => {
    const stand = await leftOut();
    expect(said(stand).banners).toEqual([
      `The app subscribes to orders of shop, which is only for billing and mail, by its scopes (shop.yaml, line 3). The app gets nothing from it until these scopes name it too, or the app names another component (there is pubsub). ${AGAIN}`,
    ]);
    const reason = 'Component shop is only for billing and mail, by its scopes (shop.yaml, line 3).';
    expect(stand.runtime.topology.subscriptions()).toMatchObject([{ state: 'inert', reason }]);
    const asked = { pubsubname: 'shop', topic: 'orders', event: {} };
    expect(await stand.runtime.topology.explain(asked)).toMatchObject([{ path: '/orders', unused: reason }]);
  });

  test('is named with the line of its scopes, where that is known', async () => {
    const stand = await leftOut({ scopesLine: 14 });
    expect(said(stand).banners).toEqual([expect.stringContaining('by its scopes (shop.yaml, line 14).')]);
  });

  test('is named with its new line after lines were inserted above it', async () => {
    const stand = await leftOut({ scopesLine: 14 });
    stand.components.components = [
      component('shop', 'pubsub.in-memory', {}, { ...SHOP, line: 5, scopesLine: 16 }),
      component('pubsub', 'pubsub.in-memory'),
    ];
    await stand.runtime.resources.reload();
    expect(said(stand).banners).toEqual([expect.stringContaining('by its scopes (shop.yaml, line 16).')]);
    expect(stand.runtime.topology.components()).toMatchObject([{ line: 5, scopesLine: 16 }, {}]);
  });

  test('that is in the folder of those apps has no scopes to change', async () => {
    const limitedBy = { folderApps: ['mail'], fileScopes: [] };
    const stand = await leftOut({ limitedBy, scopes: ['mail'], scopesLine: 14 });
    expect(said(stand).banners).toEqual([
      `The app subscribes to orders of shop, which is only for mail, in whose folder it is (shop.yaml, line 3). The app gets nothing from it until its own folder has shop, or the app names another component (there is pubsub). ${AGAIN}`,
    ]);
  });

  test('that has namesakes elsewhere is named with each place, and what each place lacks', async () => {
    const stand = await started({}, (it) => {
      it.components.components = [
        component('shop', 'pubsub.in-memory', {}, { ...SHOP, file: 'one/shop.yaml', scopes: ['billing'] }),
        component(
          'shop',
          'pubsub.in-memory',
          {},
          {
            ...SHOP,
            file: 'two/shop.yaml',
            line: 7,
            scopes: ['mail'],
            limitedBy: { folderApps: ['mail'], fileScopes: [] },
          },
        ),
        component('pubsub', 'pubsub.in-memory'),
      ];
      subscribe(it, { ...ORDERS, pubsubname: 'shop' });
    });
    expect(said(stand).banners).toEqual([
      `The app subscribes to orders of shop, which is only for billing, by its scopes (one/shop.yaml, line 3), elsewhere only for mail, in whose folder it is (two/shop.yaml, line 7). The app gets nothing from it until these scopes name it too or its own folder has shop, or the app names another component (there is pubsub). ${AGAIN}`,
    ]);
  });

  test('is not why a subscription to a component of no app is not used', async () => {
    const stand = await started({}, (it) => {
      it.components.components = [component('pubsub', 'pubsub.in-memory')];
      subscribe(it, { ...ORDERS, pubsubname: 'shop' });
    });
    const [row] = stand.runtime.topology.subscriptions();
    expect(row?.reason).toBe('There is no pub/sub component shop that this app may use.');
  });
});

describe('another scheme', () => {
  test.each([
    ['http', 'grpc', 'HTTP/2 only, as gRPC apps do'],
    ['http', 'h2c', 'HTTP/2 without TLS, and not gRPC'],
    ['h2c', 'http', 'HTTP/1 without TLS'],
    ['http', 'https', 'HTTP/1 over TLS'],
    ['https', 'grpcs', 'HTTP/2 over TLS only, as gRPC apps do'],
    ['grpc', 'http', 'HTTP/1 without TLS'],
  ] as const)('an app at %s:// that speaks %s is named, with the address', async (own, spoken, what) => {
    const stand = await started({}, (it) => {
      it.app.url = `${own}://app.test:6001`;
      it.app.discoveryAnswers.push('reset', 'reset', 'reset', 'reset', 'reset');
      it.app.spoken = spoken;
    });
    const text = `The app at ${own}://app.test:6001 speaks ${what}: give its address as ${spoken}://app.test:6001. With --app-port of sidelight run, give --app-protocol ${spoken}.`;
    expect(said(stand)).toEqual({ lines: [text], banners: [text] });
    await stand.pass(10_000);
    expect(said(stand)).toEqual({ lines: [text], banners: [text] });
  });

  test.each([
    [
      'http',
      'some-http2',
      'HTTP/2 only: give its address as grpc://app.test:6001 if it is a gRPC app, else as h2c://app.test:6001. With --app-port of sidelight run, give --app-protocol grpc or h2c.',
    ],
    [
      'https',
      'some-http2-tls',
      'HTTP/2 over TLS only: give its address as grpcs://app.test:6001 if it is a gRPC app, else make it speak HTTP/1.1 over TLS too. With --app-port of sidelight run, give --app-protocol grpcs.',
    ],
    [
      'https',
      'http2-tls',
      'HTTP/2 over TLS only, and not gRPC, which neither Sidelight nor the reference calls: make it speak HTTP/1.1 over TLS too, or HTTP/2 without TLS, and give its address as h2c://app.test:6001.',
    ],
  ] as const)('an app at %s:// that speaks %s is told each way that may help', async (own, spoken, what) => {
    const stand = await started({}, (it) => {
      it.app.url = `${own}://app.test:6001`;
      it.app.discoveryAnswers.push('reset', 'reset', 'reset', 'reset', 'reset');
      it.app.spoken = spoken;
    });
    expect(said(stand).banners).toEqual([`The app at ${own}://app.test:6001 speaks ${what}`]);
  });

  test('an app that answers a gRPC call in plain HTTP is asked what it speaks', async () => {
    const stand = await started({}, (it) => {
      it.app.url = 'grpc://app.test:6001';
      it.app.protocol = 'grpc';
      it.app.isForeign = true;
      it.app.spoken = 'h2c';
    });
    expect(said(stand).banners).toEqual([
      'The app at grpc://app.test:6001 speaks HTTP/2 without TLS, and not gRPC: give its address as h2c://app.test:6001. With --app-port of sidelight run, give --app-protocol h2c.',
    ]);
  });

  test('of a gRPC app that answers the call with its own type is named, with the address', async () => {
    const stand = await started({}, (it) => {
      it.app.url = 'h2c://app.test:6001';
      it.app.discoveryAnswers.push({ body: '', contentType: 'application/grpc' });
      it.app.spoken = 'grpc';
    });
    expect(said(stand).banners).toEqual([
      'The app at h2c://app.test:6001 speaks HTTP/2 only, as gRPC apps do: give its address as grpc://app.test:6001. With --app-port of sidelight run, give --app-protocol grpc.',
    ]);
  });

  test('is looked for after three calls in a row that broke', async () => {
    const stand = await started({}, (it) => subscribe(it, ORDERS));
    stand.app.next.push('reset', 'reset', 200, 'reset', 'reset');
    for (let n = 0; n < 3; n += 1) {
      await stand.publish('orders');
      await stand.pass(20_000);
    }
    expect(stand.app.asked).toHaveLength(1);
    stand.app.answerWith = () => 'reset';
    await stand.publish('orders');
    await stand.pass(20_000);
    expect(stand.app.asked).toHaveLength(2);
  });

  test('is named after a restart that nobody saw, until the app is back as it was', async () => {
    const stand = await started({}, (it) => subscribe(it, ORDERS));
    stand.app.discoveryAnswers.push('foreign', 'foreign', 'foreign', 'foreign', 'foreign');
    Object.assign(stand.app, { spoken: 'h2c', answerWith: () => 'foreign' });
    await stand.publish('orders');
    await stand.pass(10_000);
    const text =
      'The app at http://app.test:6001 speaks HTTP/2 without TLS, and not gRPC: give its address as h2c://app.test:6001. With --app-port of sidelight run, give --app-protocol h2c.';
    expect(said(stand).banners).toEqual([text]);
    expect(said(stand).lines.filter((line) => line === text)).toHaveLength(1);
    expect(stand.app.asked).toHaveLength(2);
    stand.app.discoveryAnswers.length = 0;
    Object.assign(stand.app, { spoken: undefined, answerWith: () => 200 });
    await stand.publish('orders');
    await stand.pass(10_000);
    expect(said(stand).banners).toEqual([]);
    expect(stand.app.asked).toHaveLength(3);
  });

  test('is no longer named once a health check is answered in the protocol of the address', async () => {
    const stand = await started({}, (it) => {
      subscribe(it, ORDERS);
      Object.assign(it.app, { spoken: 'h2c', health: 'foreign' });
      it.app.discoveryAnswers.push('foreign', 'foreign', 'foreign', 'foreign', 'foreign');
    });
    await stand.pass(10_000);
    stand.set('app.health', HEALTH);
    const named = expect.stringMatching(/speaks HTTP\/2 without TLS, and not gRPC: /);
    expect(said(stand).banners).toContainEqual(named);
    stand.app.discoveryAnswers.length = 0;
    Object.assign(stand.app, { spoken: undefined, health: 200 });
    await stand.pass(10_000);
    expect(said(stand).banners).toEqual([]);
    stand.app.asked.length = 0;
    await stand.pass(2000);
    expect(stand.app.asked.map(({ path }) => path)).toEqual(['/healthz', '/healthz']);
  });

  test('is looked for once a minute where an app breaks its own protocol', async () => {
    const stand = await started({}, (it) => {
      subscribe(it, ORDERS);
      it.app.answerWith = () => 'foreign';
    });
    for (let n = 0; n < 5; n += 1) {
      await stand.publish('orders');
      await stand.pass(5_000);
    }
    expect(stand.app.asked).toHaveLength(2);
    expect(said(stand).banners).toEqual([]);
  });

  test('is not blamed if an app that hangs up speaks the scheme of its address', async () => {
    const stand = await started({}, (it) => {
      it.app.discoveryAnswers.push('reset', 'reset', 'reset', 'reset', 'reset');
      it.app.spoken = 'http';
    });
    await stand.pass(10_000);
    expect(said(stand).banners).toEqual([expect.stringMatching(/^Discovery of the app failed: No answer: /)]);
  });
});

test('an app without an address counts as known, is not asked, and keeps nothing waiting', async () => {
  const stand = await started({}, (it) => void (it.app.url = ''));
  const id = await stand.publish('orders');
  expect(await stand.message(id)).toMatchObject({ deliveries: [] });
  expect((await stand.message(id)).stage).toBeUndefined();
  expect(stand.app.asked).toEqual([]);
  const [row] = stand.runtime.topology.apps();
  expect(row).toMatchObject({ channel: 'none', healthy: true, problems: [] });
  expect(row).not.toHaveProperty('app');
});
