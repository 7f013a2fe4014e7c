/** What `docs/operating.md` tells an operator to install with; `npm run walk` does it in a Debian. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { shownAfter } from '../docs/shown.ts';

type Overrides = { [name: string]: string | Overrides };
type Manifest = { dependencies: Record<string, string>; overrides: Overrides };
const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as Manifest;

const valuesOf = (overrides: Overrides): string[] =>
  Object.values(overrides).flatMap((value) => (typeof value === 'string' ? [value] : valuesOf(value)));

test('no override refers to what is left out: the npm of Debian 13 installs everything, and then ends with 1', () => {
  expect(shownAfter('operating.md', '## Install')).toContain('npm ci --omit=dev');
  const references = valuesOf(manifest.overrides).flatMap((value) => /^\$(.+)$/.exec(value)?.[1] ?? []);
  expect(references.filter((name) => !(name in manifest.dependencies))).toEqual([]);
});
