/** A folder of component files with a source over it, removed after the test. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { createComponentFiles } from '../../core/adapters/component-files/source.ts';
import type { ComponentFilesOptions } from '../../core/adapters/component-files/source.ts';
import { createRegistry } from '../../core/adapters/registry.ts';
import { systemClock } from '../../core/adapters/system-clock.ts';
import { PROFILES } from '../../core/contract/profile.ts';
import { routerFieldCheck } from '../../core/event-router/binding/field-check.ts';
import type { ComponentSource, ComponentSpec, Resources } from '../../core/ports/component-source.ts';
import type { Log } from '../../core/ports/log.ts';

const SILENT: Log = { write: () => undefined };

export interface ComponentFolder {
  readonly folder: string;
  readonly source: ComponentSource;
  write(file: string, text: string | Uint8Array): Promise<void>;
  /** Loads and gives the component of this name. */
  component(name: string): Promise<ComponentSpec | undefined>;
}

let uuids = 0;

/** @param files name -> text */
export async function componentFolder(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: Partial<ComponentFilesOptions> = {},
): Promise<ComponentFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'components-'));
  onTestFinished(async () => rm(folder, { recursive: true, force: true }));
  const clock = systemClock();
  const env = options.env ?? {};
  const profile = options.profile ?? PROFILES.sidecar;
  const source = createComponentFiles({
    folder,
    types: createRegistry({ clock, log: SILENT, profile, env, folders: [folder] }),
    profile,
    appIds: ['checkout'],
    fieldCheck: routerFieldCheck(profile, 'Cloud.EventRouter'),
    env,
    uuid: () => `uuid-${++uuids}`,
    clock,
    log: SILENT,
    ...options,
  });
  const write = async (file: string, text: string | Uint8Array): Promise<void> =>
    writeFile(join(folder, file), text);
  for (const [file, text] of Object.entries(files)) await write(file, text);
  const component = async (name: string): Promise<ComponentSpec | undefined> => {
    const { components }: Resources = await source.load();
    return components.find((one) => one.name === name);
  };
  return { folder, source, write, component };
}

/** A component file; `rest` are further lines under `spec`. */
export function componentText(name: string, type = 'pubsub.in-memory', rest = ''): string {
  return `apiVersion: sidecar.io/v1alpha1
kind: Component
metadata:
  name: ${name}
spec:
  type: ${type}
  version: v1
${rest}`;
}
