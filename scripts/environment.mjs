import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(new URL('../.env', import.meta.url));

/**
 * Reads `.env` for the service and for every command beside it, so that all of them mean the same installation. What the
 * environment says already wins over the file.
 * @param {string} file
 */
export function loadEnvironment(file = FILE) {
  if (existsSync(file)) process.loadEnvFile(file);
}
