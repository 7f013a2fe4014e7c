/**
 * `npm run complete-lock`: adds to package-lock.json the packages for other platforms that the registry did not know
 * when it was written. npm leaves them out, and `npm ci` then refuses the whole file on every machine. Run it after
 * each change of dependencies. The entries carry no checksum: npm writes it when the file is made anew against a
 * registry that has them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const LOCK = fileURLToPath(new URL('../package-lock.json', import.meta.url));
const SYSTEMS = ['darwin', 'linux', 'win32', 'freebsd', 'android', 'openharmony'];
/** @type {Record<string, string>} */
const PROCESSORS = {
  amd64: 'x64',
  x64: 'x64',
  arm64: 'arm64',
  arm: 'arm',
  ia32: 'ia32',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
};

/**
 * @typedef {{ version?: string, dev?: boolean, optional?: boolean, os?: string[], cpu?: string[], libc?: string[],
 *   optionalDependencies?: Record<string, string> }} Entry
 */

const lock = /** @type {{ packages: Record<string, Entry> }} */ (JSON.parse(readFileSync(LOCK, 'utf8')));
let added = 0;
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const target = `node_modules/${name}`;
    if (target in lock.packages || `${path}/${target}` in lock.packages) continue;
    lock.packages[target] = toEntry(name, version, entry.dev === true);
    added += 1;
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(LOCK, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`${added} packages for other platforms added to package-lock.json\n`);

/**
 * The platform stands in the name, as in `@oxlint/binding-linux-arm64-musl`.
 * @param {string} name
 * @param {string} version
 * @param {boolean} dev
 * @returns {Entry}
 */
function toEntry(name, version, dev) {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`${name} is not locked to one version: ${version}`);
  const words = name.split(/[-/]/);
  const os = words.filter((word) => SYSTEMS.includes(word));
  const cpu = words.flatMap((word) => PROCESSORS[word] ?? []);
  if (os.length !== 1 || cpu.length !== 1) throw new Error(`${name} does not say its platform`);
  const last = words.at(-1) ?? '';
  const libc = os[0] === 'linux' && /^(musl|gnu)/.test(last) ? [last.startsWith('musl') ? 'musl' : 'glibc'] : undefined;
  return { version, cpu, ...(dev ? { dev } : {}), ...(libc ? { libc } : {}), optional: true, os };
}
