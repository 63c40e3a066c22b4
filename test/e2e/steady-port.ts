// A port that a second product can have again after the first one ended.
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below every range from which systems hand out ports by themselves (32768 on Linux, 49152 elsewhere). */
const FROM = 20_000;
const TO = 30_000;

/** A free port that no other program gets by chance in the meantime, as the value of a flag. */
export async function steadyPort(): Promise<string> {
  for (;;) {
    const port = FROM + Math.floor(Math.random() * (TO - FROM));
    const server = createServer();
    const isFree = await Promise.race([
      once(server.listen(port, '127.0.0.1'), 'listening').then(() => true),
      once(server, 'error').then(() => false),
    ]).catch(() => false);
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return String(port);
  }
}
