/** A node hides the logs of a block once: the audit finds what the scan missed, and stops nothing. */
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { microUsdc } from '../../../core/money.ts';
import { applyTransfers } from '../../../db/scan/apply.ts';
import { readCursor } from '../../../db/scan/cursor.ts';
import { stopsOn } from '../../../db/store/stops.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import type { EvmRpc } from '../../../chain/evm/rpc/rpc.ts';
import { auditChain } from '../../../worker/evm/audit.ts';
import { recover } from '../../../worker/evm/recover.ts';
import { settleOptions } from '../../../worker/settle-options.ts';
import { startBaseChain, type BaseChain } from '../../support/chains/base-chain.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let chain: BaseChain;
let service: TestService;
let isHiding = false;
/** So many more times a balance is that of another block. */
let wrongBalances = 0;
const FINAL_AFTER_BLOCKS = 100;

/** Answers without logs while it hides them, and with wrong balances as often as it is told to. */
function hiding(rpc: EvmRpc): EvmRpc {
  return {
    ...rpc,
    balanceOf: async (...asked) => {
      const balance = await rpc.balanceOf(...asked);
      if (wrongBalances === 0) return balance;
      wrongBalances -= 1;
      return microUsdc(balance + 1n);
    },
    transfersTouching: async (...asked) => (isHiding ? [] : rpc.transfersTouching(...asked)),
    transfersInBlock: async (...asked) => (isHiding ? [] : rpc.transfersInBlock(...asked)),
  };
}

beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 100 });
  const treasuryKey = generatePrivateKey();
  // Before the books begin, and in the blocks that are read again: it is in the opening balance.
  await chain.fundUsdc(privateKeyToAccount(treasuryKey).address, microUsdc(40_000n));
  await chain.mine(FINAL_AFTER_BLOCKS);
  service = await startTestService({
    rpcUrl: chain.rpcUrl,
    fundEth: chain.fundEth,
    keys: { treasuryKey, laneKeys: [generatePrivateKey()] },
    decorateWorker: (worker) => ({ ...worker, rpc: hiding(worker.rpc) }),
  });
});
afterAll(async () => {
  await service?.close();
  await chain?.close();
});

/** Lands at the treasury while the node hides logs, and is behind the scan when this resolves. */
async function payUnseen(): Promise<void> {
  isHiding = true;
  await chain.fundUsdc(service.parts.treasury.address, microUsdc(250_000n));
  const { latest } = await service.base.rpc.head();
  await eventually(async () => {
    expect((await readCursor(service.store, 'base'))?.block).toBeGreaterThanOrEqual(latest.number);
  });
}

const seen = async () => {
  const { observedTransfers } = service.store.tables;
  return (await service.store.read.select().from(observedTransfers)).map(({ amountMicroUsdc }) => amountMicroUsdc);
};

test('what the scan missed is booked when the blocks are read again, once, and nothing stops', async () => {
  await payUnseen();
  expect(await seen()).toEqual([]);
  isHiding = false;
  expect(await auditChain(service.base)).toEqual([]);
  expect(await seen()).toEqual([250_000n]);
  expect(await auditChain(service.base)).toEqual([]);
  expect(await seen()).toEqual([250_000n]);
  expect(await stopsOn(service.store, 'base')).toEqual([]);
  await service.assertSound();
});

test('what stands in a block that the books do not know is not taken', async () => {
  const cursor = await readCursor(service.store, 'base');
  if (cursor === null) throw new Error('nothing was read');
  const at = { block: cursor.block, hash: cursor.blockHash };
  const [known] = await service.store.read.select().from(service.store.tables.observedTransfers);
  const transfer = {
    transaction: `0x${'5'.repeat(64)}`,
    logIndex: 0,
    position: 0,
    block: cursor.block,
    blockHash: `0x${'6'.repeat(64)}`,
    from: known?.fromAddress ?? '',
    to: known?.toAddress ?? '',
    value: 7n,
  };
  const { ownAddresses } = service.base;
  const take = (blockHash: string) =>
    applyTransfers(
      service.store,
      { network: 'base', transfers: [{ ...transfer, blockHash }], ownAddresses, at },
      settleOptions(service.base),
    );
  expect((await take(transfer.blockHash)).applied).toBe(false);
  expect(await seen()).not.toContain(7n);
});

test('a balance that the node gives wrongly once stops nothing', async () => {
  wrongBalances = 1;
  expect(await auditChain(service.base)).toEqual([]);
  expect(wrongBalances).toBe(0);
  expect(await stopsOn(service.store, 'base')).toEqual([]);
});

test('a difference that remains stops signing', async () => {
  await payUnseen();
  expect(await auditChain(service.base)).toMatchObject([{ rule: 'ledger = chain', network: 'base' }]);
  expect(await stopsOn(service.store, 'base')).toHaveLength(1);
  // The stop stays for the operator; the books are whole again.
  isHiding = false;
  expect(await auditChain(service.base)).toEqual([]);
  expect(await stopsOn(service.store, 'base')).toHaveLength(1);
});

test('of an authorization without any trace, and of one that shows half of it, not the same is said', async () => {
  const key = { authorizer: service.parts.treasury.address, nonce: `0x${'9'.repeat(64)}` } as const;
  const { number } = await service.base.rpc.latest();
  expect(await recover(service.base, key, number)).toBe('untraced');
  const rpc: EvmRpc = {
    ...service.base.rpc,
    authorizationLogs: async () => [{ topics: [`0x${'1'.repeat(64)}`], transaction: `0x${'8'.repeat(64)}` } as never],
  };
  expect(await recover({ ...service.base, rpc }, key, number)).toBe('unknown');
});
