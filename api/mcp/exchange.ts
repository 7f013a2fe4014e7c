import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { isRecord } from './record.ts';
import type { Message } from './message.ts';
import { INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND } from './refusal.ts';

/** The newest first. */
export const MCP_VERSIONS: readonly string[] = ['2026-07-28', ...SUPPORTED_PROTOCOL_VERSIONS];

/** What the protocol answered: the body of a response, or nothing for a notification. */
export type Answered = { status: number; body: Record<string, unknown> | null };

/**
 * Lets the library serve one message with a server of its own, in the protocol version that the message or its headers
 * name. Nothing outlives the exchange. `spoken` says whether an error is one of ours; any other gets our text instead
 * of the library's, which names its internals and repeats what was sent.
 */
export async function exchange(
  request: Request,
  message: Message,
  createServer: () => Server,
  spoken: () => boolean,
): Promise<Answered> {
  const handed = new Request(request.url, { method: 'POST', headers: headersFor(request) });
  const legacy = await isLegacyRequest(handed, message);
  const response = legacy
    ? await serveLegacy(handed, message, createServer())
    : await createMcpHandler(createServer, { legacy: 'reject' }).fetch(handed, { parsedBody: message });
  const text = await response.text();
  const body: unknown = text === '' ? null : JSON.parse(text);
  if (!isRecord(body)) return { status: response.status, body: null };
  // The library knows no id where it refuses before it reads the message.
  const named = { ...body, id: message.id ?? null };
  return { status: response.status, body: isRecord(body['error']) && !spoken() ? inOwnWords(named) : named };
}

/** Plain callers send no Accept header, and no answer here is a stream. */
function headersFor(request: Request): Headers {
  const headers = new Headers();
  for (const name of ['mcp-protocol-version', 'mcp-method', 'mcp-name']) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  headers.set('accept', 'application/json, text/event-stream');
  headers.set('content-type', 'application/json');
  return headers;
}

/** Versions up to 2025-11-25, where `initialize` may come first or not at all. */
async function serveLegacy(request: Request, message: Message, server: Server): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: message });
  } finally {
    await server.close();
  }
}

const HEADERS_DISAGREE = -32020;
const CAPABILITY_MISSING = -32021;
const VERSION_UNKNOWN = -32022;
/** What the library answers to an `MCP-Protocol-Version` of before 2026 that it does not know. */
const LEGACY_VERSION_UNKNOWN = -32000;

const WORDS: Readonly<Record<number, string>> = {
  [INVALID_REQUEST]: 'This is no message that is served here.',
  [METHOD_NOT_FOUND]:
    'There is no such method here. There are: initialize, server/discover, ping, tools/list, tools/call.',
  [INVALID_PARAMS]:
    'The parameters are not those of the method. From version 2026-07-28 on, "_meta" of every request names the protocol version, the client and its capabilities.',
  [INTERNAL_ERROR]: 'Something went wrong on our side.',
  [HEADERS_DISAGREE]:
    'The headers MCP-Protocol-Version, Mcp-Method and Mcp-Name must be there and say what the message says.',
  [CAPABILITY_MISSING]: 'The client does not declare a capability that this needs.',
  [VERSION_UNKNOWN]: 'This protocol version is not served here.',
  [LEGACY_VERSION_UNKNOWN]: 'The MCP-Protocol-Version header names a version that is not served here.',
};

function inOwnWords(body: Record<string, unknown>): Record<string, unknown> {
  const error = isRecord(body['error']) ? body['error'] : {};
  const code = Number(error['code']);
  const message = WORDS[code] ?? 'This request is not served.';
  const data = dataFor(code, error['data']);
  return { ...body, error: { code, message, ...(data === null ? {} : { data }) } };
}

/** Clients choose another version by this list. */
function dataFor(code: number, data: unknown): Record<string, unknown> | null {
  if (code === LEGACY_VERSION_UNKNOWN) return { supported: MCP_VERSIONS };
  if (code !== VERSION_UNKNOWN || !isRecord(data)) return null;
  const { supported, requested } = data;
  return { supported, ...(requested === undefined ? {} : { requested }) };
}
