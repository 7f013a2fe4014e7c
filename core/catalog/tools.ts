import { PLATFORM_NAMES, platformRow, type Platform } from '../platforms/platforms.ts';
import { CATALOG_ROWS } from './operations.ts';
import type { Json, NamedRow, Paid, ToolForm } from './row.ts';

/** A tool as MCP lists it, and the operation behind it. */
export type Tool = {
  name: string;
  title: string;
  description: string;
  arguments: ToolForm['arguments'];
  example: Json;
  row: NamedRow;
  paid: Paid | null;
  /** The platform in its name; null where the arguments name it, or where there is none. */
  platform: Platform | null;
};

/** The tools in the catalog's order; where the name contains `{platform}`, one for each offered platform. */
export function toolsOf(offered: readonly Platform[], rows: readonly NamedRow[] = CATALOG_ROWS): Tool[] {
  const platforms = PLATFORM_NAMES.filter((name) => offered.includes(name) && platformRow(name).mcp);
  return rows.flatMap((row) => {
    const { tool } = row;
    if (tool === null || row.platforms?.some((name) => platforms.includes(name)) === false) return [];
    if (!tool.name.includes('{platform}')) return [toTool(row, tool, null)];
    return platforms.map((platform) => toTool(row, tool, platform));
  });
}

function toTool(row: NamedRow, tool: ToolForm, platform: Platform | null): Tool {
  return {
    name: namedFor(tool.name, platform),
    title: namedFor(tool.title, platform),
    description: namedFor(tool.description, platform),
    arguments: tool.arguments,
    example: tool.example ?? row.request?.example ?? {},
    row,
    paid: tool.paid ?? row.paid,
    platform,
  };
}

/** Puts a platform's words into a text of the catalog. */
export function namedFor(text: string, platform: Platform | null): string {
  if (platform === null) return text;
  const { title, receiver } = platformRow(platform);
  return text.replaceAll('{platform}', platform).replaceAll('{title}', title).replaceAll('{receiver}', receiver);
}
