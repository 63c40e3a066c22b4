/** `mockApp.*` and `samples.*`: what the mock app answers, and the sample traffic. */
import type { ResponseRule } from '../../contract/mock-app.ts';
import type { MockApp } from '../../ports/mock-app.ts';
import { wholeRule } from '../../domain/given-rule.ts';
import { Refusal } from '../../domain/refusal.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import type { MOCK_APP } from '../../contract/methods/mock-app.ts';
import type { MethodsOf } from '../caller.ts';
import { beginPiece, nextPiece } from '../pieces.ts';
import { whole } from './dependencies.ts';
import type { MethodDependencies } from './dependencies.ts';

export function mockAppMethods(deps: MethodDependencies): MethodsOf<typeof MOCK_APP> {
  const { presets, runtime, samples } = deps;
  /** Throws Refusal NOT_FOUND for an app that is not there or is a real one. */
  const mock = (appId: string | undefined): MockApp => {
    const found = deps.mockApp(appId);
    if (found !== undefined) return found;
    const reason = appId === undefined ? 'No app is a mock app.' : `There is no mock app ${appId}.`;
    throw new Refusal('NOT_FOUND', { reason }, { field: 'appId', expected: 'id of an app with a mock' });
  };
  return {
    'mockApp.get': ({ appId }) => mock(appId).state(),
    'mockApp.setSubscriptions': async ({ appId, subscriptions }) => {
      const app = mock(appId);
      app.setSubscriptions(subscriptions);
      const { problems, discovery, unused } = await runtime.rediscovery.ask(app.appId);
      return { ...app.state(), problems, discovery, ...withoutUndefined({ unused }) };
    },
    'mockApp.setRules': async ({ appId, rules }) => {
      const app = mock(appId);
      await setInTurns(app, rules.map(wholeRule));
      return app.state();
    },
    'mockApp.presets': async ({ appId }) => whole([...mock(appId).presets(), ...(await presets.list())]),
    'mockApp.usePreset': async ({ appId, preset }) => {
      const app = mock(appId);
      const own = await presets.find(preset);
      if (own === undefined) app.usePreset(preset);
      else await setInTurns(app, own.rules);
      return app.state();
    },
    'mockApp.savePreset': (params) => presets.save(params),
    'mockApp.removePreset': ({ preset }) => presets.remove(preset),
    'mockApp.resetCounters': ({ appId }) => {
      const app = mock(appId);
      app.resetCounters();
      return app.state();
    },
    'mockApp.turn': async ({ appId, on }) => {
      const app = mock(appId);
      await app.turn(on);
      return app.state();
    },
    'mockApp.waiting': ({ appId }) => {
      if (appId !== undefined) mock(appId);
      return whole(runtime.runningCalls.waiting(appId));
    },
    'samples.add': () => samples.add(),
    'samples.remove': () => samples.remove(),
  };
}

/** Sets rules. To check large ones, to set them and to answer with them takes a tenth of a second each, so other work goes on in between. */
async function setInTurns(app: MockApp, rules: readonly ResponseRule[]): Promise<void> {
  beginPiece();
  app.checkRules(rules);
  await nextPiece();
  app.setRules(rules);
  await nextPiece();
}
