import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { conformance, type Fresh } from './conformance.ts';
import { createDiskFolder } from '../support/disk-folder.ts';

const fresh: Fresh = async () => {
  const folder = createDiskFolder('sqlite-');
  return {
    address: { kind: 'sqlite', path: join(folder, 'new', 'test.db') },
    remove: async () => rmSync(folder, { recursive: true }),
  };
};

conformance('the store on SQLite', fresh);
