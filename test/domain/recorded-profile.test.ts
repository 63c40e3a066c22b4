// A test made of what a tap observed speaks the names of the sidecar that was observed, whatever our own speak.
import { expect, test } from 'vitest';
import type { RuleId } from '../../core/contract/delivery.ts';
import type { RecordedMessage } from '../../core/domain/recording/recorded.ts';
import { profileOfRecorded } from '../../core/domain/recording/profile-of.ts';
import { messageRow } from '../adapters/journal-records.ts';

const recorded = (rule: RuleId, tap?: string): RecordedMessage =>
  ({
    message: { row: messageRow(1, tap === undefined ? {} : { tap }) },
    deliveries: [{ transitions: [{ rule }] }],
  }) as unknown as RecordedMessage;

const open = (appId: string) => (appId === 'open' ? ('dapr-1.18' as const) : undefined);

test.each([
  ['ours', recorded('single.2xx.success'), 'sidecar'],
  ['of an open tap', recorded('single.2xx.success', 'open'), 'dapr-1.18'],
  ['of a tap that is gone', recorded('single.404', 'gone'), 'dapr'],
  ['of a tap that is gone, by a rule of a later release', recorded('single.404.drop', 'gone'), 'dapr-1.18'],
] as const)('the profile of a message %s', (_, message, expected) => {
  expect(profileOfRecorded([message], { ours: 'sidecar', ofTap: open })).toBe(expected);
});
