/** `GetMetadata` and `SetMetadata`: the content of the HTTP metadata route as messages. */
import type { Empty, GetMetadataResponse, SetMetadataRequest } from '../grpc-protocol/messages.ts';
import type { SidecarMetadata } from '../runtime/api.ts';
import type { Edge, UnaryMethod } from './calls.ts';

const TYPES = { DECLARATIVE: 1, PROGRAMMATIC: 2, STREAMING: 3 } as const;
const ACTORS = { INITIALIZING: 0, DISABLED: 1 } as const;

export function getMetadata({ sidecar, protocol }: Edge): UnaryMethod<Empty, GetMetadataResponse> {
  return {
    name: 'GetMetadata',
    request: protocol.empty,
    response: protocol.getMetadataResponse,
    act: () => messageOf(sidecar.metadata()),
  };
}

/** Serves `SetMetadata`. An empty key is no mistake: nothing is stored. */
export function setMetadata({ sidecar, protocol }: Edge): UnaryMethod<SetMetadataRequest, Empty> {
  return {
    name: 'SetMetadata',
    request: protocol.setMetadataRequest,
    response: protocol.empty,
    act: ({ key, value }) => {
      if (key !== '') sidecar.setMetadata(key, value);
      return {};
    },
  };
}

function messageOf(metadata: SidecarMetadata): GetMetadataResponse {
  const { appConnectionProperties: app, components = [], subscriptions = [] } = metadata;
  return {
    id: metadata.id,
    registered_components: components.map(({ capabilities = [], ...component }) => ({
      ...component,
      capabilities,
    })),
    extended_metadata: metadata.extended,
    subscriptions: subscriptions.map((one) => ({
      pubsub_name: one.pubsubname,
      topic: one.topic,
      metadata: one.metadata ?? {},
      rules: { rules: (one.rules ?? []).map(({ match = '', path }) => ({ match, path })) },
      dead_letter_topic: one.deadLetterTopic,
      type: TYPES[one.type],
    })),
    app_connection_properties: {
      port: app.port ?? 0,
      protocol: app.protocol,
      channel_address: app.channelAddress,
      max_concurrency: app.maxConcurrency ?? 0,
      ...(app.health === undefined
        ? {}
        : {
            health: {
              health_check_path: app.health.healthCheckPath ?? '',
              health_probe_interval: app.health.healthProbeInterval,
              health_probe_timeout: app.health.healthProbeTimeout,
              health_threshold: app.health.healthThreshold,
            },
          }),
    },
    runtime_version: metadata.runtimeVersion,
    enabled_features: metadata.enabledFeatures ?? [],
    actor_runtime: {
      runtime_status: ACTORS[metadata.actorRuntime.runtimeStatus],
      placement: metadata.actorRuntime.placement ?? '',
    },
  };
}
