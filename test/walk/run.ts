/**
 * `npm run walk [-- ROOT | -- image]`: from nothing to a "testnet" and to its end in a minimal Debian root, by the commands of
 * docs/operating.md and docs/backup.md. ROOT is one of an earlier walk, in which it is installed already; it stays as it is. `image`: the
 * steps of deploy/Containerfile instead (`image.ts`). Needs
 * root: the root is entered by chroot, in a network of its own.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificate, STRANGERS_ADDRESS } from './tls.ts';
import { NAMES } from './surroundings.ts';

const NEEDED = ['mmdebstrap', 'openssl', 'unshare', 'nsenter', 'ip'];
const ROOT = join(import.meta.dirname, '../..');

const missing = NEEDED.filter((name) => spawnSync('which', [name]).status !== 0);
if (process.platform !== 'linux' || process.getuid?.() !== 0) throw new Error('the walk needs Linux, and root');
if (missing.length > 0)
  throw new Error(
    `missing: ${missing.join(', ')}. Install with\n  apt-get install mmdebstrap openssl util-linux iproute2`,
  );

const folder = mkdtempSync(join(tmpdir(), 'pennypost-walk-'));
const { certificate } = makeCertificate(folder, NAMES);
const authorities = join(folder, 'authorities.pem');
const known = process.env['NODE_EXTRA_CA_CERTS'];
writeFileSync(
  authorities,
  `${known === undefined ? '' : readFileSync(known, 'utf8')}\n${readFileSync(certificate, 'utf8')}`,
);

const inside = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc', '--propagation=private', '--'];
const program = [process.execPath, ...process.execArgv, join(import.meta.dirname, 'inside.ts'), folder];
const child = spawn(
  'unshare',
  [
    ...inside,
    'sh',
    '-c',
    `ip link set lo up && ip addr add ${STRANGERS_ADDRESS}/32 dev lo && exec "$@"`,
    'sh',
    ...program,
    ...process.argv.slice(2),
  ],
  {
    cwd: ROOT,
    // The last one leads back to the network of this machine, for downloads.
    stdio: ['ignore', 'inherit', 'inherit', openSync('/proc/self/ns/net', 'r')],
    env: { ...process.env, NODE_EXTRA_CA_CERTS: authorities },
  },
);
const [code] = (await once(child, 'exit')) as [number | null];
process.exitCode = code ?? 1;
if (code === 0) rmSync(folder, { recursive: true, force: true });
else process.stdout.write(`What is left of it: ${folder}\n`);
