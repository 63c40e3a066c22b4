/** Problems of a tap in the log: an app and a sidecar that have just been started are not missed at once. */
import { expect, test } from 'vitest';
import { Problems } from '../../core/tap/problems.ts';

const OPTIONS = {
  appId: 'shop',
  app: { host: '127.0.0.1', port: 1, protocol: 'http' },
  sidecar: { host: '127.0.0.1', port: 2 },
  appPort: 0,
  sidecarPort: 0,
  apiToken: '',
} as const;

function problems(): { readonly at: Problems; readonly lines: string[] } {
  const lines: string[] = [];
  const log = { write: (level: string, _part: string, text: string) => void lines.push(`${level} ${text}`) };
  return { at: new Problems(OPTIONS, { log, changed: () => undefined }), lines };
}

test('a side that answers within the first seconds is no warning', () => {
  const { at, lines } = problems();
  at.reached('app', false, 'Nothing answers.');
  expect(at.texts).toEqual(['Nothing answers.']);
  at.reached('app', true, undefined);
  at.endStart();
  expect(lines).toEqual(['info App shop at http://127.0.0.1:1 answers.']);
  at.reached('app', false, 'Nothing answers any more.');
  expect(lines.at(-1)).toBe('warn Nothing answers any more.');
});

test('a side that has not answered after the first seconds is a warning, and so is every other problem at once', () => {
  const { at, lines } = problems();
  at.reached('app', false, 'Nothing answers.');
  at.reached('sidecar', true, 'The calls come back.');
  at.set('listen', 'The port is taken.');
  expect(lines).toEqual(['warn The calls come back.', 'warn The port is taken.']);
  at.endStart();
  expect(lines.slice(2)).toEqual(['warn Nothing answers.']);
  at.endStart();
  at.reached('grpc', false, 'Nobody is there.');
  expect(lines.slice(3)).toEqual(['warn Nobody is there.']);
});
