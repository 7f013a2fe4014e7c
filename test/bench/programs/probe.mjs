/**
 * Loaded into a program before anything else (`--import`), so that the bench which started it can ask what it did: how
 * often it asked a node, how long its event loop stood still, how much memory it holds. Without messages it does nothing.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * @typedef {{ calls: Record<string, Record<string, number>>, loopMaxMs: number, rssBytes: number }} Report since the one
 *   before; `calls` to nodes by their host and method, those that share a request counted each
 */

/** @type {Report['calls']} */
let calls = {};
const plainFetch = globalThis.fetch;
globalThis.fetch = (input, init) => {
  note(input instanceof Request ? input.url : String(input), init?.body);
  return plainFetch(input, init);
};

/**
 * @param {string} url
 * @param {unknown} body
 */
function note(url, body) {
  if (typeof body !== 'string' || !body.includes('"jsonrpc"')) return;
  const methods = (calls[new URL(url).host] ??= {});
  for (const [, method = ''] of body.matchAll(/"method":"(\w+)"/g)) methods[method] = (methods[method] ?? 0) + 1;
}

const delays = monitorEventLoopDelay({ resolution: 10 });
delays.enable();
/** @type {Session | null} */
let profiling = null;

process.on('message', (/** @type {{ ask: string, folder?: string }} */ { ask, folder }) => {
  if (ask === 'report') report();
  if (ask === 'profile') void startProfile();
  if (ask === 'keep profile') void keepProfile(folder ?? '.');
});
// The connection to the parent must not keep a program alive that was told to stop.
process.channel?.unref();

function report() {
  const loopMaxMs = delays.max / 1e6;
  delays.reset();
  process.send?.({ calls, loopMaxMs, rssBytes: process.memoryUsage.rss() });
  calls = {};
}

async function startProfile() {
  profiling = new Session();
  profiling.connect();
  await profiling.post('Profiler.enable');
  await profiling.post('Profiler.start');
  process.send?.({ begun: true });
}

/** @param {string} folder */
async function keepProfile(folder) {
  const { profile } = (await profiling?.post('Profiler.stop')) ?? {};
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/${process.pid}.cpuprofile`, JSON.stringify(profile));
  process.send?.({ kept: true });
}
