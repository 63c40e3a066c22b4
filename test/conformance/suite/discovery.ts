/** Waiting for the sidecar to be ready, and spoiling discovery. */
import type { Context } from './case.ts';
import type { Spoil } from './spoiler.ts';

/** Resolves once healthz is 204. */
export const ready = async (context: Context): Promise<void> => {
  await context.poll(
    async () => context.sidecar.send('/v1.0/healthz'),
    (answer) => answer.status === 204,
    'healthz 204',
  );
};

/** Discovery is answered in the app's stead. */
export const discoverySays = (status: number): Spoil => ({
  name: `the sidecar hears ${status} from discovery`,
  answered: (said, delivery) => (delivery.method === 'GET' ? { status } : said),
});
/** Every discovery request seems to come twice. */
export const asksTwice: Spoil = {
  name: 'the sidecar seems to ask twice',
  delivered: (delivery) => (delivery.method === 'GET' ? [delivery, delivery] : [delivery]),
};
