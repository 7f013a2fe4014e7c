import { Client } from 'mcp-v1/client/index.js';
import { StreamableHTTPClientTransport } from 'mcp-v1/client/streamableHttp.js';
import { payWith } from './mcp-v2.mjs';

export const pay = (given) =>
  payWith(
    new Client({ name: 'torture', version: '1.0.0' }),
    new StreamableHTTPClientTransport(new URL('/mcp', given.url)),
    given,
  );
