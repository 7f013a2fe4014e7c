/** What the whole service costs with nobody there: questions to each chain's node, and its own CPU time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { startLocalService } from '../support/local-service.ts';
import { rpcUrlOf } from '../support/served.ts';

const ROUNDS = 3;
const ROUND_MS = 20_000;
const WARM_UP_MS = 15_000;
const BLOCK_MS = 2_000;

/** By node and method. Questions that share a request count each. */
const asked = new Map<string, Map<string, number>>();
const plainFetch = globalThis.fetch;
globalThis.fetch = (input, init) => {
  count(input instanceof Request ? input.url : String(input), init?.body);
  return plainFetch(input, init);
};

function count(url: string, body: unknown): void {
  if (typeof body !== 'string' || !body.includes('"jsonrpc"')) return;
  const methods = asked.get(new URL(url).host) ?? new Map<string, number>();
  asked.set(new URL(url).host, methods);
  for (const [, method = ''] of body.matchAll(/"method":"(\w+)"/g)) methods.set(method, (methods.get(method) ?? 0) + 1);
}

const service = await startLocalService({ env: { LOCAL_BLOCK_MS: String(BLOCK_MS) }, slotMs: 400 });
await sleep(WARM_UP_MS);
console.log(`${BLOCK_MS} ms blocks, ${ROUNDS} rounds of ${ROUND_MS / 1_000} s, SQLite`);
for (let round = 1; round <= ROUNDS; round += 1) {
  asked.clear();
  const before = process.cpuUsage();
  await sleep(ROUND_MS);
  const { user, system } = process.cpuUsage(before);
  const share = ((user + system) / 1_000 / ROUND_MS) * 100;
  console.log(`round ${round}: ${share.toFixed(1)} % of one core`);
  for (const network of service.networks.keys()) {
    const methods = asked.get(new URL(rpcUrlOf(service, network as 'base')).host) ?? new Map<string, number>();
    const perSecond = (calls: number) => (calls / (ROUND_MS / 1_000)).toFixed(2);
    const total = [...methods.values()].reduce((sum, calls) => sum + calls, 0);
    const parts = [...methods].map(([method, calls]) => `${method} ${perSecond(calls)}`).join(', ');
    console.log(`  ${network}: ${perSecond(total)} calls a second (${parts})`);
  }
}
await service.close();
process.exit();
