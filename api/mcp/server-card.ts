import { MCP_VERSIONS } from './exchange.ts';

/**
 * Experimental extension of MCP (SEP-2127, draft of July 2026): where a client that knows only the host finds the
 * server. The second address is where earlier drafts had it, and where indexes look.
 */
export const SERVER_CARD_PATHS = ['/mcp/server-card', '/.well-known/mcp/server-card.json'] as const;
export const SERVER_CARD_TYPE = 'application/mcp-server-card+json';

/** Tools are not listed: they are asked of the server itself. */
export function toServerCard(baseUrl: string, version: string): Record<string, unknown> {
  const { hostname } = new URL(baseUrl);
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${hostname
      .replaceAll(/[[\]:]/g, '-')
      .split('.')
      .toReversed()
      .join('.')}/pennypost`,
    title: 'pennypost',
    description: 'Send USDC to people by the names they go by. Paid calls cost what is sent, by x402.',
    version,
    websiteUrl: baseUrl,
    remotes: [{ type: 'streamable-http', url: `${baseUrl}/mcp`, supportedProtocolVersions: MCP_VERSIONS }],
    _meta: { status: 'draft', proposal: 'SEP-2127' },
  };
}
