/** Methods for taps. A tap observes the traffic between an app and its own sidecar. */
import { name } from '../bounds.ts';
import { act, query } from '../method.ts';
import { members, Num, none, whole } from '../schema.ts';
import { newTap, tapRow } from '../tap.ts';

export const TAPS = {
  'taps.list': query({
    does: 'lists taps with their ports, whether app and sidecar answer, the routes they know, what passed, and the newest other calls',
    params: none,
    result: whole(tapRow),
  }),
  'taps.add': act({
    does: 'opens a tap between an app and its own sidecar; the next start opens it again. If the app id or a port is already in use, the tap is refused and nothing changes',
    params: newTap,
    result: tapRow,
  }),
  'taps.remove': act({
    does: 'closes a tap that was added here: it cuts the connections, and the messages stay. `unfinished` says how many of its deliveries had not ended',
    params: members({ appId: name }),
    result: members({ unfinished: Num() }),
  }),
};
