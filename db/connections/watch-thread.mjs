/**
 * Speaks for its process while the main thread is silent inside a transaction, and ends the sessions of processes that
 * nobody speaks for. Plain JavaScript, because a thread starts without the loader that reads TypeScript; its caller is
 * `watch.ts`.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { Client } from 'pg';

const { url, name, prefix, signs } = /** @type {{ url: string, name: string, prefix: string, signs: Int32Array }} */ (
  workerData
);

const LOOK_EVERY_MS = 100;
/** A main thread that gives no sign for so long is spoken for. */
const SPEAK_AFTER_MS = 150;
/** One that gives none for so long may hang: nobody speaks for it any more, and the server's own limit ends its session. */
const SPEAK_UNTIL_MS = 10_000;
/** Who waits so long for a statement looks for what holds it up. */
const ASK_AFTER_MS = 300;
/** Without a statement, and with nobody who speaks for it, a session is silent after so long. */
const SILENCE_LIMIT_MS = 600;
/** Nothing is open: the thread sleeps until it is woken. */
const SLEEP_AFTER_MS = 2_000;
/** So that nobody forgets it: a process that has never spoken has no thread yet, and is not judged by its silence. */
const SPEAK_ANYHOW_MS = 3_600_000;

const slots = signs.length - 1;
/** @type {NodeJS.Timeout | null} */
let looking = null;
let lastOpenMs = 0;
let spokeMs = -Infinity;
let isBusy = false;
/** @type {Client | null} */
let client = null;

const SPEAK = `INSERT INTO lock_holders (name, spoke_at) VALUES ($1, clock_timestamp())
  ON CONFLICT (name) DO UPDATE SET spoke_at = clock_timestamp()`;
const FORGET = `DELETE FROM lock_holders WHERE spoke_at < clock_timestamp() - interval '1 day'`;
const END_SILENT = `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity AS session
  WHERE datname = current_database() AND usename = current_user AND starts_with(application_name, $1)
    AND state LIKE 'idle in transaction%' AND state_change < clock_timestamp() - $2 * interval '1 ms'
    AND EXISTS (SELECT FROM lock_holders WHERE name = session.application_name
      AND spoke_at < clock_timestamp() - $2 * interval '1 ms')`;

function tick() {
  const [seconds, nanoseconds] = process.hrtime();
  return (seconds * 1_000 + Math.floor(nanoseconds / 1_000_000)) | 0;
}

/** How long each open transaction has given no sign. */
function silences() {
  const now = tick();
  const found = [];
  for (let slot = 0; slot < slots; slot += 1) {
    const since = Atomics.load(signs, slot);
    if (since !== 0) found.push((now - since) | 0);
  }
  return found;
}

async function look() {
  if (isBusy) return;
  isBusy = true;
  try {
    const found = silences();
    if (found.length > 0) lastOpenMs = performance.now();
    else if (performance.now() - lastOpenMs > SLEEP_AFTER_MS) return sleep();
    const isSilent = found.some((ms) => ms > SPEAK_AFTER_MS && ms < SPEAK_UNTIL_MS);
    const asks = found.some((ms) => ms > ASK_AFTER_MS);
    if (isSilent || performance.now() - spokeMs > SPEAK_ANYHOW_MS) {
      await ask(SPEAK, [name]);
      spokeMs = performance.now();
    }
    if (asks) await ask(END_SILENT, [prefix, SILENCE_LIMIT_MS]);
  } catch {
    // The database is away: it is asked again at the next look, on a new connection.
    await forgetClient();
  } finally {
    isBusy = false;
  }
}

/**
 * @param {string} text
 * @param {unknown[]} values
 */
async function ask(text, values) {
  client ??= await connect();
  await client.query(text, values);
}

async function connect() {
  const made = new Client({ connectionString: url, connectionTimeoutMillis: 2_000, query_timeout: 2_000 });
  made.on('error', () => void forgetClient());
  await made.connect();
  await made.query(FORGET);
  return made;
}

async function forgetClient() {
  const lost = client;
  client = null;
  await lost?.end().catch(() => undefined);
}

function sleep() {
  if (looking !== null) clearInterval(looking);
  looking = null;
  Atomics.store(signs, slots, 1);
  // What was opened meanwhile has not seen that this thread sleeps.
  if (silences().length > 0) wake();
}

function wake() {
  Atomics.store(signs, slots, 0);
  lastOpenMs = performance.now();
  looking ??= setInterval(() => void look(), LOOK_EVERY_MS);
}

parentPort?.on('message', wake);
wake();
