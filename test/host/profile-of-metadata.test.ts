/** Which profile a real sidecar has, by what its metadata route says. */
import { expect, test } from 'vitest';
import { profileOfMetadata } from '../../core/contract/profile.ts';

test.each([
  [{ runtimeVersion: '1.13.6' }, 'dapr'],
  [{ runtimeVersion: '1.16.9' }, 'dapr'],
  [{ runtimeVersion: '1.17.0' }, 'dapr-1.18'],
  [{ runtimeVersion: '1.18.3', extended: { daprRuntimeVersion: '1.18.3' } }, 'dapr-1.18'],
  [{ runtimeVersion: 'v2.0.0-rc.1' }, 'dapr-1.18'],
  [{ runtimeVersion: '0.1.0', extended: { sidecarRuntimeVersion: '0.1.0' } }, 'sidecar'],
  [{ runtimeVersion: 'edge' }, undefined],
  [{}, undefined],
  [null, undefined],
])('the metadata %j is that of profile %s', (metadata, profile) => {
  expect(profileOfMetadata(metadata)).toBe(profile);
});
