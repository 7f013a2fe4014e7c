/** A caller without any MCP library, as `curl` would be. */
export type Spoken = {
  status: number;
  headers: Headers;
  text: string;
  id: unknown;
  result: Record<string, unknown> & { tools: { name: string }[] };
  error: { code: number; message: string; data: Record<string, unknown> };
};

/** What answers: a server by its address, or an app that is called directly. */
export type Answers = string | { request: (path: string, init: RequestInit) => Response | Promise<Response> };

export async function say(
  to: Answers,
  body: unknown,
  { path = '/mcp', headers = {} }: { path?: string; headers?: Record<string, string> } = {},
): Promise<Spoken> {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
  const response = await (typeof to === 'string' ? fetch(to + path, init) : to.request(path, init));
  const text = await response.text();
  const { id, result, error } = JSON.parse(text === '' ? '{}' : text) as Spoken;
  return { status: response.status, headers: response.headers, text, id, result, error };
}

export const call = (name: unknown, toolArguments: unknown, meta?: unknown) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: toolArguments, ...(meta === undefined ? {} : { _meta: meta }) },
});

/** What 2026-07-28 wants beside a message: the version, who asks, and what it can do. */
export function modern(method: string, params: Record<string, unknown> = {}) {
  const version = '2026-07-28';
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const given = (params['_meta'] ?? {}) as Record<string, unknown>;
  const name: Record<string, string> = typeof params['name'] === 'string' ? { 'Mcp-Name': params['name'] } : {};
  return {
    body: { jsonrpc: '2.0', id: 7, method, params: { ...params, _meta: { ...given, ...meta } } },
    headers: { 'MCP-Protocol-Version': version, 'Mcp-Method': method, ...name },
  };
}
