/** The form of the event router: it has every member, and gives back what it was given. */
import { describe, expect, test } from 'vitest';
import { ENDPOINT_DEFAULTS, EVENT_ROUTER_DEFAULTS } from '../../core/contract/event-router/settings.ts';
import { isObject } from '../../core/contract/is-object.ts';
import { checkSetting } from '../../core/host/setting-table.ts';
import { ROUTER_TEXTS } from '../../renderer/copy/settings-router.ts';
import {
  readRouter,
  ROUTER_FIELDS,
  routerMistakes,
  routerTexts,
} from '../../renderer/views/settings/router-fields.ts';

const WITH_ENDPOINTS = { ...EVENT_ROUTER_DEFAULTS, endpoints: ENDPOINT_DEFAULTS };

/** Paths of all members; one that is a record of names is a member itself. */
function pathsOf(value: unknown, before = ''): readonly string[] {
  if (!isObject(value) || before === 'listen.topicPorts.') return [before.slice(0, -1)];
  return Object.entries(value).flatMap(([name, each]) => pathsOf(each, `${before}${name}.`));
}

/** The setting after these fields were edited. */
function edited(change: Readonly<Record<string, string>>, value: unknown = EVENT_ROUTER_DEFAULTS): unknown {
  return readRouter({ ...routerTexts(value), ...change }, value);
}

test('every member of the setting has one field, with texts', () => {
  const paths = ROUTER_FIELDS.map(({ path }) => path);
  expect(paths.toSorted()).toEqual(pathsOf(WITH_ENDPOINTS).toSorted());
  expect(Object.keys(ROUTER_TEXTS).toSorted()).toEqual(paths.toSorted());
});

const WORDS = ROUTER_FIELDS.flatMap(({ path }) =>
  Object.keys(ROUTER_TEXTS[path]?.words ?? {}).map((word) => [path, word] as const),
);

test.each(WORDS)('the host takes for %s the word "%s"', (path, word) => {
  expect(checkSetting('eventRouter', edited({ [path]: word }, WITH_ENDPOINTS))).toMatchObject({ ok: true });
});

describe('a setting', () => {
  const rules = [
    { host: 'a.example', path: '/hooks', upstream: 'http://127.0.0.1:80', rewrite: null },
    { host: 'b.example', path: '/', upstream: 'http://127.0.0.1:81', rewrite: '/in' },
  ];
  const value = {
    ...WITH_ENDPOINTS,
    ingress: { ...EVENT_ROUTER_DEFAULTS.ingress, rules },
    listen: { ...EVENT_ROUTER_DEFAULTS.listen, topicPorts: { orders: 7501 } },
    audiences: ['one', 'two'],
    ofALaterVersion: { n: 1 },
  };

  test('that is not edited stays as it is, also a member without a field', () => {
    expect(edited({}, value)).toEqual(value);
  });

  test('has what was edited in it, and nothing else changes', () => {
    const change = {
      'delivery.jitter': '0.5',
      'limits.maxRequestBytes': '4 MiB',
      'delivery.deadLetterDelay': '5 min',
      'ingress.rules': 'c.example /x http://127.0.0.1:82 /y\n\n d.example / http://127.0.0.1:83 ',
      'listen.topicPorts': 'orders = 7502\nrefunds=7503',
      callerCheck: '',
      requireRole: 'true',
      namespace: ' Cloud.EventRouter ',
      audiences: ' three \n',
    };
    expect(edited(change, value)).toEqual({
      ...value,
      delivery: { ...value.delivery, jitter: 0.5, deadLetterDelay: 300 },
      limits: { ...value.limits, maxRequestBytes: 4_194_304 },
      ingress: {
        ...value.ingress,
        rules: [
          { host: 'c.example', path: '/x', upstream: 'http://127.0.0.1:82', rewrite: '/y' },
          { host: 'd.example', path: '/', upstream: 'http://127.0.0.1:83', rewrite: null },
        ],
      },
      listen: { ...value.listen, topicPorts: { orders: 7502, refunds: 7503 } },
      callerCheck: null,
      requireRole: true,
      namespace: 'Cloud.EventRouter',
      audiences: ['three'],
    });
  });

  test('has no addresses if all are empty, and leaves a single empty one to its default', () => {
    const empty = Object.fromEntries(Object.keys(ENDPOINT_DEFAULTS).map((name) => [`endpoints.${name}`, '']));
    expect(edited(empty, value)).toMatchObject({ endpoints: null });
    const one = edited({ 'endpoints.authority': 'https://a.example' });
    expect(one).toMatchObject({ endpoints: { authority: 'https://a.example' } });
    expect(checkSetting('eventRouter', one)).toMatchObject({
      value: { endpoints: { ...ENDPOINT_DEFAULTS, authority: 'https://a.example' } },
    });
  });
});

test('a mistake counts empty lines too, and a topic has one port', () => {
  const texts = {
    ...routerTexts(EVENT_ROUTER_DEFAULTS),
    'ingress.rules': 'a.example / http://127.0.0.1:80\n\nb.example',
    'listen.topicPorts': 'orders = 7501\n\norders=7502',
  };
  const mistakes = routerMistakes(texts, EVENT_ROUTER_DEFAULTS);
  expect(mistakes.get('ingress.rules')).toMatch(/^Line 3: /);
  expect(mistakes.get('listen.topicPorts')).toBe('Line 3: this topic has a port in line 1.');
});

test('an external router needs a cloud, or an address', () => {
  const external = { ...routerTexts(EVENT_ROUTER_DEFAULTS), mode: 'external' };
  const mistakesOf = (texts: Readonly<Record<string, string>>): readonly string[] => [
    ...routerMistakes({ ...external, ...texts }, EVENT_ROUTER_DEFAULTS).keys(),
  ];
  expect(mistakesOf({})).toEqual(['cloud']);
  expect(mistakesOf({ cloud: 'public' })).toEqual([]);
  expect(mistakesOf({ 'endpoints.authority': 'https://a.example' })).toEqual([]);
});

test('a text that cannot be read has its mistake, with its line', () => {
  const texts = {
    ...routerTexts(EVENT_ROUTER_DEFAULTS),
    'delivery.jitter': 'much',
    'ingress.rules': 'a.example / http://127.0.0.1:80\nb.example',
    'listen.topicPorts': 'orders',
  };
  expect([...routerMistakes(texts, EVENT_ROUTER_DEFAULTS)]).toEqual([
    ['listen.topicPorts', 'Line 1: write it as topic = port.'],
    [
      'ingress.rules',
      'Line 2: write a host, a path that begins with /, and an address, separated by spaces.',
    ],
    ['delivery.jitter', 'Not a number.'],
  ]);
});
