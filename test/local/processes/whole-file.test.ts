import { readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createWhole,
  createWholeSync,
  readIfThere,
  readIfThereSync,
  writeWhole,
  writeWholeSync,
} from '../../../local/processes/whole-file.ts';
import { createDiskFolder } from '../../support/disk-folder.ts';

let dir: string;
let file: string;

beforeEach(async () => {
  dir = createDiskFolder('pennypost-whole-');
  file = join(dir, 'file');
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const modeOf = async () => (await stat(file)).mode & 0o777;

describe.each([
  ['waiting', { create: createWhole, write: writeWhole, read: readIfThere }],
  ['not waiting', { create: createWholeSync, write: writeWholeSync, read: readIfThereSync }],
])('%s', (_title, { create, write, read }) => {
  test('a new file is created, for its owner only, and nothing else is left behind', async () => {
    expect(await create(file, 'first')).toBe(true);
    expect(await readFile(file, 'utf8')).toBe('first');
    expect(await modeOf()).toBe(0o600);
    expect(await readdir(dir)).toEqual(['file']);
  });

  test('a file that is there is not created, stays as it is, and nothing is left behind', async () => {
    await writeFile(file, 'before');
    expect(await create(file, 'after')).toBe(false);
    expect(await readFile(file, 'utf8')).toBe('before');
    expect(await readdir(dir)).toEqual(['file']);
  });

  test('writing takes the place of a file in one step, so that who has it open goes on reading the old one', async () => {
    await writeFile(file, 'before', { mode: 0o644 });
    const { ino } = await stat(file);
    await write(file, 'after');
    expect(await readFile(file, 'utf8')).toBe('after');
    expect((await stat(file)).ino).not.toBe(ino);
    expect(await modeOf()).toBe(0o600);
    expect(await readdir(dir)).toEqual(['file']);
  });

  test('a file that is not there reads as null, and one that cannot be read is an error', async () => {
    expect(await read(file)).toBe(null);
    await expect(async () => read(dir)).rejects.toThrow(/EISDIR/);
  });
});

test('of several written at once one stands there whole, and nothing is left behind', async () => {
  const texts = Array.from({ length: 20 }, (_, number) => String(number).repeat(50_000));
  await Promise.all(texts.map((text) => writeWhole(file, text)));
  expect(texts.indexOf(await readFile(file, 'utf8'))).toBeGreaterThanOrEqual(0);
  expect(await readdir(dir)).toEqual(['file']);
});
