/** Checks the API token of a caller before anything else of the call is read. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { ServerInterceptor } from '@grpc/grpc-js';
import { grpcCode } from '../contract/grpc.ts';
import type { Profile } from '../contract/profile.ts';
import type { Protocol } from '../grpc-protocol/protocol.ts';
import { CallRefused, statusOf } from './errors.ts';
import type { GrpcLibrary } from './library.ts';

export interface TokenOptions {
  readonly grpc: GrpcLibrary;
  readonly protocol: Protocol;
  readonly profile: Profile;
  readonly token: string;
}

/** Refuses every call without the token in its metadata, reflection included. */
export function tokenInterceptor({ grpc, protocol, profile, token }: TokenOptions): ServerInterceptor {
  const wanted = digest(token);
  return (_method, call) => {
    const responder = new grpc.ResponderBuilder()
      .withStart((next) => {
        const listener = new grpc.ServerListenerBuilder()
          .withOnReceiveMetadata((metadata, go) => {
            const [given] = metadata.get(profile.tokenHeader);
            if (typeof given === 'string' && timingSafeEqual(digest(given), wanted)) {
              go(metadata);
              return;
            }
            const why =
              given === undefined
                ? 'missing api token in request metadata'
                : 'authentication error: api token mismatch';
            call.sendStatus(statusOf(unauthorized(why, profile), { grpc, protocol }));
          })
          .build();
        next(listener);
      })
      .build();
    return new grpc.ServerInterceptingCall(call, responder);
  };
}

function unauthorized(why: string, profile: Profile): CallRefused {
  return new CallRefused(grpcCode('UNAUTHENTICATED'), 'Unauthorized', [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: 'Unauthorized',
      domain: profile.errorDomain,
      metadata: { 'http.code': '401', 'http.error_message': why },
    },
  ]);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
