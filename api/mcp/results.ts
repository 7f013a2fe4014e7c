import type { CallToolResult } from '@modelcontextprotocol/server';
import { isRecord } from './record.ts';

/**
 * The stored answer of the interface as a tool's result: what REST has in `data`, and beside a list of lines the attempt.
 * The same as text, for hosts that show a model nothing else.
 */
export function toResult(answer: Record<string, unknown>, meta: Record<string, unknown> = {}): CallToolResult {
  const { code: _code, data, ...rest } = answer;
  const structuredContent = isRecord(data) ? { ...data, ...rest } : { data, ...rest };
  return {
    content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
    structuredContent,
    ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }),
  };
}
