/** The environment of a command that `sidelight run` starts: exactly the table, and nothing stale from the shell. */
import { expect, test } from 'vitest';
import { runEnvironment } from '../../core/host/run-environment.ts';

const APP = {
  appId: 'shop',
  sidecar: 'http://127.0.0.1:3510',
  app: 'https://127.0.0.2:6002',
  protocol: 'http',
  mock: false,
} as const;
/** Variables of a shell from another run, in both spellings. */
const STALE = {
  APP_PORT: '1',
  APP_PROTOCOL: 'grpc',
  DAPR_HTTP_PORT: '1',
  DAPR_HTTP_ENDPOINT: 'http://elsewhere',
  DAPR_GRPC_PORT: '1',
  DAPR_GRPC_ENDPOINT: 'elsewhere',
  DAPR_METRICS_PORT: '1',
  DAPR_API_TOKEN: 'of another run',
  SIDECAR_HTTP_ENDPOINT: 'http://elsewhere',
  SIDECAR_GRPC_PORT: '1',
};

test('the names of the reference are set in every profile, beside those of the profile', () => {
  const env = { PATH: '/bin', ...STALE, SIDECAR_API_TOKEN: 'secret', APP_API_TOKEN: 'of-app' };
  expect(runEnvironment({ apps: [APP] }, { profile: 'sidecar', env })).toEqual({
    PATH: '/bin',
    PYTHONUNBUFFERED: '1',
    APP_ID: 'shop',
    APP_PORT: '6002',
    APP_PROTOCOL: 'https',
    APP_CHANNEL_ADDRESS: '127.0.0.2',
    APP_API_TOKEN: 'of-app',
    DAPR_HTTP_PORT: '3510',
    DAPR_HTTP_ENDPOINT: 'http://127.0.0.1:3510',
    DAPR_API_TOKEN: 'secret',
    SIDECAR_HTTP_PORT: '3510',
    SIDECAR_HTTP_ENDPOINT: 'http://127.0.0.1:3510',
    SIDECAR_API_TOKEN: 'secret',
  });
});

test('profile dapr has one set of names, the gRPC port where there is one', () => {
  const env = { ...STALE, DAPR_API_TOKEN: 'secret' };
  const apps = [{ ...APP, app: 'http://localhost', grpc: '127.0.0.1:50001' }];
  expect(runEnvironment({ apps }, { profile: 'dapr', env })).toEqual({
    PYTHONUNBUFFERED: '1',
    APP_ID: 'shop',
    APP_PORT: '80',
    APP_PROTOCOL: 'http',
    APP_CHANNEL_ADDRESS: 'localhost',
    DAPR_HTTP_PORT: '3510',
    DAPR_HTTP_ENDPOINT: 'http://127.0.0.1:3510',
    DAPR_GRPC_PORT: '50001',
    DAPR_API_TOKEN: 'secret',
  });
});

test('an app that only publishes has no port', () => {
  const { app: _none, ...publisher } = APP;
  expect(
    runEnvironment({ apps: [publisher] }, { profile: 'dapr', env: { ...STALE, DAPR_API_TOKEN: '' } }),
  ).toEqual({
    PYTHONUNBUFFERED: '1',
    APP_ID: 'shop',
    APP_PROTOCOL: 'http',
    APP_CHANNEL_ADDRESS: '127.0.0.1',
    DAPR_HTTP_PORT: '3510',
    DAPR_HTTP_ENDPOINT: 'http://127.0.0.1:3510',
  });
});

test('Python does not hold back what it writes, unless the shell says so', () => {
  const unbuffered = (env: Readonly<Record<string, string>>): string | undefined =>
    runEnvironment({ apps: [APP] }, { profile: 'dapr', env })['PYTHONUNBUFFERED'];
  expect(unbuffered({})).toBe('1');
  expect(unbuffered({ PYTHONUNBUFFERED: '' })).toBe('');
});
