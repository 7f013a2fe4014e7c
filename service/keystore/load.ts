import { parseConfig, type Config } from '../../core/config/config.ts';
import type { Environment } from '../../core/config/variables.ts';
import { openKeystore } from './file.ts';

/**
 * The configuration, with the keys out of KEYSTORE where one is named; it takes half a second then. Local mode makes its
 * own keys. Throws ConfigError, or an Error of one line that says why the keystore cannot be opened.
 */
export function loadConfig(env: Environment): Config {
  const config = parseConfig(env);
  if (config.keystore === undefined || config.mode === 'local') return config;
  return parseConfig(env, openKeystore(config.keystore).secrets);
}
