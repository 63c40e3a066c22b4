/** What a file of several apps asks for, with every path absolute and every value in its place: what is started, and how. */
import type { AppHealthSettings } from '../../domain/settings.ts';

export const DESTINATIONS = ['console', 'file', 'fileAndConsole'] as const;
export type Destination = (typeof DESTINATIONS)[number];

export interface Dependency {
  readonly appId: string;
  readonly condition: 'healthy' | 'started';
}

export interface PlannedApp {
  readonly appId: string;
  /** Absolute: working folder of the command, and base of the app's own paths. */
  readonly folder: string;
  /** Program and arguments; [] = the app has a sidecar only. */
  readonly command: readonly string[];
  /** Address of the app; undefined: it only publishes. */
  readonly url?: string;
  /** `APP_PROTOCOL`; undefined: the word is not one of the reference's. */
  readonly protocolName?: string;
  /** Host of the app. */
  readonly host: string;
  readonly sidecarPort?: number;
  readonly grpcPort?: number;
  /** Absolute, in their order; [] = the built-in in-memory component. */
  readonly resources: readonly string[];
  readonly maxConcurrency?: number;
  readonly health?: AppHealthSettings;
  readonly maxBodyBytes?: number;
  /** What the reference would write into the log of the app; undefined: not said. */
  readonly logLevel?: string;
  /** Where the lines of the app go; undefined: to the screen and Logs. */
  readonly appLog?: Destination;
  /** Where the lines of the sidecar go; undefined: to Logs only. */
  readonly sidecarLog?: Destination;
  readonly env: Readonly<Record<string, string>>;
  readonly dependsOn: readonly Dependency[];
  readonly restart: 'never' | 'on-failure';
  /** Globs, relative to `folder`. */
  readonly watch: readonly string[];
}

export interface RunPlan {
  /** Path of the file as it is shown. */
  readonly file: string;
  /** Absolute folder of the file. */
  readonly base: string;
  /** Title of the run; "" = none. */
  readonly name: string;
  readonly apps: readonly PlannedApp[];
  /** A sentence for each thing that was accepted without effect. */
  readonly notes: readonly string[];
}
