/** Methods for taps. A tap observes the traffic between an app and its own sidecar. */
import { name } from '../bounds.ts';
import { act, query } from '../method.ts';
import { members, Num, none, whole } from '../schema.ts';
import { newTap, tapRow } from '../tap.ts';

export const TAPS = {
  'taps.list': query({
    does: 'taps with their ports, whether app and sidecar answer, the routes they know, what passed, and the newest other calls',
    params: none,
    result: whole(tapRow),
  }),
  'taps.add': act({
    does: 'puts a tap between an app and its own sidecar, kept as settings are. An app id or a port that is taken is refused, nothing has changed then',
    params: newTap,
    result: tapRow,
  }),
  'taps.remove': act({
    does: 'ends a tap that was added here; its connections are cut, its messages stay. `{ unfinished }` deliveries of it had not ended',
    params: members({ appId: name }),
    result: members({ unfinished: Num() }),
  }),
};
