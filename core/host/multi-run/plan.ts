/**
 * The plan of a run of several apps: what is started, and how, with absolute paths and all values resolved.
 */
import type { AppHealthSettings } from '../../domain/settings.ts';

export const DESTINATIONS = ['console', 'file', 'fileAndConsole'] as const;
export type Destination = (typeof DESTINATIONS)[number];

export interface Dependency {
  readonly appId: string;
  readonly condition: 'healthy' | 'started';
}

export interface PlannedApp {
  readonly appId: string;
  /** Absolute working folder of the command, to which the app's own paths are relative. */
  readonly folder: string;
  /** Program and arguments; [] = the app has only a sidecar. */
  readonly command: readonly string[];
  /** Address of the app; undefined: it only publishes. */
  readonly url?: string;
  /** Value for `APP_PROTOCOL`; undefined: the file's word is unknown to the reference. */
  readonly protocolName?: string;
  /** Host of the app. */
  readonly host: string;
  readonly sidecarPort?: number;
  readonly grpcPort?: number;
  /** Absolute folders in order; [] = the built-in in-memory component. */
  readonly resources: readonly string[];
  readonly maxConcurrency?: number;
  readonly health?: AppHealthSettings;
  readonly maxBodyBytes?: number;
  /** Log level that the reference would use for the sidecar; undefined: not set. */
  readonly logLevel?: string;
  /** Destination of the app's lines; undefined: terminal and Logs. */
  readonly appLog?: Destination;
  /** Destination of the sidecar's lines; undefined: Logs only. */
  readonly sidecarLog?: Destination;
  readonly env: Readonly<Record<string, string>>;
  readonly dependsOn: readonly Dependency[];
  readonly restart: 'never' | 'on-failure';
  /** Globs of watched files, relative to `folder`. */
  readonly watch: readonly string[];
}

export interface RunPlan {
  /** Path of the file in messages. */
  readonly file: string;
  /** Absolute folder of the file. */
  readonly base: string;
  /** Title of the run; "" = none. */
  readonly name: string;
  readonly apps: readonly PlannedApp[];
  /** A note for each value that was accepted without effect. */
  readonly notes: readonly string[];
  /** The notes that name a mistyped key with the one that is meant. */
  readonly slips: readonly string[];
}
