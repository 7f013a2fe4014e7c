import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { conformance, type Fresh } from './conformance.ts';

const fresh: Fresh = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sqlite-'));
  return {
    address: { kind: 'sqlite', path: join(folder, 'new', 'test.db') },
    remove: async () => rmSync(folder, { recursive: true }),
  };
};

conformance('the store on SQLite', fresh);
