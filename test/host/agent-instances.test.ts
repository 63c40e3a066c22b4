/** Which instance the tools of `sidelight mcp` ask. */
import { expect, test } from 'vitest';
import { UsageError } from '../../core/domain/usage-error.ts';
import { AgentInstances } from '../../core/host/agent-instances.ts';

test('the next call repeats a search that failed', async () => {
  let asked = 0;
  const instances = new AgentInstances(
    () => {
      asked += 1;
      throw new UsageError(`several instances run (${asked})`);
    },
    {},
    () => undefined,
  );
  await expect(instances.rpc()).rejects.toThrow('several instances run (1)');
  await expect(instances.rpc()).rejects.toThrow('several instances run (2)');
  await instances.close();
});
