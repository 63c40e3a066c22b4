/** Scenario files with every kind of step, app and restart, run twice: they pass, fail and print alike. */
import { expect, test } from 'vitest';
import { FAILS, folderOfFiles } from './scenario-folder.ts';

const LIMIT_MS = 300_000;

test(
  'acts, restarts, gRPC and several apps pass, a failed file has its story, and equal runs print equal texts',
  async () => {
    const { folder, file, run } = folderOfFiles();
    file(
      'acts',
      `settings: { delivery.retry: { maxAttempts: 1 } }
mock:
  - { match: { topic: asks }, answer: { kind: ask } }
  - { match: { topic: fails }, times: 1, answer: { kind: respond, status: 500 } }
steps:
  - hold: { filter: topic:holds }
  - publish: { topic: holds, data: { n: 1 } }
  - publish: { topic: holds, data: { n: 2 } }
  - expect: topic:holds
    state: held
    count: 2
  - edit: topic:holds data.n:1
    changes: { data: { n: 5 } }
  - drop: topic:holds data.n:2
  - expect: topic:holds
    state: processed
  - expect: topic:holds
    state: dropped
  - hold: { filter: topic:held, at: publish }
  - publish: { topic: held, data: text }
  - release: topic:held
  - expect: topic:held
    state: processed
  - publish: { topic: asks, data: 1 }
  - answer: topic:asks
    with: { kind: respond, status: 200, body: { status: DROP } }
  - expect: topic:asks
    state: dropped
  - publish: { topic: fails, data: 1 }
  - expect: topic:fails
    state: parked
  - retry: topic:fails
  - expect: topic:fails
    state: processed
    attempts: 2
  - publishBulk: { topic: bulk, entries: [{ event: { n: 1 } }, { event: { n: 2 } }] }
  - expect: topic:bulk is:bulk
    state: processed
    count: 2
  - never: topic:bulk state:parked
    for: 0s
  - settle: 5s
`,
    );
    file(
      'restarts',
      `appProtocol: grpc
apps: { second: mock }
mock:
  - { match: { topic: orders }, answer: { kind: respond, status: 503 } }
settings: { delivery.retry: { maxAttempts: 0, firstDelayMs: 60000 } }
steps:
  - publishGrpc: { topic: orders, data: { n: 1 }, appId: second }
  - expect: topic:orders protocol:grpc
    state: retrying
  - restart: graceful
  - restart: kill
  - expect: topic:orders data.n:1 app:second
    state: retrying
  - drop: topic:orders
  - settle:
`,
    );
    file(
      'own-app',
      `app:
  run:
    - node
    - -e
    - |
      require('node:http').createServer((request, response) => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(request.method === 'GET'
          ? [{ pubsubname: 'pubsub', topic: 'orders', routes: { default: '/orders' } }]
          : { status: 'SUCCESS' }));
      }).listen(Number(process.env.APP_PORT) === Number(process.argv[1]) ? process.argv[1] : 1, '127.0.0.1');
    - '{appPort}'
steps:
  - publish: { topic: orders, data: 1 }
  - expect: topic:orders route:/orders
    state: processed
    within: 20s
`,
    );
    file(
      'ends',
      `app: { run: [node, -e, "console.log('no luck'); process.exit(3)"] }\nsteps:\n  - publish: { topic: orders, data: 1 }\n  - expect: topic:orders\n    state: processed\n    within: 10s\n`,
    );
    file('fails', FAILS);
    const [first, second] = [await run([folder]), await run([folder])];
    expect(first.out).toBe(`ok   acts (FOLDER/acts.scenario.yaml)
FAIL ends (FOLDER/ends.scenario.yaml)
       ok   publish to orders
       FAIL expect 1 message processed: topic:orders
              1 message processed: it can no longer come; 0 of 1 matching
              message 1 on orders: waits until app has reported its subscriptions
       the app ended with 3
       no luck
       open it: sidelight test --keep FOLDER/ends.scenario.yaml
FAIL is dropped (FOLDER/fails.scenario.yaml)
       ok   publish to orders
       FAIL expect 1 message processed: topic:orders
              1 message processed: it can no longer come; 0 of 1 matching
              message 1 on orders
                to app at /orders: dropped after 1 attempt
                  Accepted for the app. (queued by policy.accepted)
                  attempt 1: The app answered 404: dropped. An error was logged. (dropped by single.404)
       -    settle
       open it: sidelight test --keep FOLDER/fails.scenario.yaml
ok   own-app (FOLDER/own-app.scenario.yaml)
ok   restarts (FOLDER/restarts.scenario.yaml)
5 files: 3 passed, 2 failed
`);
    expect(first.status).toBe(1);
    expect(second).toEqual(first);
  },
  LIMIT_MS,
);
