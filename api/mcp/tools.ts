import type { NamedRow } from '../../core/catalog/row.ts';
import { toolInvocation, type Invocation } from '../../core/catalog/invocation.ts';
import { toolsOf, type Tool } from '../../core/catalog/tools.ts';
import { platformRow, type Platform } from '../../core/platforms/platforms.ts';
import { toSchema } from '../../core/catalog/schema.ts';

/** A tool as it is listed. */
type ListedTool = {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: 'object'; [key: string]: unknown };
  annotations: Record<string, boolean>;
};

export type Toolbox = {
  listed: readonly ListedTool[];
  /** By its name, or by one with another word for its platform; null for what is not offered. */
  find: (name: string) => Tool | null;
  /** What the price of a paid tool says to indexes. */
  invocationOf: (tool: Tool) => Invocation;
};

/** The tools of the catalog that this installation offers. Made once: they are the same until the next start. */
export function createToolbox(offered: readonly Platform[], rows: readonly NamedRow[]): Toolbox {
  const tools = toolsOf(offered, rows);
  // A map, not an object: "constructor" is no tool. A tool's own name wins over another one's alias.
  const byName = new Map<string, Tool>([
    ...tools.flatMap(aliasesOf),
    ...tools.map((tool) => [tool.name, tool] as const),
  ]);
  const invocations = new Map(tools.map((tool) => [tool, toolInvocation(tool)]));
  return {
    listed: tools.map(toListed),
    find: (name) => byName.get(name) ?? null,
    invocationOf: (tool) => invocations.get(tool) ?? toolInvocation(tool),
  };
}

/** An alias works wherever the name of its platform does: `pay_github` is `pay_code`. */
function aliasesOf(tool: Tool): (readonly [string, Tool])[] {
  const { platform, row } = tool;
  if (platform === null || row.tool === null) return [];
  const { name } = row.tool;
  return platformRow(platform).aliases.map((alias) => [name.replaceAll('{platform}', alias), tool]);
}

/** No `outputSchema`: clients apply it to the answers of failures too. */
function toListed(tool: Tool): ListedTool {
  const { name, title, description } = tool;
  const inputSchema = { ...toSchema(tool.arguments), type: 'object' as const };
  return { name, title, description, inputSchema, annotations: annotationsOf(tool) };
}

/**
 * Hints by which a host decides whether to ask its user. Sent money cannot be called back, and the same arguments with
 * another payment pay again: hosts should ask.
 */
function annotationsOf({ paid, row }: Tool): Record<string, boolean> {
  if (paid !== null) {
    return { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };
  }
  const readOnly = row.method === 'get';
  return { readOnlyHint: readOnly, destructiveHint: false, idempotentHint: readOnly, openWorldHint: !readOnly };
}
