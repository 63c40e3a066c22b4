/** A router in a process of its own, for tests that kill it: prints its address, then runs until it is killed. */
import { LOCAL_ROUTER_DEFAULTS } from '../../core/local-router/options.ts';
import { createLocalRouter } from '../../core/local-router/local-router.ts';
import { randomIds, systemRandom } from '../../core/adapters/random-ids.ts';
import { systemClock } from '../../core/adapters/system-clock.ts';

const [, , folder = '', subscriber = ''] = process.argv;
const router = await createLocalRouter({
  settings: {
    ...LOCAL_ROUTER_DEFAULTS,
    listen: {
      router: 'localhost:0',
      ingress: 'localhost:0',
      topicPorts: {},
      soft: { router: true, ingress: true },
    },
    handshakeRetryMs: 5,
  },
  profile: 'sidecar',
  folder,
  clock: systemClock(),
  random: systemRandom(),
  ids: randomIds(),
  log: { write: () => undefined },
});
await router.start();
await router.adopt({
  component: 'orders',
  topicEndpoint: `${router.addresses().router}/topics/orders/api/events`,
  accessKey: Buffer.alloc(32, 'k').toString('base64'),
});
if (subscriber !== '') {
  await router.ingress.ensureRule(new URL(`${router.addresses().ingress}/api/events`), new URL(subscriber));
}
process.stdout.write(JSON.stringify({ ...router.addresses(), ca: router.certificates.caPem() }));
