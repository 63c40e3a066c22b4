/** The fields of a multi-app file: where each is allowed, its type, and which have no effect here. */
import { PROFILES } from '../../contract/profile.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { nearest } from '../../domain/filter/mistakes.ts';
import { inWords } from './values.ts';

const { brandWord } = PROFILES.dapr;

export type FieldType = 'text' | 'number' | 'boolean' | 'texts' | 'variables' | 'tree';

export interface Field {
  readonly type: FieldType;
  /** Whether the field may be in `common` too. */
  readonly shared: boolean;
  /** Effect of the field in the reference, if it has none here; "" = none that a user would miss. */
  readonly would?: string;
}

/** Name of the file in a folder. */
export const FILE_NAME = `${brandWord}.yaml`;
/** Folder of the reference beside an app and in the home folder. */
export const DOT_FOLDER = `.${brandWord}`;

export const NAMES = {
  sidecarPort: `${brandWord}HTTPPort`,
  grpcPort: `${brandWord}GRPCPort`,
  sidecarLog: `${brandWord}dLogDestination`,
} as const;

const app = (type: FieldType, would?: string): Field => ({
  type,
  shared: false,
  ...withoutUndefined({ would }),
});
const shared = (type: FieldType, would?: string): Field => ({ ...app(type, would), shared: true });

/** Fields of an app by name. */
export const APP_FIELDS: Readonly<Record<string, Field>> = {
  appID: app('text'),
  appDirPath: app('text'),
  command: app('texts'),
  appPort: app('number'),
  appChannelAddress: app('text'),
  appProtocol: shared('text'),
  appSSL: shared('boolean'),
  [NAMES.sidecarPort]: app('number'),
  [NAMES.grpcPort]: app('number'),
  [`${brandWord}InternalGRPCPort`]: app('number', 'be the port on which sidecars call each other'),
  metricsPort: app('number', 'serve metrics on a port'),
  profilePort: app('number', 'be the port for profiles of the sidecar'),
  unixDomainSocket: app('text', 'make the sidecar listen on a socket file'),
  resourcesPaths: shared('texts'),
  resourcesPath: shared('text'),
  configFilePath: shared('text'),
  appMaxConcurrency: shared('number'),
  enableAppHealthCheck: shared('boolean'),
  appHealthCheckPath: shared('text'),
  appHealthProbeInterval: shared('number'),
  appHealthProbeTimeout: shared('number'),
  appHealthThreshold: shared('number'),
  maxBodySize: shared('text'),
  readBufferSize: shared('text', 'limit the size of request headers'),
  logLevel: shared('text'),
  enableApiLogging: shared('boolean', ''),
  [NAMES.sidecarLog]: shared('text'),
  appLogDestination: shared('text'),
  env: shared('variables'),
  runtimePath: shared('text'),
  placementHostAddress: shared('text', ''),
  schedulerHostAddress: shared('text', ''),
  apiListenAddresses: shared('text', 'choose where the sidecar listens; here that is --sidecar-host'),
  enableProfiling: shared('boolean', 'open a port for profiles of the sidecar'),
  containerImage: app('text', ''),
  containerImagePullPolicy: app('text'),
  createService: app('boolean', ''),
  dependsOn: app('tree'),
  restart: app('text'),
  watch: app('texts'),
};

export const TOP_FIELDS: readonly string[] = ['version', 'name', 'common', 'apps'];

/** Fields of other releases, and words of other files, with the right name or advice. */
const FORMER: Readonly<Record<string, string>> = {
  componentspath: 'resourcesPaths',
  componentsPath: 'resourcesPaths',
  [`${brandWord}HTTPMaxRequestSize`]: 'maxBodySize',
  [`${brandWord}HTTPReadBufferSize`]: 'readBufferSize',
  depends_on: 'dependsOn',
};

export type BlockName = 'the file' | 'common' | 'an app';

/** The field that an unknown key probably means; undefined: none is similar. */
export function meantBy(key: string, block: BlockName): string | undefined {
  const known =
    block === 'the file'
      ? TOP_FIELDS
      : Object.keys(APP_FIELDS).filter((name) => block === 'an app' || APP_FIELDS[name]?.shared === true);
  return (Object.hasOwn(FORMER, key) ? FORMER[key] : undefined) ?? nearest(key, known);
}

/** Fields that have an effect in a block. */
function fieldsOf(block: BlockName): readonly string[] {
  if (block === 'the file') return TOP_FIELDS;
  return Object.entries(APP_FIELDS).flatMap(([name, { shared: isShared, would }]) =>
    would === undefined && (isShared || block === 'an app') ? [name] : [],
  );
}

/** Complaint about an unknown key: "foo is not a field of an app and has no effect; did you mean appPort?". */
export function unknownField(key: string, block: BlockName): string {
  if (block === 'common' && Object.hasOwn(APP_FIELDS, key))
    return `${key} is read in an app only, so it has no effect in common`;
  if (block === 'the file' && Object.hasOwn(APP_FIELDS, key))
    return `${key} is a field of an app, so it has no effect here; put it into ${APP_FIELDS[key]?.shared === true ? 'common, or into an app' : 'an app'}`;
  const meant = meantBy(key, block);
  const hint =
    meant === undefined ? `its fields are ${fieldsOf(block).join(', ')}` : `did you mean ${meant}?`;
  return `${inWords(key)} is not a field of ${block} and has no effect; ${hint}`;
}

/** Note on a known field without effect; undefined: it has an effect, or a user would not miss it. */
export function unusedField(key: string): string | undefined {
  const would = Object.hasOwn(APP_FIELDS, key) ? APP_FIELDS[key]?.would : undefined;
  if (would === undefined || would === '') return undefined;
  return `${key} has no effect here: in the reference it would ${would}`;
}
