/** The lines that a person changes for a tap, and the answers of its other calls. */
import { expect, test } from 'vitest';
import { otherStatus, tapLines, usedLines } from '../../renderer/format/tap-lines.ts';

const TAP = {
  appUrl: 'http://127.0.0.1:8080',
  sidecarUrl: 'http://127.0.0.1:3500',
  appPort: 6101,
  sidecarPort: 3501,
  profile: 'dapr',
} as const;

test('a tap needs two changed settings, each shown with the old port', () => {
  expect(tapLines(TAP)).toEqual([
    { side: 'sidecar', line: '--app-port 6101', before: '8080' },
    { side: 'app', line: 'DAPR_HTTP_PORT=3501', before: '3500' },
  ]);
});

test('a gRPC app needs a third one, and variables have the names of the profile', () => {
  const grpc = { ...TAP, profile: 'sidecar', sidecarGrpc: '127.0.0.1:50001', grpcPort: 50_101 } as const;
  expect(tapLines(grpc)).toContainEqual({ side: 'grpc', line: 'SIDECAR_GRPC_PORT=50101', before: '50001' });
});

test('the answer of another call is a status, the name of a code, or nothing', () => {
  expect(otherStatus({ status: 404 })).toBe('404');
  expect(otherStatus({ status: 14, protocol: 'grpc' })).toBe('UNAVAILABLE');
  expect(otherStatus({})).toBe('');
});

test('a line is done once a call has passed that only it brings', () => {
  const call = { at: '', method: 'GET', path: '/', durationMs: 1 };
  const none = { deliveries: 0, publishes: 0, otherCalls: [] };
  expect([...usedLines(none)]).toEqual([]);
  expect([...usedLines({ ...none, otherCalls: [{ ...call, to: 'app' }] })]).toEqual(['sidecar']);
  expect([...usedLines({ ...none, otherCalls: [{ ...call, to: 'sidecar' }] })]).toEqual(['app']);
  expect([...usedLines({ ...none, otherCalls: [{ ...call, to: 'sidecar', protocol: 'grpc' }] })]).toEqual([
    'grpc',
  ]);
  expect([...usedLines({ ...none, deliveries: 1, publishes: 1 })]).toEqual(['sidecar', 'app']);
  expect([...usedLines({ ...none, deliveries: 1, publishes: 1, grpcPort: 50_101 })]).toEqual([]);
});
