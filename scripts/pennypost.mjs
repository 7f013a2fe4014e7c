#!/usr/bin/env node
/** The `pennypost` command: runs scripts/pennypost.ts in this very process, so that signals and streams are its own. */
import { fileURLToPath } from 'node:url';

const CLIENT = new URL('./pennypost.ts', import.meta.url);

try {
  const { register } = await import('tsx/esm/api');
  register();
} catch {
  // Nothing may be installed by the way here: for an agent, stdout belongs to a protocol.
  process.stderr.write(
    `pennypost is not installed yet. Run "npm ci" in ${fileURLToPath(new URL('..', import.meta.url))}\n`,
  );
  process.exit(2);
}
await import(CLIENT.href);
