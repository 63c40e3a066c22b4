/** A bad flag or value: exit status 2 and one line that says which and what was expected; nothing is started. */
import { describe, expect, test } from 'vitest';
import { runProduct } from '../e2e/product.ts';

const rows: readonly (readonly [args: readonly string[], says: RegExp])[] = [
  [['--nope'], /--nope/],
  [['--sidecar-port', '70000'], /--sidecar-port must be a port from 0 to 65535/],
  [['--app-id', 'a.b'], /--app-id must be an app id without dots/],
  [['--app-url', 'ftp://x'], /--app-url must be an http or https address/],
  [['--app', 'other'], /--app must be ID=URL/],
  [['--profile', 'other'], /--profile must be sidecar or dapr/],
  [['--resources', 'no-such-folder'], /--resources must be a folder that exists/],
  [['--config', 'no-such-file'], /--config must be a file that exists/],
  [['--set', 'delivery.concurrency=0'], /--set delivery\.concurrency must be/],
  [['--set', 'no.such=1'], /unknown setting "no\.such"/],
  [['--log-level', 'loud'], /--log-level must be debug/],
  [['walk'], /unknown command "walk"/],
  [['router'], /router is not built yet/],
  [['run', '--app-url', 'http://127.0.0.1:1'], /run needs a command/],
];

describe('the command line', () => {
  for (const [args, says] of rows) {
    test(`refuses ${args.join(' ')}`, async () => {
      const { code, stdout, stderr } = await runProduct(['--headless', '--ephemeral', ...args]);
      expect(code).toBe(2);
      expect(stdout).toBe('');
      expect(stderr).toMatch(says);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    });
  }
});
