/** An agent for a test: the SDK's own client, and results as text and data. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { BEGIN, END } from '../../core/mcp/foreign-text.ts';
import type { Product } from '../../core/host/compose.ts';

export interface Answered {
  readonly isError: boolean;
  readonly text: string;
}

export interface Agent {
  readonly client: Client;
  call(name: string, args?: Readonly<Record<string, unknown>>): Promise<Answered>;
  close(): Promise<void>;
}

export async function agentOver(transport: Transport): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  return {
    client,
    call: async (name, args = {}) => {
      const { content, isError } = await client.callTool({ name, arguments: { ...args } });
      if (!Array.isArray(content)) throw new Error('a result has no content');
      const texts = content.map((part: unknown) => textOf(part));
      return { isError: isError === true, text: texts.join('\n') };
    },
    close: () => client.close(),
  };
}

function textOf(part: unknown): string {
  if (typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string')
    return part.text;
  throw new Error('a part of a result is no text');
}

/** At `{console}/mcp`, with the token. */
export function agentAt({ ready: { console, token } }: Product): Promise<Agent> {
  const headers = { authorization: `Bearer ${token}` };
  return agentOver(
    new StreamableHTTPClientTransport(new URL(`${console}/mcp`), { requestInit: { headers } }),
  );
}

/** Texts from outside, which stand between the two marker lines, as JSON. */
export function outsideOf({ text }: Answered): Readonly<Record<string, unknown>> {
  const [, block = ''] = text.split(`${BEGIN}\n`);
  return JSON.parse(block.split(`\n${END}`)[0] ?? '') as Readonly<Record<string, unknown>>;
}

/** The first value of that name anywhere in the data, as text. */
export function firstOf(answered: Answered, name: string): string {
  const found = new RegExp(`"${name}": "([^"]*)"`).exec(answered.text)?.[1];
  if (found === undefined) throw new Error(`there is no ${name} in: ${answered.text}`);
  return found;
}
