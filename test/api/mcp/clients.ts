/** The official clients, unmodified, behind what the tests ask of each. */
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from 'mcp-v1/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from 'mcp-v1/client/streamableHttp.js';
import { z } from 'zod';

const result = z.object({
  isError: z.boolean().optional(),
  content: z.array(z.object({ type: z.literal('text'), text: z.string() })),
  structuredContent: z.record(z.string(), z.unknown()),
  _meta: z.record(z.string(), z.unknown()).optional(),
});
const refusal = z.object({ code: z.number(), message: z.string(), data: z.record(z.string(), z.unknown()) });

export type Result = z.infer<typeof result>;
export type Refused = z.infer<typeof refusal>;

export type McpClient = {
  version: () => string | undefined;
  tools: () => Promise<string[]>;
  call: (name: string, toolArguments: Record<string, unknown>, meta?: Record<string, unknown>) => Promise<Result>;
  close: () => Promise<void>;
};

const INFO = { name: 'test', version: '1.0.0' };

export const CLIENTS: readonly (readonly [string, string, (url: string) => Promise<McpClient>])[] = [
  ['v2 line', '2026-07-28', (url) => connectV2(url, { pin: '2026-07-28' })],
  ['v2 line that finds out by itself', '2026-07-28', (url) => connectV2(url, 'auto')],
  ['v2 line as installed', '2025-11-25', (url) => connectV2(url, 'legacy')],
  ['v1 line', '2025-11-25', connectV1],
];

export async function connectV2(url: string, mode: 'auto' | 'legacy' | { pin: string }): Promise<McpClient> {
  const client = new ClientV2(INFO, { versionNegotiation: { mode } });
  await client.connect(new TransportV2(new URL(url)));
  return {
    version: () => client.getNegotiatedProtocolVersion(),
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, given, _meta) =>
      result.parse(await client.callTool({ name, arguments: given, ...(_meta === undefined ? {} : { _meta }) })),
    close: () => client.close(),
  };
}

export async function connectV1(url: string): Promise<McpClient> {
  const client = new ClientV1(INFO);
  const transport = new TransportV1(new URL(url));
  // Its own types disagree about an optional field when they are checked exactly.
  await client.connect(transport as unknown as Parameters<typeof client.connect>[0]);
  return {
    version: () => transport.protocolVersion,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, given, _meta) =>
      result.parse(await client.callTool({ name, arguments: given, ...(_meta === undefined ? {} : { _meta }) })),
    close: () => client.close(),
  };
}

/** The refusal that a call must end with. */
export async function refusedBy(calling: Promise<unknown>): Promise<Refused> {
  const answered = await calling.then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  );
  if ('error' in answered) return refusal.parse(answered.error);
  throw new Error(`expected a refusal, found ${JSON.stringify(answered.answer)}`);
}
