/** What the methods on the mock app, components, subscriptions, apps, settings and the system take. */
import {
  Array as List,
  Boolean as Bool,
  Integer,
  Literal,
  Null,
  Optional,
  String as Text,
  Union,
  Unknown,
} from 'typebox';
import { id, name, none, params, responseRule, wireSubscription } from './shapes.ts';

const app = params({ appId: Optional(name) });
/** A file name; the component source refuses one that leads out of its folder. */
const file = Text({ minLength: 1, maxLength: 1000 });
const document = params({ file, text: Text() });

export const SETUP = {
  'system.describe': none,
  'system.link': none,
  'system.revoke': none,
  'mockApp.get': app,
  'mockApp.setSubscriptions': params({
    appId: Optional(name),
    subscriptions: List(wireSubscription, { maxItems: 10_000 }),
  }),
  'mockApp.setRules': params({ appId: Optional(name), rules: List(responseRule, { maxItems: 1000 }) }),
  'mockApp.presets': app,
  'mockApp.usePreset': params({ appId: Optional(name), preset: id }),
  'mockApp.savePreset': params({
    title: Text({ minLength: 1, maxLength: 200 }),
    rules: List(responseRule, { maxItems: 500 }),
    preset: Optional(id),
  }),
  'mockApp.removePreset': params({ preset: id }),
  'mockApp.resetCounters': app,
  'mockApp.turn': params({ appId: Optional(name), on: Bool() }),
  'mockApp.waiting': app,
  'topics.list': none,
  'subscriptions.list': none,
  'subscriptions.discover': app,
  'components.list': none,
  'components.validate': document,
  'components.save': document,
  'components.read': params({ file }),
  'components.reveal': params({ file }),
  'components.reload': none,
  'apps.list': none,
  'apps.add': params({
    appId: name,
    url: Optional(Text({ maxLength: 2000 })),
    sidecarPort: Optional(Integer({ minimum: 0, maximum: 65_535 })),
  }),
  'apps.remove': params({ appId: name }),
  'routes.explain': params({
    appId: Optional(name),
    pubsubname: Text(),
    topic: Text(),
    event: Unknown(),
  }),
  'verdict.explain': params({
    kind: Union([Literal('single'), Literal('bulk')]),
    status: Integer({ minimum: 100, maximum: 599 }),
    body: Optional(Text()),
    entryId: Optional(Text()),
  }),
  'health.get': app,
  'health.call': params({ appId: Optional(name), probe: Union([Literal('healthz'), Literal('outbound')]) }),
  'health.simulate': params({ appId: Optional(name), healthy: Union([Bool(), Null()]) }),
  'settings.get': none,
  'settings.set': params({ key: name, value: Unknown() }),
  'samples.add': none,
  'samples.remove': none,
};
