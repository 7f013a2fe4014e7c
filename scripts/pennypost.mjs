#!/usr/bin/env node
/** The `pennypost` command: becomes scripts/pennypost.ts. */
import { fileURLToPath } from 'node:url';
import { becomeProgram } from './program.mjs';

try {
  import.meta.resolve('tsx');
} catch {
  // Nothing may be installed by the way here: for an agent, stdout belongs to a protocol.
  process.stderr.write(
    `pennypost is not installed yet. Run "npm ci" in ${fileURLToPath(new URL('..', import.meta.url))}\n`,
  );
  process.exit(2);
}
await becomeProgram('scripts/pennypost.ts');
