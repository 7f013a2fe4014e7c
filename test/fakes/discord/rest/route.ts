import type { Upload } from '../state/uploads.ts';
import type { World } from '../state/world.ts';
import type { BucketName } from '../settings.ts';

export type Call = {
  world: World;
  /** The ids in the path, by the names that the route gives them. */
  params: Record<string, string>;
  query: URLSearchParams;
  body: unknown;
  uploads: readonly Upload[];
};

export type Reply = { status: 200 | 201 | 204; body?: unknown };

export type Route = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Names with a colon stand for one segment. */
  path: string;
  /** Answers to interactions have none. */
  bucket: BucketName | null;
  /** The token of an interaction stands in the path; everything else needs the bot's. */
  auth: 'bot' | 'path';
  /** Query parameters that the route knows. */
  query?: readonly string[];
  handle: (call: Call) => Reply;
};

export function param(call: Call, name: string): string {
  const value = call.params[name];
  if (value === undefined) throw new Error(`expected the path to have :${name}`);
  return value;
}

/** The path's parameters, or null when it is another path. */
export function matchPath(pattern: string, path: string): Record<string, string> | null {
  const expected = pattern.split('/');
  const found = path.split('/');
  if (expected.length !== found.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const segment = found[index] ?? '';
    if (part.startsWith(':')) params[part.slice(1)] = decode(segment);
    else if (part !== segment) return null;
  }
  return params;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
