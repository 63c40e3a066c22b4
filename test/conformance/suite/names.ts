/** Names that depend on the profile, as the suite expects them on the wire. */

export const PROFILE_NAMES = ['sidecar', 'dapr', 'dapr-1.18'] as const;
export type ProfileName = (typeof PROFILE_NAMES)[number];

export interface Names {
  readonly profile: ProfileName;
  /** Whose words are spoken. */
  readonly brand: 'sidecar' | 'dapr';
  /** True: the answers of release 1.18 of the reference are expected. */
  readonly isNewer: boolean;
  readonly discoveryPath: string;
  readonly tokenHeader: string;
  readonly appIdHeader: string;
  readonly eventType: string;
  readonly bulkEventType: string;
  readonly ownEventSource: string;
  readonly errorDomain: string;
  readonly reasonPrefix: string;
  readonly brandWord: string;
  readonly extendedVersionKey: string;
  readonly apiTokenVariable: string;
  /** Member names of a subscription and metadata keys match in any letter case. */
  readonly anyCase: boolean;
  readonly bulkNeedsEnabled: boolean;
}

/** Gives the names again; `read` is told whenever one of them is looked at, but for the name of the profile itself. */
export function watchedNames(names: Names, read: () => void): Names {
  return new Proxy(names, {
    get(of, member, receiver) {
      if (member !== 'profile') read();
      return Reflect.get(of, member, receiver);
    },
  });
}

const SIDECAR: Names = {
  profile: 'sidecar',
  brand: 'sidecar',
  isNewer: false,
  discoveryPath: '/sidecar/subscribe',
  tokenHeader: 'sidecar-api-token',
  appIdHeader: 'sidecar-app-id',
  eventType: 'com.sidecar.event.sent',
  bulkEventType: 'com.sidecar.event.sent.bulk',
  ownEventSource: 'Sidecar',
  errorDomain: 'sidecar.io',
  reasonPrefix: 'SIDECAR_PUBSUB_',
  brandWord: 'sidecar',
  extendedVersionKey: 'sidecarRuntimeVersion',
  apiTokenVariable: 'SIDECAR_API_TOKEN',
  anyCase: false,
  bulkNeedsEnabled: false,
};

const DAPR: Names = {
  profile: 'dapr',
  brand: 'dapr',
  isNewer: false,
  discoveryPath: '/dapr/subscribe',
  tokenHeader: 'dapr-api-token',
  appIdHeader: 'dapr-app-id',
  eventType: 'com.dapr.event.sent',
  bulkEventType: 'com.dapr.event.sent.bulk',
  ownEventSource: 'Dapr',
  errorDomain: 'dapr.io',
  reasonPrefix: 'DAPR_PUBSUB_',
  brandWord: 'dapr',
  extendedVersionKey: 'daprRuntimeVersion',
  apiTokenVariable: 'DAPR_API_TOKEN',
  anyCase: true,
  bulkNeedsEnabled: true,
};

/** The table of reference section 14, as far as it can be seen from outside. */
export const NAMES: Readonly<Record<ProfileName, Names>> = {
  sidecar: SIDECAR,
  dapr: DAPR,
  'dapr-1.18': { ...DAPR, profile: 'dapr-1.18', isNewer: true },
};
