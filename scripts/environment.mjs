import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import util from 'node:util';

const FILE = fileURLToPath(new URL('../.env', import.meta.url));
/** The list of all settings. It cannot miss one: a test holds it against what is read. */
const EXAMPLE = fileURLToPath(new URL('../.env.example', import.meta.url));

/** A shorter name is too near to names of other programs. */
const GUESSED_LENGTH_MIN = 8;
const CHANGES_MAX = 2;

/** @param {string} line */
const warn = (line) => void process.stderr.write(`${line}\n`);

/**
 * Reads `.env` for the service and for every command beside it, so that all of them mean the same installation. What the
 * environment says already wins over the file. Says which names nobody reads, because a misspelt setting does nothing.
 * @param {string} file
 * @param {(line: string) => void} tell
 */
export function loadEnvironment(file = FILE, tell = warn) {
  const own = Object.keys(process.env);
  const inFile = existsSync(file) ? Object.keys(util.parseEnv(readFileSync(file, 'utf8'))) : [];
  if (existsSync(file)) process.loadEnvFile(file);
  for (const line of strangeNames({ own, inFile, known: knownNames() })) tell(line);
}

/** The same of the environment alone, where a unit or an image has set it: whose `.env` it was may be nobody's to read here. */
export function tellStrangeNames(tell = warn) {
  for (const line of strangeNames({ own: Object.keys(process.env), inFile: [], known: knownNames() })) tell(line);
}

/** The settings of `.env.example`, and with `_FILE` those that may come from a file. */
function knownNames() {
  if (!existsSync(EXAMPLE)) return [];
  return [...readFileSync(EXAMPLE, 'utf8').matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm)].map(([, name = '']) => name);
}

/**
 * A line for each name that nothing reads: all of them in the file, which is ours alone. The environment belongs to other
 * programs too, so there only what is nearly a name of ours counts.
 * @param {{ own: readonly string[], inFile: readonly string[], known: readonly string[] }} names
 */
export function strangeNames({ own, inFile, known }) {
  if (known.length === 0) return [];
  const isKnown = (/** @type {string} */ name) =>
    known.includes(name) || OF_OTHERS.has(name) || known.includes(name.replace(/_FILE$/, ''));
  return [
    ...inFile
      .filter((name) => !isKnown(name))
      .map((name) => `${name} in .env is not a setting, so it does nothing.${guessText(name, known)}`),
    ...own
      .filter((name) => !isKnown(name) && !inFile.includes(name) && nearest(name, known) !== null)
      .map((name) => `${name} in the environment is not a setting, so it does nothing.${guessText(name, known)}`),
  ];
}

/** What Node and its libraries read, and people put into `.env` with good reason. */
const OF_OTHERS = new Set(['FAILPOINT', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'NODE_ENV', 'TZ']);

/**
 * @param {string} name
 * @param {readonly string[]} known
 */
function guessText(name, known) {
  const meant = nearest(name, known);
  return meant === null ? '' : ` Did you mean ${meant}?`;
}

/**
 * @param {string} name
 * @param {readonly string[]} known
 */
function nearest(name, known) {
  if (name.length < GUESSED_LENGTH_MIN) return null;
  const [best] = known
    .filter((candidate) => candidate.length >= GUESSED_LENGTH_MIN)
    .map((candidate) => ({ candidate, changes: changesBetween(name.toUpperCase(), candidate) }))
    .sort((one, other) => one.changes - other.changes);
  return best !== undefined && best.changes <= CHANGES_MAX ? best.candidate : null;
}

/**
 * How many letters have to be put in, left out or replaced (Levenshtein).
 * @param {string} one
 * @param {string} other
 */
function changesBetween(one, other) {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
