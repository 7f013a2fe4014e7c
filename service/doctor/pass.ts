import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ROLES, type Config, type Role } from '../../core/config/config.ts';
import { Misconfigured } from '../../core/config/misconfigured.ts';
import { readIfThere, writeWhole } from '../../local/processes/whole-file.ts';

/** That a doctor found everything sound, with this configuration and this release. */
const passSchema = z.strictObject({
  hash: z.string(),
  /** What each of them needs was looked at, and nothing that only others need. */
  roles: z.array(z.enum(ROLES)),
  atMs: z.int(),
  /** The hash of each token contract's code, by its chain. */
  tokens: z.record(z.string(), z.string()),
  /** When the operator said that a restore was tried; null: never. */
  restoredAtMs: z.int().nullable(),
});
export type Pass = z.infer<typeof passSchema>;

const FILE = 'doctor-pass.json';

/** Changes with every setting and key, but for how much is logged, and with every source that runs. */
export function hashOf(config: Config, release: string): string {
  const { logLevel: _level, ...decisive } = config;
  const text = JSON.stringify(decisive, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
  return createHash('sha256').update(`${release}\n${text}`).digest('hex');
}

/** The folders and files that a release is made of. */
const RELEASE = [
  'api',
  'bot',
  'chain',
  'client',
  'core',
  'db',
  'identity',
  'local',
  'queue',
  'service',
  'texts',
  'web',
  'worker',
];
const ROOT_FILES = ['main.ts', 'package.json', 'package-lock.json'];

/** One text for one state of the sources and libraries, wherever they lie. */
export function releaseOf(root: string): string {
  const hash = createHash('sha256');
  const add = (file: string) => hash.update(file).update(readFileSync(join(root, file)));
  ROOT_FILES.forEach(add);
  for (const folder of RELEASE) {
    const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    files
      .map((file) => file.slice(root.length).replace(/^[/\\]+/, ''))
      .sort()
      .forEach(add);
  }
  return hash.digest('hex');
}

/** Null where none was stored, or one that this version does not read. */
export async function readPass({ dataDir }: Pick<Config, 'dataDir'>): Promise<Pass | null> {
  const text = await readIfThere(join(dataDir, FILE));
  if (text === null) return null;
  try {
    return passSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

export async function writePass({ dataDir }: Pick<Config, 'dataDir'>, pass: Pass): Promise<string> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, FILE);
  await writeWhole(file, `${JSON.stringify(pass, null, 2)}\n`);
  return file;
}

/** Real money moves only with what a doctor has found sound. Throws Misconfigured, in one line that says what to do. */
export async function assertPass(config: Config, release: string, roles: readonly Role[]): Promise<void> {
  if (config.mode !== 'mainnet') return;
  const pass = await readPass(config);
  const unseen = roles.filter((role) => pass?.roles.includes(role) !== true);
  const isSame = pass?.hash === hashOf(config, release);
  if (isSame && unseen.length === 0) return;
  const why =
    pass === null
      ? 'no doctor has approved this installation'
      : isSame
        ? `the last one did not look at what ${unseen.join(' and ')} needs`
        : 'settings or release changed since the last one';
  throw new Misconfigured(
    `NETWORK_MODE=mainnet starts only with a pass, and ${why}. Run: npm run doctor -- --approve (its pass lies in DATA_DIR)`,
  );
}
