/** The rules in front of a tapped app "shop", without the tap. */
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { systemClock } from '../../core/adapters/system-clock.ts';
import { AppRules } from '../../core/mock-app/tap-rules.ts';
import type { Log } from '../../core/ports/log.ts';
import { CountingIds } from './counting-ids.ts';

export function rulesOfTap(log: Log = { write: () => undefined }): AppRules {
  return new AppRules({
    appId: 'shop',
    url: 'http://127.0.0.1:1',
    clock: systemClock(),
    ids: new CountingIds(),
    random: { next: () => 0 },
    codec: bufferCodec,
    log,
  });
}
