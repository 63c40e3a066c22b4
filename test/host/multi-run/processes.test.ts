/** When each process of a run is started, started again and ended, by a clock that a test moves. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { STARTS_PER_TURN } from '../../../core/host/multi-run/processes.ts';
import { ProcessStand, anApp } from './process-stand.ts';

const PORT = { url: 'http://127.0.0.1:1' };

describe('the start', () => {
  test('apps without dependencies start in the order of the file', async () => {
    const stand = new ProcessStand([anApp('a', PORT), anApp('b')]);
    stand.processes.begin();
    await stand.pass(0);
    expect(stand.story).toEqual(['start a', 'start b']);
    expect(stand.of('a').state).toBe('starting');
    expect(stand.of('b').state).toBe('running');
    await stand.answer('a');
    expect(stand.of('a')).toMatchObject({ state: 'running', pid: 1 });
  });

  test('a way of thousands of apps is looked at, and ended in order', async () => {
    const count = 3000;
    const apps = Array.from({ length: count }, (_, i) =>
      anApp(`c${i}`, i + 1 === count ? PORT : { dependsOn: [{ appId: `c${i + 1}`, condition: 'healthy' }] }),
    );
    const stand = new ProcessStand(apps);
    stand.processes.begin();
    await stand.pass(0);
    expect(stand.of('c0').reason).toMatch(/^it waits for c1, which waits for c2, .* waits for c2999: /);
    await stand.processes.stopAll();
    expect(stand.of('c0').state).toBe('exited');
  });

  test('a few processes start in each turn of the event loop', async () => {
    const apps = Array.from({ length: 20 }, (_, i) => anApp(`a${i}`));
    const stand = new ProcessStand(apps);
    stand.processes.begin();
    let before = 0;
    while (before < apps.length) {
      const started = stand.story.length - before;
      expect(started).toBeLessThanOrEqual(STARTS_PER_TURN);
      before += started;
      await setImmediate();
    }
    expect(stand.story).toEqual(apps.map(({ appId }) => `start ${appId}`));
  });

  test('an end that is requested while processes start leaves the rest unstarted', async () => {
    const stand = new ProcessStand(Array.from({ length: 20 }, (_, i) => anApp(`a${i}`)));
    stand.processes.begin();
    await stand.processes.stopAll();
    await stand.pass(100);
    expect(stand.story.filter((line) => line.startsWith('start'))).toHaveLength(STARTS_PER_TURN);
  });

  test('R44: a dependant waits, says for what, and starts when the other one is healthy', async () => {
    const stand = new ProcessStand([
      anApp('b', { dependsOn: [{ appId: 'a', condition: 'healthy' }] }),
      anApp('a', PORT),
    ]);
    stand.processes.begin();
    await stand.pass(100);
    expect(stand.story).toEqual(['start a']);
    expect(stand.of('b')).toMatchObject({
      state: 'waiting',
      reason: 'it waits for a: the application channel: no answer yet',
    });
    await stand.answer('a');
    expect(stand.of('b').state).toBe('running');
  });

  test('an app does not start once the app that it waits for has ended, also while others are started', async () => {
    const dependsOn = [{ appId: 'a', condition: 'healthy' as const }];
    const many = Array.from({ length: 3 * STARTS_PER_TURN }, (_, i) => anApp(`b${i}`, { dependsOn }));
    const stand = new ProcessStand([anApp('a', PORT), ...many]);
    stand.processes.begin();
    await stand.pass(0);
    const answered = stand.answer('a');
    while (stand.story.length === 1) await setImmediate();
    stand.close('a');
    stand.child('a').end(0);
    await answered;
    await stand.pass(100);
    expect(stand.story.filter((line) => line.startsWith('start b'))).toHaveLength(STARTS_PER_TURN);
    expect(stand.of('b11').reason).toBe('it waits for a: it ended with status 0');
  });

  test('R46: an app starts after a started one if the file says so', async () => {
    const stand = new ProcessStand([
      anApp('a', PORT),
      anApp('b', { dependsOn: [{ appId: 'a', condition: 'started' }] }),
    ]);
    stand.processes.begin();
    await stand.pass(0);
    expect(stand.story).toEqual(['start a', 'start b']);
  });

  test('an app that many wait for is asked once for its health at each look', async () => {
    const dependsOn = [{ appId: 'a', condition: 'healthy' as const }];
    const many = Array.from({ length: 12 }, (_, i) => anApp(`b${i}`, { dependsOn }));
    const stand = new ProcessStand([anApp('a', PORT), ...many]);
    stand.processes.begin();
    await stand.pass(0);
    expect(stand.asked).toEqual(['a']);
    await stand.pass(100);
    expect(stand.asked).toEqual(['a', 'a']);
    await stand.answer('a');
    expect(stand.processes.all.map(({ state }) => state)).toEqual(['running', ...many.map(() => 'running')]);
  });

  test('a long way to the app that is missing is told with its beginning and its end', async () => {
    const chain = Array.from({ length: 10 }, (_, i) =>
      anApp(`c${i}`, i === 9 ? {} : { dependsOn: [{ appId: `c${i + 1}`, condition: 'started' }] }),
    );
    const stand = new ProcessStand(chain, ['c9']);
    stand.processes.begin();
    await stand.pass(200);
    expect(stand.of('c0').reason).toBe(
      'it waits for c1, which waits for c2, which waits for c3, which waits for 5 more apps, the last of which waits for c9: there is no such program',
    );
    expect(stand.of('c6').reason).toBe(
      'it waits for c7, which waits for c8, which waits for c9: there is no such program',
    );
  });

  test('an app that was never started, because the one before it ended before it was ready, is named at the end', async () => {
    const dependsOn = [{ appId: 'a', condition: 'healthy' as const }];
    const stand = new ProcessStand([anApp('a', PORT), anApp('b', { dependsOn })]);
    stand.processes.begin();
    await stand.pass(0);
    await stand.end('a', 0);
    await stand.pass(100);
    expect(stand.processes).toMatchObject({ isOver: true, hasFailed: true });
    await stand.processes.stopAll();
    expect(stand.story.at(-1)).toBe('b was not started: it waits for a: it ended with status 0');
  });

  test('R47: the dependant of one that failed waits for ever, and the run is over with a failure', async () => {
    const stand = new ProcessStand([
      anApp('a', PORT),
      anApp('b', { dependsOn: [{ appId: 'a', condition: 'healthy' }] }),
    ]);
    stand.processes.begin();
    await stand.pass(0);
    await stand.end('a', 3);
    await stand.pass(1000);
    expect(stand.of('b')).toMatchObject({
      state: 'waiting',
      reason: 'it waits for a: it ended with status 3',
    });
    expect(stand.processes).toMatchObject({ isOver: true, hasFailed: true });
    expect(stand.story.filter((line) => line.startsWith('b '))).toEqual([
      'b waits for a: it ended with status 3',
    ]);
    await stand.processes.stopAll();
    expect(stand.story.at(-1)).toBe('b was not started: it waits for a: it ended with status 3');
  });

  test('every app behind one that failed is named at the end with what failed', async () => {
    const waits = (...appIds: readonly string[]) => ({
      dependsOn: appIds.map((appId) => ({ appId, condition: 'healthy' as const })),
    });
    const stand = new ProcessStand([
      anApp('late', PORT),
      anApp('a', PORT),
      anApp('b', waits('late', 'a')),
      anApp('c', waits('b')),
      anApp('own', waits('late')),
    ]);
    stand.processes.begin();
    await stand.pass(0);
    await stand.end('a', 3);
    await stand.pass(100);
    const reason = 'it waits for b, which waits for a: it ended with status 3';
    expect(stand.of('c')).toMatchObject({ state: 'waiting', reason });
    await stand.processes.stopAll();
    expect(stand.story.filter((line) => line.includes('was not started'))).toEqual([
      'b was not started: it waits for a: it ended with status 3',
      `c was not started: ${reason}`,
    ]);
  });

  test('the reason of a waiting app says that the other one ended or starts again', async () => {
    const stand = new ProcessStand([
      anApp('a', { ...PORT, restart: 'on-failure' }),
      anApp('b', { dependsOn: [{ appId: 'a', condition: 'healthy' }] }),
    ]);
    stand.processes.begin();
    await stand.pass(0);
    await stand.end('a', 1);
    await stand.pass(100);
    expect(stand.of('b').reason).toBe('it waits for a: it ended with status 1 and starts again in 500ms');
  });

  test('thirty apps that each wait for all before them are checked quickly', async () => {
    const all = Array.from({ length: 30 }, (_, i) =>
      anApp(`app-${i}`, {
        ...PORT,
        dependsOn: Array.from({ length: i }, (_unused, j) => ({ appId: `app-${j}`, condition: 'healthy' })),
      }),
    );
    const stand = new ProcessStand(all);
    stand.processes.begin();
    await stand.pass(100);
    expect(stand.of('app-29').reason).toBe('it waits for app-0: the application channel: no answer yet');
    expect(stand.processes.isOver).toBe(false);
  });

  test.for(['renew', 'restart'] as const)(
    'a run that ends while an app restarts (%s) starts nothing more',
    async (way) => {
      const stand = new ProcessStand([anApp('a', PORT)]);
      stand.processes.begin();
      await stand.answer('a');
      const child = stand.child('a');
      child.isObedient = false;
      const again = stand.processes[way](stand.of('a'));
      await stand.pass(0);
      const stopped = stand.processes.stopAll();
      await stand.end('a', 0);
      await stand.pass(100);
      await Promise.all([again, stopped]);
      await stand.processes.start(stand.of('a'));
      await stand.processes.restart(stand.of('a'));
      expect(stand.story.filter((line) => line.startsWith('start'))).toEqual(['start a']);
      expect(stand.of('a')).toMatchObject({ state: 'exited', restarts: 0 });
    },
  );

  test('a stop during a restart ends the app', async () => {
    const stand = new ProcessStand([anApp('a', PORT)]);
    stand.processes.begin();
    await stand.answer('a');
    stand.child('a').isObedient = false;
    const again = stand.processes.restart(stand.of('a'));
    const stopped = stand.processes.stop(stand.of('a'));
    await stand.end('a', 0);
    await stand.pass(100);
    await Promise.all([again, stopped]);
    expect(stand.of('a')).toMatchObject({ state: 'exited', isStopped: true });
  });

  test('a start during a stop starts the app', async () => {
    const stand = new ProcessStand([anApp('a', PORT)]);
    stand.processes.begin();
    await stand.answer('a');
    stand.child('a').isObedient = false;
    const stopped = stand.processes.stop(stand.of('a'));
    const started = stand.processes.start(stand.of('a'));
    await stand.end('a', 0);
    await stand.pass(100);
    await Promise.all([stopped, started]);
    expect(stand.of('a')).toMatchObject({ state: 'starting', isStopped: false, restarts: 0, pid: 2 });
  });

  test('child processes of an ended process are killed before the app is started again', async () => {
    const stand = new ProcessStand([anApp('a', PORT)]);
    stand.processes.begin();
    await stand.answer('a');
    const first = stand.child('a');
    first.leavesChildren = true;
    await stand.end('a', 0);
    await stand.processes.start(stand.of('a'));
    expect(first.signals).toEqual(['SIGKILL']);
    expect(stand.of('a')).toMatchObject({ state: 'starting', pid: 2 });
  });

  test('an app that a person starts after a stop is found, also if its command had ended before the stop', async () => {
    const stand = new ProcessStand([anApp('a', PORT)]);
    stand.processes.begin();
    await stand.answer('a');
    stand.child('a').leavesChildren = true;
    await stand.end('a', 0);
    const stopped = stand.processes.stop(stand.of('a'));
    await stand.pass(100);
    await stopped;
    expect(stand.child('a').signals).toEqual(['SIGTERM']);
    expect([...stand.awaited]).toEqual(['a']);
  });

  test('R64: a run that ends while one waits starts nothing more, and nothing has failed', async () => {
    const stand = new ProcessStand([
      anApp('a', PORT),
      anApp('b', { dependsOn: [{ appId: 'a', condition: 'healthy' }] }),
    ]);
    stand.processes.begin();
    await stand.pass(0);
    expect(stand.processes.hasFailed).toBe(false);
    const stopped = stand.processes.stopAll();
    await stand.answer('a');
    await stand.pass(100);
    await stopped;
    expect(stand.story.filter((line) => line.startsWith('start'))).toEqual(['start a']);
    expect(stand.of('b').state).toBe('exited');
  });

  test('R33: a missing program has failed, with the reason', async () => {
    const stand = new ProcessStand([anApp('a')], ['a']);
    stand.processes.begin();
    await stand.pass(0);
    expect(stand.of('a')).toMatchObject({
      state: 'failed',
      isBroken: true,
      reason: 'there is no such program',
    });
    expect(stand.story).toContain('a could not be started: there is no such program');
  });
});

describe('the end', () => {
  test('R40, R41: the run is over when all have ended, and one that failed is not forgotten', async () => {
    const stand = new ProcessStand([anApp('a'), anApp('b')]);
    stand.processes.begin();
    await stand.pass(0);
    await stand.end('a', 0);
    expect(stand.processes).toMatchObject({ isOver: false, hasFailed: false });
    await stand.end('b', 2);
    expect(stand.processes).toMatchObject({ isOver: true, hasFailed: true });
    expect(stand.of('b')).toMatchObject({ state: 'failed', exitCode: 2, reason: 'it ended with status 2' });
  });

  test('R32: an app without a command has no process, and the run continues', async () => {
    const stand = new ProcessStand([anApp('a'), anApp('own', { command: [] })]);
    stand.processes.begin();
    await stand.pass(0);
    await stand.end('a', 0);
    expect(stand.processes.isOver).toBe(false);
    expect(stand.processes.find('own')).toBeUndefined();
  });

  test('dependants end before what they depend on', async () => {
    const stand = new ProcessStand([
      anApp('a'),
      anApp('b', { dependsOn: [{ appId: 'a', condition: 'started' }] }),
      anApp('c'),
    ]);
    stand.processes.begin();
    await stand.pass(100);
    const { signals } = stand.child('a');
    stand.child('b').isObedient = false;
    const stopped = stand.processes.stopAll();
    await stand.pass(1000);
    expect(stand.child('b').signals).toEqual(['SIGTERM']);
    expect(stand.child('c').signals).toEqual(['SIGTERM']);
    expect(signals).toEqual([]);
    stand.child('b').end(0);
    await stand.pass(100);
    await stopped;
    expect(signals).toEqual(['SIGTERM']);
    expect(stand.processes.hasFailed).toBe(false);
  });

  test('R37: a process that does not end is killed after five seconds', async () => {
    const stand = new ProcessStand([anApp('a')]);
    stand.processes.begin();
    await stand.pass(0);
    stand.child('a').isObedient = false;
    const stopped = stand.processes.stopAll();
    await stand.pass(4900);
    expect(stand.child('a').signals).toEqual(['SIGTERM']);
    expect(stand.story).toContain('a is slow to end, and is killed in 4s');
    await stand.pass(200);
    await stopped;
    expect(stand.child('a').signals).toEqual(['SIGTERM', 'SIGKILL']);
  });

  test('R39: an immediate end kills all processes', async () => {
    const stand = new ProcessStand([anApp('a'), anApp('b')]);
    stand.processes.begin();
    await stand.pass(0);
    stand.processes.killAll();
    expect([stand.child('a').signals, stand.child('b').signals]).toEqual([['SIGKILL'], ['SIGKILL']]);
  });
});

describe('starting again', () => {
  const AGAIN = { restart: 'on-failure', ...PORT } as const;

  test('R42: a failed app starts again after half a second and then twice as long, its deliveries wait, and a good end ends the restarts', async () => {
    const stand = new ProcessStand([anApp('a', AGAIN)]);
    stand.processes.begin();
    await stand.pass(0);
    for (const [i, delayMs] of [500, 1000, 2000].entries()) {
      await stand.end('a', 1);
      expect(stand.of('a')).toMatchObject({
        state: 'waiting',
        reason: `it ended with status 1 and starts again in ${['500ms', '1s', '2s'][i]}`,
      });
      expect(stand.story.at(-1)).toBe('a ended with status 1');
      expect(stand.story).toContain('leave a');
      await stand.pass(delayMs - 25);
      expect(stand.of('a').restarts).toBe(i);
      await stand.pass(25);
      expect(stand.of('a')).toMatchObject({ restarts: i + 1, state: 'starting' });
    }
    await stand.end('a', 0);
    await stand.pass(60_000);
    expect(stand.of('a')).toMatchObject({ state: 'exited', restarts: 3, exitCode: 0 });
  });

  test('the pause before a restart has a limit, and is short again after a minute of running', async () => {
    const stand = new ProcessStand([anApp('a', AGAIN)]);
    stand.processes.begin();
    await stand.pass(0);
    for (let i = 0; i < 8; i += 1) {
      await stand.end('a', 1);
      stand.clock.advance(30_000);
      await stand.pass(0);
    }
    await stand.end('a', 1);
    expect(stand.of('a').reason).toContain('starts again in 30s');
    stand.clock.advance(30_000);
    await stand.pass(0);
    stand.clock.advance(60_000);
    await stand.end('a', 1);
    expect(stand.of('a').reason).toContain('starts again in 500ms');
  });

  test('a person can end an app that waits for its restart', async () => {
    const stand = new ProcessStand([anApp('a', AGAIN)]);
    stand.processes.begin();
    await stand.pass(0);
    await stand.end('a', 1);
    await stand.processes.stop(stand.of('a'));
    await stand.pass(10_000);
    expect(stand.of('a')).toMatchObject({ state: 'exited', restarts: 0 });
  });

  test('an app that waits for its restart is stopped with the processes that its command left', async () => {
    const stand = new ProcessStand([anApp('a', AGAIN)]);
    stand.processes.begin();
    await stand.pass(0);
    const child = stand.child('a');
    child.leavesChildren = true;
    await stand.end('a', 1);
    const stopped = stand.processes.stop(stand.of('a'));
    await stand.pass(10_000);
    await stopped;
    expect(child.signals).toEqual(['SIGTERM']);
    expect(stand.of('a')).toMatchObject({
      state: 'exited',
      reason: 'it was stopped while it waited',
      restarts: 0,
    });
  });

  test('a restart by a person ends the old process first, and its deliveries wait from before that', async () => {
    const stand = new ProcessStand([anApp('a', PORT)]);
    stand.processes.begin();
    await stand.answer('a');
    const again = stand.processes.restart(stand.of('a'));
    await stand.pass(100);
    await again;
    expect(stand.story.slice(1)).toEqual([
      'leave a',
      'leave a',
      'a ended with status 143, because a person restarted it',
      'start a',
      'a was restarted',
    ]);
    expect(stand.of('a')).toMatchObject({ state: 'starting', restarts: 1, pid: 2 });
  });

  test('a run does not end when a person ends its last process', async () => {
    const stand = new ProcessStand([anApp('a')]);
    stand.processes.begin();
    await stand.pass(0);
    const overs: boolean[] = [];
    stand.processes.onChange(() => overs.push(stand.processes.isOver));
    const again = stand.processes.restart(stand.of('a'));
    await stand.pass(100);
    await again;
    const stopped = stand.processes.stop(stand.of('a'));
    await stand.pass(100);
    await stopped;
    expect(new Set(overs)).toEqual(new Set([false]));
    await stand.processes.start(stand.of('a'));
    await stand.pass(0);
    await stand.end('a', 0);
    expect(stand.processes.isOver).toBe(true);
  });

  test('changed files restart an app, unless a person ended it or it still waits for its start', async () => {
    const stand = new ProcessStand([
      anApp('a', PORT),
      anApp('b', { dependsOn: [{ appId: 'a', condition: 'healthy' }] }),
    ]);
    stand.processes.begin();
    await stand.pass(0);
    stand.processes.renew(stand.of('b'));
    stand.processes.renew(stand.of('a'));
    await stand.pass(100);
    expect(stand.of('b').state).toBe('waiting');
    expect(stand.of('a')).toMatchObject({ state: 'starting', restarts: 1 });
    await stand.end('a', 1);
    stand.processes.renew(stand.of('a'));
    await stand.pass(100);
    expect(stand.of('a')).toMatchObject({ state: 'starting', restarts: 2 });
    const stopped = stand.processes.stop(stand.of('a'));
    await stand.pass(100);
    await stopped;
    stand.processes.renew(stand.of('a'));
    await stand.pass(100);
    expect(stand.of('a').restarts).toBe(2);
  });
});
