import { readFileSync } from 'node:fs';
import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { ConfigError, type Config } from '../../core/config/config.ts';
import type { RedisTls } from '../../queue/connection.ts';

const NAMES = { ca: 'REDIS_CA_FILE', cert: 'REDIS_CERT_FILE', key: 'REDIS_KEY_FILE' } as const;

/** Throws ConfigError for a file that cannot be read or is not what it has to be. */
export function readRedisTls({ redisTls }: Pick<Config, 'redisTls'>): RedisTls {
  const { caFile, certFile, keyFile } = redisTls;
  const [ca, cert, key] = [read('ca', caFile), read('cert', certFile), read('key', keyFile)];
  if (ca !== undefined) attempt('ca', caFile, () => new X509Certificate(ca));
  // Each connection makes a context of its own from the same texts.
  if (cert !== undefined) attempt('cert', certFile, () => createSecureContext({ cert, key }));
  return { ...(ca !== undefined && { ca }), ...(cert !== undefined && { cert, key }) };
}

function read(part: keyof typeof NAMES, file: string | undefined): string | undefined {
  return file === undefined ? undefined : attempt(part, file, () => readFileSync(file, 'utf8'));
}

/** The errors of the libraries name no content. */
function attempt<T>(part: keyof typeof NAMES, file: string | undefined, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    const wanted = `allowed: a file in PEM, with the key that belongs to the certificate (${reason})`;
    throw new ConfigError([{ name: NAMES[part], found: JSON.stringify(file), wanted }]);
  }
}
