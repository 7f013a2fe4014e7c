import { readFileSync, statSync } from 'node:fs';
import { ConfigError } from '../../core/config/config.ts';
import type { ConfigProblem } from '../../core/config/problems.ts';
import { SECRET_NAMES, type Environment } from '../../core/config/variables.ts';

const BYTES_MAX = 64 * 1024;

/**
 * Puts the content of `NAME_FILE` under NAME, for each secret. Container platforms hand secrets over as files, and what
 * is in a file does not show in a list of processes. Throws ConfigError with a line for each file that cannot be used.
 */
export function readSecretFiles(env: Environment): Environment {
  const problems: ConfigProblem[] = [];
  const read: Record<string, string | undefined> = { ...env };
  for (const name of SECRET_NAMES) {
    const path = env[`${name}_FILE`]?.trim() ?? '';
    if (path === '') continue;
    delete read[`${name}_FILE`];
    if ((env[name]?.trim() ?? '') !== '') {
      problems.push({ name: `${name}_FILE`, found: `set beside ${name}`, wanted: 'allowed: one of the two' });
      continue;
    }
    const content = readSmall(path);
    if (typeof content === 'string') read[name] = content;
    else problems.push({ name: `${name}_FILE`, ...content });
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return read;
}

/** Editors and shells end a file with a line break, which belongs to no secret. */
function readSmall(path: string): string | Pick<ConfigProblem, 'found' | 'wanted'> {
  const wanted = 'allowed: a file that this user can read and that holds the value, and nothing else';
  try {
    if (statSync(path).size > BYTES_MAX) return { found: `a file of more than ${BYTES_MAX} bytes`, wanted };
    const text = readFileSync(path, 'utf8').trim();
    return text === '' ? { found: 'an empty file', wanted } : text;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    return { found: `a file that cannot be read (${code})`, wanted };
  }
}
