/** Nodes list a transaction later than they count it: that alone must stop nobody, and what stays different must. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SolanaRpc } from '../../../chain/solana/rpc/rpc.ts';
import { microUsdc } from '../../../core/money.ts';
import { signingStops } from '../../../db/store/stops.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import type { SolanaWorker } from '../../../worker/dependencies.ts';
import { createAudit } from '../../../worker/solana/audit.ts';
import { compareWithChain } from '../../../worker/solana/compare.ts';
import { startSolanaChain, type SolanaChain } from '../../support/chains/solana-chain.ts';
import { startSolanaService, type SolanaService } from '../../support/solana-service.ts';

let chain: SolanaChain;
let service: SolanaService;
/** While it hides, no list of the node names what was not named before. */
const node = { hidesNew: false, named: new Set<string>() };
let aheadMs: number;

beforeEach(async () => {
  node.hidesNew = false;
  node.named.clear();
  aheadMs = 0;
  chain = await startSolanaChain({ slotMs: 50 });
  service = await startSolanaService({
    rpcUrl: chain.rpcUrl,
    fundSol: chain.fundSol,
    now: () => Date.now() + aheadMs,
    decorateWorker: (worker) => ({ ...worker, rpc: slowToList(worker.rpc) }),
  });
  // What made the treasury's account is final and read, so that nothing but the test's own is new.
  await holds(async () => ((await cursor())?.blockHash ?? '') !== '');
});
afterEach(async () => {
  await service.close();
  await chain.close();
});

const holds = (check: () => Promise<boolean>) => eventually(async () => expect(await check()).toBe(true));

function slowToList(rpc: SolanaRpc): SolanaRpc {
  return {
    ...rpc,
    async signaturesFor(account, since) {
      const answer = await rpc.signaturesFor(account, since);
      if (!node.hidesNew) for (const { signature } of answer.found) node.named.add(signature);
      return { ...answer, found: answer.found.filter(({ signature }) => node.named.has(signature)) };
    },
  };
}

/** Money that no list names yet; resolves when the node counts it. */
async function arriveUnlisted(): Promise<void> {
  node.hidesNew = true;
  const { treasury, treasuryAccount, rpc } = service.parts;
  const before = (await rpc.tokenBalance(treasuryAccount, 'confirmed'))?.amount ?? 0n;
  await chain.fundUsdc(treasury.address, microUsdc(5_000_000n));
  await holds(async () => {
    return ((await rpc.tokenBalance(treasuryAccount, 'confirmed'))?.amount ?? 0n) > before;
  });
}

async function inBooks(): Promise<number> {
  const { observedTransfers } = service.store.tables;
  return (await service.store.read.select().from(observedTransfers)).length;
}

async function cursor() {
  const { scanCursors } = service.store.tables;
  const [row] = await service.store.read.select().from(scanCursors);
  return row;
}

async function slotsLater(slots: number): Promise<void> {
  const finalized = async () => (await cursor())?.finalizedBlock ?? 0;
  const from = await finalized();
  chain.mine(slots);
  // A cursor without news is written that rarely.
  aheadMs += 2_000;
  await holds(async () => (await finalized()) >= from + slots);
}

test('money that is counted before it is listed stops nobody', async () => {
  const audit = createAudit(service.solana);
  await arriveUnlisted();
  expect(await audit()).toEqual([]);
  const before = await inBooks();
  node.hidesNew = false;
  await holds(async () => (await inBooks()) > before);
  await slotsLater(40);
  expect(await audit()).toEqual([]);
  expect(await signingStops(service.store)).toEqual([]);
});

test('a difference that no list explains later stops signing', async () => {
  const audit = createAudit(service.solana);
  await arriveUnlisted();
  expect(await audit()).toEqual([]);
  // Not yet certain: the list may still come.
  expect(await audit()).toEqual([]);
  await slotsLater(80);
  expect(await audit()).toMatchObject([{ rule: 'ledger = chain' }]);
  expect(await signingStops(service.store)).toMatchObject([{ reason: 'invariant_broken' }]);
});

test('what the chain lists and the books do not have yet is on its way, and no difference', async () => {
  await arriveUnlisted();
  const { rpc } = service.parts;
  const total = async (worker: SolanaWorker) => {
    const [held] = (await compareWithChain(worker))?.held ?? [];
    return held === undefined ? null : held.onChain - held.inBooks;
  };
  await eventually(async () => expect(await total({ ...service.solana, rpc })).toBe(0n));
  await eventually(async () => expect(await total(service.solana)).toBe(5_000_000n));
});
