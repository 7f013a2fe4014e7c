import { createMiddleware } from 'hono/factory';
import type { ApiEnv } from '../http/env.ts';

/** What MCP clients send beside the headers of REST, in browsers too. We have no sessions; some clients name one. */
const MCP_HEADERS = ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name', 'Mcp-Session-Id'].join(', ');

/** Adds them to the answer of a preflight; mount it before the one that answers. Nothing here may be cached. */
export const allowMcpHeaders = createMiddleware<ApiEnv>(async (c, next) => {
  c.header('Cache-Control', 'no-store');
  await next();
  const allowed = c.res.headers.get('Access-Control-Allow-Headers');
  if (allowed !== null) c.res.headers.set('Access-Control-Allow-Headers', `${allowed}, ${MCP_HEADERS}`);
});
