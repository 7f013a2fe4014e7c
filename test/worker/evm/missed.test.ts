/** A node hides the logs of a block once: the audit finds what the scan missed, and stops nothing. */
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { microUsdc } from '../../../core/money.ts';
import { readCursor } from '../../../db/scan/cursor.ts';
import { stopsOn } from '../../../db/store/stops.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import type { EvmRpc } from '../../../chain/evm/rpc/rpc.ts';
import { auditChain } from '../../../worker/evm/audit.ts';
import { startBaseChain, type BaseChain } from '../../support/chains/base-chain.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let chain: BaseChain;
let service: TestService;
let isHiding = false;

/** Answers without logs while it hides them. */
function hiding(rpc: EvmRpc): EvmRpc {
  return {
    ...rpc,
    transfersTouching: async (...asked) => (isHiding ? [] : rpc.transfersTouching(...asked)),
    transfersInBlock: async (...asked) => (isHiding ? [] : rpc.transfersInBlock(...asked)),
  };
}

beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 100 });
  service = await startTestService({
    rpcUrl: chain.rpcUrl,
    fundEth: chain.fundEth,
    keys: { treasuryKey: generatePrivateKey(), laneKeys: [generatePrivateKey()] },
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

test('a difference that remains stops signing', async () => {
  await payUnseen();
  expect(await auditChain(service.base)).toMatchObject([{ rule: 'ledger = chain', network: 'base' }]);
  expect(await stopsOn(service.store, 'base')).toHaveLength(1);
  // The stop stays for the operator; the books are whole again.
  isHiding = false;
  expect(await auditChain(service.base)).toEqual([]);
  expect(await stopsOn(service.store, 'base')).toHaveLength(1);
});
