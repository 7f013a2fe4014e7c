import { parseConfig, type Config } from '../../core/config/config.ts';
import type { Environment } from '../../core/config/variables.ts';
import { openKeystore } from './file.ts';
import { readSecretFiles } from './secret-files.ts';

/**
 * The configuration, with secrets out of files and keys out of KEYSTORE where one is named; that takes half a second. Local mode makes its
 * own keys. Throws ConfigError, or an Error of one line that says why the keystore cannot be opened.
 */
export function loadConfig(given: Environment): Config {
  const env = readSecretFiles(given);
  const config = parseConfig(env);
  if (config.keystore === undefined || config.mode === 'local') return config;
  return parseConfig(env, openKeystore(config.keystore).secrets);
}
