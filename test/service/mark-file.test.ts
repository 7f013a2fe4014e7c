import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createMarkFile } from '../../service/readiness/mark-file.ts';

const newPath = () => join(mkdtempSync(join(tmpdir(), 'pennypost-mark-')), 'mark.json');

test('what was kept last is read again, by its owner only', async () => {
  const path = newPath();
  const file = createMarkFile(path);
  expect(await file.read()).toBeNull();
  await file.write({ holder: 'a', mark: 1 });
  await file.write({ holder: 'a', mark: 2 });
  expect(await createMarkFile(path).read()).toEqual({ holder: 'a', mark: 2 });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a file that says something else is no reason to begin anew', async () => {
  const path = newPath();
  writeFileSync(path, '{"holder":"a","mark":-1}');
  await expect(createMarkFile(path).read()).rejects.toThrow();
});
