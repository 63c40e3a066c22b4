/** Answers every method of the reference that does not concern messages: this sidecar does not have it. */
import type { sendUnaryData, Server, ServerDuplexStream, ServerUnaryCall } from '@grpc/grpc-js';
import { grpcCode } from '../contract/grpc.ts';
import { SERVICE } from './calls.ts';
import type { Edge } from './calls.ts';
import { CallRefused, serviceError, statusOf } from './errors.ts';

/**
 * Names of such methods that clients are known to call. The library answers all others, with the same code.
 */
const UNARY = [
  'InvokeService',
  'GetState',
  'GetBulkState',
  'SaveState',
  'QueryStateAlpha1',
  'DeleteState',
  'DeleteBulkState',
  'ExecuteStateTransaction',
  'GetSecret',
  'GetBulkSecret',
  'RegisterActorTimer',
  'UnregisterActorTimer',
  'RegisterActorReminder',
  'UnregisterActorReminder',
  'GetActorState',
  'ExecuteActorStateTransaction',
  'InvokeActor',
  'GetConfigurationAlpha1',
  'GetConfiguration',
  'UnsubscribeConfigurationAlpha1',
  'UnsubscribeConfiguration',
  'TryLockAlpha1',
  'UnlockAlpha1',
  'SubtleGetKeyAlpha1',
  'SubtleEncryptAlpha1',
  'SubtleDecryptAlpha1',
  'SubtleWrapKeyAlpha1',
  'SubtleUnwrapKeyAlpha1',
  'SubtleSignAlpha1',
  'SubtleVerifyAlpha1',
  'StartWorkflowAlpha1',
  'GetWorkflowAlpha1',
  'PurgeWorkflowAlpha1',
  'TerminateWorkflowAlpha1',
  'PauseWorkflowAlpha1',
  'ResumeWorkflowAlpha1',
  'RaiseEventWorkflowAlpha1',
  'StartWorkflowBeta1',
  'GetWorkflowBeta1',
  'PurgeWorkflowBeta1',
  'TerminateWorkflowBeta1',
  'PauseWorkflowBeta1',
  'ResumeWorkflowBeta1',
  'RaiseEventWorkflowBeta1',
  'ScheduleJobAlpha1',
  'GetJobAlpha1',
  'DeleteJobAlpha1',
  'ConverseAlpha1',
  'ConverseAlpha2',
] as const;
const STREAMED = [
  'SubscribeConfigurationAlpha1',
  'SubscribeConfiguration',
  'EncryptAlpha1',
  'DecryptAlpha1',
] as const;

/** Refuses these methods; the first call of each is logged. */
export function refuseOthers(server: Server, edge: Edge): void {
  const reported = new Set<string>();
  const refusal = (name: string): ReturnType<typeof serviceError> => {
    const text = `${name} is not implemented by this sidecar (pub/sub only)`;
    if (!reported.has(name)) edge.log.write('warn', 'grpc', `A client called ${SERVICE}/${name}: ${text}.`);
    reported.add(name);
    return serviceError(statusOf(new CallRefused(grpcCode('UNIMPLEMENTED'), text), edge));
  };
  const asIs = (bytes: Buffer): Buffer => bytes;
  for (const name of UNARY) {
    const handler = (_call: ServerUnaryCall<Buffer, Buffer>, reply: sendUnaryData<Buffer>): void =>
      reply(refusal(name));
    server.register(`/${SERVICE}/${name}`, handler, asIs, asIs, 'unary');
  }
  for (const name of STREAMED) {
    const handler = (call: ServerDuplexStream<Buffer, Buffer>): void => {
      call.emit('error', refusal(name));
    };
    server.register(`/${SERVICE}/${name}`, handler, asIs, asIs, 'bidi');
  }
}
