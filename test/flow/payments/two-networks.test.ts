/** Both networks in one service, on real local chains: what came in on one is paid out on the other, from our own money. */
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { addressOfKey } from '../../../chain/evm/key.ts';
import { microUsdc } from '../../../core/money.ts';
import { parseRecipient } from '../../../core/platforms/recipient.ts';
import { ensureIdentity } from '../../../db/identities/identities.ts';
import { declareDepositAddress } from '../../../db/scan/operator-deposits.ts';
import { withdraw } from '../../../db/operator/withdraw.ts';
import { readFloat } from '../../../db/transfers/float.ts';
import { signingStops } from '../../../db/store/stops.ts';
import { linkWallet } from '../../../db/transfers/link-wallet.ts';
import { localUserId } from '../../../local/identity.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { createEvmParts } from '../../../service/networks/evm.ts';
import { createSolanaParts } from '../../../service/networks/solana.ts';
import { audit as auditBase } from '../../../worker/evm/audit.ts';
import { startEvmSettlement } from '../../../worker/evm/start.ts';
import type { EvmWorker, SolanaWorker } from '../../../worker/dependencies.ts';
import { audit as auditSolana } from '../../../worker/solana/audit.ts';
import { startSolanaSettlement } from '../../../worker/solana/start.ts';
import { startBaseChain, type BaseChain } from '../../support/chains/base-chain.ts';
import { makeProof, post } from '../../support/pay.ts';
import { startSolanaChain, type SolanaChain } from '../../support/chains/solana-chain.ts';
import { makeSolanaProof } from '../../support/chains/solana-pay.ts';
import { randomSolanaKey } from '../../support/solana-service.ts';
import { layTestRoles } from '../../support/test-roles.ts';
import { refuseViolations } from '../../support/databases/refuse-violations.ts';

const LAMPORTS = 100_000_000_000n;
const WITHIN_MS = 30_000;

/** The tests come one after the other: what one leaves in a treasury is what the next begins with. */
let chains: { base: BaseChain; solana: SolanaChain };
let service: Awaited<ReturnType<typeof start>>;
beforeAll(async () => {
  chains = { base: await startBaseChain({ blockTimeMs: 200 }), solana: await startSolanaChain({ slotMs: 50 }) };
  service = await start({ base: 1_000_000n, solana: 1_000_000n });
  await eventually(async () => {
    for (const network of ['base', 'solana'] as const)
      if ((await floatOf(network)).available !== 1_000_000n) throw new Error(`${network} has no float yet`);
  }, WITHIN_MS);
});
afterEach(async () => {
  await eventually(async () => {
    refuseViolations([...(await auditBase(service.base)), ...(await auditSolana(service.solana))]);
  });
  const stops = await signingStops(service.store);
  if (stops.length > 0) throw new Error(`signing stopped: ${JSON.stringify(stops)}`);
});
afterAll(async () => {
  await service.close();
  await chains.base.close();
  await chains.solana.close();
});

async function start(float: { base: bigint; solana: bigint }) {
  const baseKeys = { treasuryKey: generatePrivateKey(), laneKeys: [generatePrivateKey(), generatePrivateKey()] };
  for (const key of baseKeys.laneKeys) await chains.base.fundEth(addressOfKey(key), 10n ** 20n);
  const parts = createEvmParts('base', 'local', chains.base.rpcUrl, baseKeys);
  const solanaKeys = { treasuryKey: randomSolanaKey(), feePayerKey: randomSolanaKey() };
  const solanaParts = createSolanaParts('local', chains.solana.rpcUrl, solanaKeys);
  for (const { address } of [solanaParts.treasury, solanaParts.feePayer])
    await chains.solana.fundSol(address, LAMPORTS);
  // What is there before the books are opened is the operator's own.
  if (float.base > 0n) await chains.base.fundUsdc(parts.treasury.address, microUsdc(float.base));
  if (float.solana > 0n) await chains.solana.fundUsdc(solanaParts.treasury.address, microUsdc(float.solana));
  chains.solana.finalize();
  await chains.base.mine(200);
  const treasuries = { base: parts.treasury.address, solana: solanaParts.treasury.address };
  const roles = await layTestRoles({ payouts: { dailyMicroUsdc: { payer: null, recipient: null }, treasuries } });
  const base: EvmWorker = {
    ...roles.context,
    ...parts,
    pace: { scanEveryMs: 50, replaceAfterMs: 5_000 },
  };
  const solana: SolanaWorker = {
    ...roles.context,
    ...solanaParts,
    accounts: { policy: 'always', minMicroUsdc: 0n, ageMinMs: 0, dailyMax: 200 },
    pace: { followEveryMs: 20, scanEveryMs: 50, microLamportsPerUnit: 10_000, companyMax: 32 },
  };
  await roles.run(
    [parts.apiNetwork, solanaParts.apiNetwork],
    [
      { network: 'base', start: (context) => startEvmSettlement({ ...base, ...context }) },
      { network: 'solana', start: (context) => startSolanaSettlement({ ...solana, ...context }) },
    ],
  );
  return { ...roles, base, solana };
}

async function link(handle: string, network: 'base' | 'solana', address: string): Promise<void> {
  const { store, base } = service;
  const recipient = parseRecipient('x', handle);
  const person = { ...recipient, stableId: localUserId(recipient) };
  const identityId = await store.tx((db) => ensureIdentity(db, store.tables, person, base.ids.identityId(), 0));
  await linkWallet(store, { identityId, network, address, source: 'test' }, base.transferIdOf, Date.now());
}

const floatOf = (network: 'base' | 'solana') =>
  readFloat(service.store.read, service.store.tables, { network, treasury: service[network].treasury.address });

const pay = (header: string, receiver: string) =>
  post(`${service.url}/payments/x/pay`, { receiver, amount: 1 }, { 'PAYMENT-SIGNATURE': header });

async function proofOnBase(): Promise<string> {
  const account = await chains.base.createAccount({ usdc: microUsdc(1_000_000n), wei: 0n });
  const payTo = service.base.treasury.address;
  return makeProof({ from: account.address, signer: account, payTo, value: 1_000_000n });
}

test('a tip on Base reaches a wallet on Solana, and is answered as on its way', async () => {
  const wallet = await chains.solana.createKeypair();
  await link('alice', 'solana', wallet.publicKey.toBase58());
  const reply = await pay(await proofOnBase(), 'alice');
  expect([reply.status, reply.body.data.status]).toEqual([200, 'queued']);
  await eventually(async () => expect(await chains.solana.usdcBalance(wallet.publicKey)).toBe(1_000_000n), WITHIN_MS);
  expect(await chains.base.usdcBalance(service.base.treasury.address)).toBe(2_000_000n);
  await eventually(async () => expect((await floatOf('base')).available).toBe(2_000_000n), WITHIN_MS);
  expect((await floatOf('solana')).available).toBe(0n);
});

test('one that float does not cover waits for a deposit; what is left of that can be withdrawn', async () => {
  const { store, solana } = service;
  // The test before has spent it.
  expect((await floatOf('solana')).available).toBe(0n);
  const wallet = await chains.solana.createKeypair();
  await link('bob', 'solana', wallet.publicKey.toBase58());
  expect((await pay(await proofOnBase(), 'bob')).body.data.status).toBe('pending_claim');
  // The faucet of the local chain stands for the operator's own wallet.
  await chains.solana.fundUsdc(solana.treasury.address, microUsdc(3_000_000n));
  const { observedTransfers } = store.tables;
  const from = await eventually(async () => {
    const rows = await store.read.select().from(observedTransfers);
    const deposit = rows.find(({ network, outgoing }) => network === 'solana' && !outgoing);
    if (deposit === undefined) throw new Error('the deposit is not seen yet');
    return deposit.fromAddress;
  });
  await store.tx((db) => declareDepositAddress(db, store.tables, { network: 'solana', address: from }, Date.now()));
  await eventually(async () => expect(await chains.solana.usdcBalance(wallet.publicKey)).toBe(1_000_000n), WITHIN_MS);
  const mine = await chains.solana.createKeypair();
  const withdrawal = { network: 'solana', toAddress: mine.publicKey.toBase58(), amountMicroUsdc: 2_000_000n } as const;
  const command = { name: 'withdraw', arguments: [], who: 'a test' };
  const how = { newPayoutId: solana.ids.payoutId, nowMs: Date.now() };
  expect(await withdraw(store, { ...withdrawal, amountMicroUsdc: 2_000_001n }, command, how)).toMatchObject({
    kind: 'too-much',
    availableMicroUsdc: 2_000_000n,
  });
  expect((await withdraw(store, withdrawal, command, how)).kind).toBe('queued');
  await eventually(async () => expect(await chains.solana.usdcBalance(mine.publicKey)).toBe(2_000_000n), WITHIN_MS);
});

test('a tip on Solana reaches a wallet on Base', async () => {
  const wallet = (await chains.base.createAccount({ wei: 0n })).address;
  await link('carol', 'base', wallet);
  const payer = await chains.solana.createKeypair({ usdc: microUsdc(1_000_000n), lamports: 1_000_000_000n });
  const terms = { payTo: service.solana.treasury.address, feePayer: service.solana.feePayer.address };
  const header = await makeSolanaProof(payer, chains.solana.rpcUrl, { ...terms, value: 1_000_000n });
  const reply = await pay(header, 'carol');
  expect([reply.status, reply.body.data.status]).toEqual([200, 'queued']);
  await eventually(async () => expect(await chains.base.usdcBalance(wallet)).toBe(1_000_000n), WITHIN_MS);
});
