/**
 * The menu "Copy": a message as code that publishes it again, as the request that the app received, as a mock
 * answer, as data.
 */
import { httpOfGrpc } from '../../core/contract/status-pairs.ts';
import { PROFILES } from '../../core/contract/profile.ts';
import type { Attempt, MessageDetail } from '../../core/contract/message.ts';
import type { PublishParams } from '../../core/contract/publish.ts';
import type { MenuEntry } from './ChoiceMenu.tsx';
import { ACTS } from '../copy/acts.ts';
import { COPY_AS } from '../copy/jobs.ts';
import { publishRequestOf, receivedCurl, receivedRaw } from '../format/repeat-request.ts';
import { asCode, CODE_KINDS, type CodeKind } from '../format/as-code.ts';
import { asSdk, SDK_KINDS, type SdkKind } from '../format/as-sdk.ts';
import { asText, automationCall } from '../format/curl.ts';
import { eventText } from '../format/long-payload.ts';
import { sidecarTarget, type SidecarTarget } from '../format/sidecar-target.ts';
import type { Console } from '../state/console.ts';
import { APART_BYTES } from '../state/payloads.ts';
import { publishAgainOf } from '../state/publish-again.ts';

/**
 * Entries that copy a publish as code.
 * @param load loads the publish when an entry is chosen
 */
export function publishEntries(console: Console, load: () => Promise<PublishParams>): readonly MenuEntry[] {
  const { system } = console.connection.getState();
  const profile = PROFILES[system?.profile ?? 'sidecar'];
  const copy = (
    id: CodeKind | SdkKind | 'call',
    write: (publish: PublishParams, sidecar: SidecarTarget) => string,
  ): MenuEntry => ({
    id,
    title: COPY_AS[id],
    run: () =>
      void console.acting.run(id, async () => {
        const publish = await load();
        const sidecar = sidecarTarget(system, publish.appId);
        await console.acting.copy(write(publish, sidecar), id === 'call' ? undefined : sidecar.token);
        return undefined;
      }),
  });
  return [
    ...CODE_KINDS.map((kind) =>
      copy(kind, (publish, sidecar) => asCode(kind, publishRequestOf(sidecar, publish))),
    ),
    ...(profile.brand === 'dapr'
      ? SDK_KINDS.map((kind) => copy(kind, (publish, { address }) => asSdk(kind, publish, profile, address)))
      : []),
    copy('call', (publish) => automationCall('messages.publish', publish)),
  ];
}

/** The submenu "Copy" of a message. */
export function copyMenu(console: Console, messageId: string, link: string): MenuEntry {
  const { acting } = console;
  const load = (): Promise<MessageDetail> =>
    console.call('messages.get', { messageId, payloadUpTo: APART_BYTES });
  const copy = (
    id: string,
    title: string,
    write: (message: MessageDetail) => string | Promise<string>,
  ): MenuEntry => ({
    id,
    title,
    run: () =>
      void acting.run(id, async () => {
        await acting.copy(await write(await load()));
        return undefined;
      }),
  });
  return {
    id: 'copy',
    title: ACTS.copy,
    entries: [
      {
        id: 'copyAgain',
        title: COPY_AS.again,
        entries: publishEntries(console, async () => publishAgainOf(console, await load())),
      },
      {
        id: 'copyReceived',
        title: COPY_AS.received,
        entries: [
          copy('receivedCurl', COPY_AS.receivedCurl, (message) => receivedCurl(lastAttempt(message))),
          copy('receivedRaw', COPY_AS.receivedRaw, (message) => receivedRaw(lastAttempt(message))),
          copy('receivedCurlSecrets', COPY_AS.receivedCurlSecrets, (message) =>
            receivedCurl(lastAttempt(message), true),
          ),
          copy('receivedRawSecrets', COPY_AS.receivedRawSecrets, (message) =>
            receivedRaw(lastAttempt(message), true),
          ),
        ],
      },
      copy('copyAnswer', COPY_AS.answer, answerRule),
      copy('copyEvent', COPY_AS.testData, (message) => wholeEvent(console, message)),
      copy('copyCall', ACTS.copyCall, () => automationCall('messages.replay', { messageId, to: 'topic' })),
      { id: 'copyId', title: ACTS.copyId, run: () => void acting.copy(messageId) },
      { id: 'copyLink', title: ACTS.copyLink, run: () => void acting.copy(link) },
    ],
  };
}

async function wholeEvent(console: Console, message: MessageDetail): Promise<string> {
  const { envelope, data } = message;
  if (message.payloadApart !== true) return asText(envelope ?? data);
  return eventText(message, await console.payloads.read({ message }));
}

/** The newest attempt; without one it throws the sentence to show. */
function lastAttempt({ deliveries }: MessageDetail): Attempt {
  const attempts = deliveries.flatMap((delivery) => delivery.attempts);
  const last = attempts.toSorted((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt)).at(-1);
  if (last === undefined) throw new Error(COPY_AS.noAttempt);
  return last;
}

/** The app's last answer as a rule of the mock app. */
export function answerRule(message: MessageDetail): string {
  const { request, response, protocol } = lastAttempt(message);
  if (response === undefined) throw new Error(COPY_AS.noAnswer);
  // Rules of the mock app are written with HTTP statuses, and events over gRPC have no route.
  const isGrpc = protocol === 'grpc';
  const type = response.headers['content-type'];
  const rule = {
    enabled: true,
    match: { topic: message.topic, ...(isGrpc ? {} : { route: new URL(request.url).pathname }) },
    answer: {
      kind: 'respond',
      status: isGrpc ? httpOfGrpc(response.status) : response.status,
      ...(type === undefined ? {} : { headers: { 'content-type': type } }),
      ...(response.body === '' ? {} : { body: response.body }),
    },
  };
  return JSON.stringify(rule, null, 2);
}
