/** Money out of personal wallets, carried by our lanes: whatever is asked, lost or stopped, it moves once or not at all. */
import { isOfKind } from '../../../db/transfers/find.ts';
import { eq } from 'drizzle-orm';
import { randomBytes } from 'node:crypto';
import { encodeFunctionData } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { encodeTransfer } from '../../../chain/evm/authorization.ts';
import { withdrawalNonce } from '../../../chain/evm/nonces.ts';
import { microUsdc } from '../../../core/money.ts';
import { parseRecipient } from '../../../core/platforms/recipient.ts';
import { findIdentity } from '../../../db/identities/identities.ts';
import { stopSigning } from '../../../db/store/stops.ts';
import { linkWallet } from '../../../db/transfers/link-wallet.ts';
import type { WithdrawalRow } from '../../../db/withdrawals/find.ts';
import { markWithdrawalSigned } from '../../../db/withdrawals/signed.ts';
import { LOCAL_USDC_ABI } from '../../../local/evm/contracts.ts';
import { localUserId } from '../../../local/identity.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import type { Composition } from '../../../worker/evm/lanes/composition.ts';
import { settlementRound } from '../../../worker/evm/engine.ts';
import type { EvmWorker } from '../../../worker/dependencies.ts';
import type { LaneScheduler } from '../../../worker/evm/lanes/lane-scheduler.ts';
import { signAuthorization, signCancellation, toAuthorization } from '../../support/chains/base-chain.ts';
import { clearStop } from '../../contract/stops.ts';
import { makeProof, post } from '../../support/pay.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { startRpcProxy } from '../../support/chains/rpc-proxy.ts';
import { createWithdrawalWorld, silentNode, randomHex, type WithdrawalWorld } from './withdrawal-world.ts';

let world: WithdrawalWorld;
beforeAll(async () => {
  world = await createWithdrawalWorld();
});
afterEach(() => world.closeServices());
afterAll(() => world.close());

/** The worker is told, which else looks every second. */
async function sign(...asked: Parameters<WithdrawalWorld['sign']>): Promise<boolean> {
  const isSigned = await world.sign(...asked);
  asked[0].worker?.wake();
  return isSigned;
}

/** Stores what was signed for `as` with the withdrawal `row`. */
async function signAs(service: TestService, row: WithdrawalRow, as = row) {
  const { authorization, signature } = await world.signFor(as);
  const { nonce, validBefore } = authorization;
  await markWithdrawalSigned(service.store, row.id, { generation: 0, nonce, validBefore, signature });
  return { authorization, signature };
}

async function pay(service: TestService, receiver: string): Promise<number> {
  const payer = await world.chain.createAccount({ usdc: microUsdc(5_000_000n) });
  const payTo = service.parts.treasury.address;
  const header = await makeProof({ from: payer.address, signer: payer, payTo, value: 1_000_000n });
  const headers = { 'PAYMENT-SIGNATURE': header };
  return (await post(`${service.url}/payments/x/pay`, { receiver, amount: 1 }, headers)).status;
}

async function link(service: TestService, receiver: string): Promise<void> {
  const identity = await findIdentity(service.store, 'x', localUserId(parseRecipient('x', receiver)));
  const wallet = { identityId: identity?.id ?? '', network: 'base' as const, address: randomHex(20), source: 'test' };
  await linkWallet(service.store, wallet, service.base.transferIdOf, Date.now());
}

test('asked and signed twice, and with a lost reply, it is paid once, and our books see gas only', async () => {
  const proxy = await startRpcProxy(world.chain.rpcUrl);
  const service = await world.start({ rpcUrl: proxy.url });
  const { walletId, address } = await world.newWallet();
  const to = randomHex(20);
  const lost = proxy.fail('eth_sendRawTransaction', { kind: 'lose_reply' }, 1);
  const [row, again] = await Promise.all([
    world.request(service, { walletId, to }),
    world.request(service, { walletId, to }),
  ]);
  expect(again.id).toBe(row.id);
  const signed = [await sign(service, row), await sign(service, row, { validSeconds: 700 })];
  expect(signed).toEqual([true, false]);
  await world.becomes(service, row.id, 'paid');
  const [batch] = await world.batchesOf(service);
  expect(lost.fired()).toBe(1);
  expect(batch).toMatchObject({ kind: 'withdrawal' });
  expect((await world.rowOf(service, row.id)).landedTransaction).toBe(batch?.sealedTransaction);
  expect([await world.chain.usdcBalance(to), await world.chain.usdcBalance(address)]).toEqual([1_500_000n, 500_000n]);
  await eventually(async () => {
    const entries = await service.store.read.select().from(service.store.tables.entries);
    expect(entries.map(({ cause }) => cause.split(':')[0])).toEqual(['gas']);
  });
  expect(await service.store.read.select().from(service.store.tables.observedTransfers)).toEqual([]);
  await service.assertSound();
  await proxy.close();
});

test('a worker that dies between storing and sending leaves the bytes to the next one, which pays once', async () => {
  const shared = world.lasting();
  const dying = await world.start({ ...shared, decorateWorker: silentNode().decorateWorker });
  const { walletId } = await world.newWallet();
  const to = randomHex(20);
  const row = await world.request(dying, { walletId, to });
  await sign(dying, row);
  await world.becomes(dying, row.id, 'sent');
  await world.stop(dying);
  expect(await world.chain.usdcBalance(to)).toBe(0n);
  const service = await world.start(shared);
  await world.becomes(service, row.id, 'paid');
  expect(await world.chain.usdcBalance(to)).toBe(1_500_000n);
  expect(await world.batchesOf(service)).toHaveLength(1);
  await service.assertSound();
});

test('what would fail is refused in a word, what another sender sent is paid by theirs, and neither holds the others up', async () => {
  const shared = world.lasting();
  const idle = await world.start({ ...shared, runWorker: false });
  const [rich, poor, forged, barred, passedOn, stuck] = await Promise.all([
    world.newWallet(),
    world.newWallet(1_499_999n),
    ...Array.from({ length: 4 }, () => world.newWallet()),
  ]);
  const [to, theirs, barredTo] = [randomHex(20), randomHex(20), randomHex(20)];
  const data = encodeFunctionData({ abi: LOCAL_USDC_ABI, functionName: 'blacklist', args: [barredTo] });
  await world.chain.sendAsAdmin(data);
  const asked = {
    stuck: await world.request(idle, { ...stuck!, to: randomHex(20) }),
    rich: await world.request(idle, { ...rich, to }),
    poor: await world.request(idle, { ...poor, to }),
    forged: await world.request(idle, { ...forged!, to }),
    barred: await world.request(idle, { ...barred!, to: barredTo }),
    ours: await world.request(idle, { ...rich, to: idle.parts.treasury.address, requestKey: 'ours' }),
    passedOn: await world.request(idle, { ...passedOn!, to: theirs }),
  };
  for (const row of [asked.stuck, asked.rich, asked.poor, asked.barred, asked.ours]) await sign(idle, row);
  // Signed for another amount than the row says.
  await signAs(idle, asked.forged, { ...asked.forged, amountMicroUsdc: 2_000_000n });
  const { authorization, signature } = await signAs(idle, asked.passedOn);
  const transaction = await world.broadcast(encodeTransfer(authorization, signature));
  // Its batch landed without it, so it may be on the chain; its target has become an address of ours since.
  const { transfers } = idle.store.tables;
  const changed = { tries: 1, toAddress: idle.parts.treasury.address };
  await idle.store.tx((db) => db.update(transfers).set(changed).where(eq(transfers.id, asked.stuck.id)));
  const service = await world.start(shared);
  await Promise.all([asked.rich, asked.passedOn].map(({ id }) => world.becomes(service, id, 'paid')));
  const failureOf = async ({ id }: WithdrawalRow) => (await world.rowOf(service, id)).failure;
  expect(await failureOf(asked.poor)).toBe('insufficient_funds');
  expect(await failureOf(asked.barred)).toBe('recipient_blacklisted');
  expect(await failureOf(asked.forged)).toBe('invalid_signature');
  expect(await failureOf(asked.ours)).toBe('forbidden_address');
  expect((await world.rowOf(service, asked.stuck.id)).status).toBe('signed');
  expect((await world.rowOf(service, asked.passedOn.id)).landedTransaction).toBe(transaction);
  expect([await world.chain.usdcBalance(to), await world.chain.usdcBalance(theirs)]).toEqual([1_500_000n, 1_500_000n]);
  expect(await world.batchesOf(service)).toHaveLength(1);
  expect(await service.store.read.select().from(service.store.tables.carrierItems)).toHaveLength(1);
});

test('while signing is stopped, and where the treasury cannot sign, withdrawals go on, and nothing of ours does', async () => {
  const treasuryKey = { isAway: false, refused: 0 };
  const decorateWorker = (worker: EvmWorker): EvmWorker => ({
    ...worker,
    treasury: {
      ...worker.treasury,
      signPayout: async (payout) => {
        if (!treasuryKey.isAway) return worker.treasury.signPayout(payout);
        treasuryKey.refused += 1;
        throw new Error('the key is away');
      },
    },
  });
  const service = await world.start({ decorateWorker });
  const { read, tables } = service.store;
  const withdraw = async () => {
    const { walletId } = await world.newWallet();
    const to = randomHex(20);
    const row = await world.request(service, { walletId, to });
    await sign(service, row);
    await world.becomes(service, row.id, 'paid');
    expect(await world.chain.usdcBalance(to)).toBe(1_500_000n);
    const payouts = await read.select().from(tables.transfers).where(isOfKind(tables, 'payout'));
    expect(payouts.map(({ status }) => status)).toEqual(['queued']);
  };
  expect(await pay(service, 'alice')).toBe(200);
  await stopSigning(service.store, { reason: 'operator', network: 'all', detail: 'a test' }, Date.now());
  await link(service, 'alice');
  await withdraw();
  expect((await world.batchesOf(service)).map(({ kind }) => kind)).toEqual(['inbound', 'withdrawal']);

  treasuryKey.isAway = true;
  await clearStop(service.store);
  service.worker?.wake();
  await eventually(async () => expect(treasuryKey.refused).toBeGreaterThan(0));
  await withdraw();
});

test('payments have the lanes first, but for every fourth batch: neither crowd starves the other', async () => {
  const service = await world.start({ runWorker: false, settlementWaitMs: 100 });
  await pay(service, 'alice');
  const { walletId } = await world.newWallet();
  await sign(service, await world.request(service, { walletId, to: randomHex(20) }));
  const kinds: string[] = [];
  const schedulerAt = (sentCount: number): LaneScheduler => ({
    start: async () => undefined,
    freeLanes: async () => ({ free: service.base.lanes.slice(0, 1), othersWait: false }),
    send: async (_lane, { kind }: Composition) => (kinds.push(kind), 'sent'),
    sentCount: () => sentCount,
    keepMoving: async () => undefined,
  });
  for (const sent of [0, 1, 2, 3, 4]) await settlementRound(service.base, schedulerAt(sent));
  expect(kinds).toEqual(['inbound', 'inbound', 'inbound', 'withdrawal', 'inbound']);
});

describe('while the node passes nothing on', () => {
  const { node, decorateWorker } = silentNode();
  let service: TestService;
  beforeAll(async () => {
    const { rpcUrl, fundEth } = world.chain;
    service = await startTestService({ rpcUrl, fundEth, decorateWorker });
  });
  afterAll(() => service?.close());

  async function batchesWith(id: string) {
    const { carrierItems } = service.store.tables;
    const items = await service.store.read.select().from(carrierItems).where(eq(carrierItems.itemId, id));
    const carrierIds = new Set(items.map(({ carrierId }) => carrierId));
    return (await world.batchesOf(service)).filter((batch) => carrierIds.has(batch.id));
  }

  test('one whose authorization was canceled is dead: a used nonce alone proves no payment', async () => {
    const account = await world.chain.createAccount({ usdc: microUsdc(2_000_000n) });
    const to = randomHex(20);
    const { id } = await world.request(service, { walletId: 'x:canceled', to });
    const { transfers } = service.store.tables;
    const fromAddress = account.address.toLowerCase();
    await service.store.tx((db) => db.update(transfers).set({ fromAddress }).where(eq(transfers.id, id)));
    const nonce = withdrawalNonce({ id, generation: 0 });
    const validBefore = Number(await world.chain.latestTimestamp()) + 600;
    const fields = { from: account.address, to, value: 1_500_000n, validBefore: BigInt(validBefore), nonce };
    const signature = await signAuthorization(account, toAuthorization(fields));
    await markWithdrawalSigned(service.store, id, { generation: 0, nonce, validBefore, signature });
    service.worker?.wake();
    await world.becomes(service, id, 'sent');
    const cancellation = await signCancellation(account, { authorizer: account.address, nonce });
    const args = [account.address, nonce, cancellation] as const;
    await world.broadcast(encodeFunctionData({ abi: LOCAL_USDC_ABI, functionName: 'cancelAuthorization', args }));
    await world.becomes(service, id, 'dead');
    expect(await world.chain.usdcBalance(account.address)).toBe(2_000_000n);
  });

  test('a batch that lands without it frees it, and the same authorization travels in another', async () => {
    node.mute = true;
    const { walletId, address } = await world.newWallet();
    const to = randomHex(20);
    const row = await world.request(service, { walletId, to });
    await sign(service, row);
    await world.becomes(service, row.id, 'sent');
    // The money leaves by another way while the batch is on its way.
    const elsewhere = {
      ...row,
      toAddress: randomHex(20),
      amountMicroUsdc: 2_000_000n,
      id: randomBytes(16).toString('hex'),
    };
    const other = await world.signFor(elsewhere);
    await world.broadcast(encodeTransfer(other.authorization, other.signature));
    node.mute = false;
    await eventually(async () =>
      expect(await world.rowOf(service, row.id)).toMatchObject({ status: 'signed', tries: 1 }),
    );
    const { nonce } = await world.rowOf(service, row.id);
    await world.chain.fundUsdc(address, microUsdc(2_000_000n));
    await world.becomes(service, row.id, 'paid');
    expect(await world.rowOf(service, row.id)).toMatchObject({ nonce, generation: 0 });
    expect(await batchesWith(row.id)).toHaveLength(2);
    expect(await world.chain.usdcBalance(to)).toBe(1_500_000n);
  });

  // It moves the clock of the chain, so it comes last.
  test('one that expired unused is dead, is signed again, and is paid once though its first batch lands after all', async () => {
    node.mute = true;
    const { walletId, address } = await world.newWallet(3_000_000n);
    const to = randomHex(20);
    const row = await world.request(service, { walletId, to });
    await sign(service, row, { validSeconds: 30 });
    await world.becomes(service, row.id, 'sent');
    // Unused is not dead while its window is open, however often the chain is asked.
    const { looks } = node;
    await eventually(async () => expect(node.looks).toBeGreaterThan(looks + 4));
    expect((await world.rowOf(service, row.id)).status).toBe('sent');
    expect(await sign(service, row, { generation: 1 })).toBe(false);
    await world.chain.advanceTime(60);
    await world.becomes(service, row.id, 'dead');
    expect(await sign(service, row, { generation: 1 })).toBe(true);
    node.mute = false;
    await world.becomes(service, row.id, 'paid');
    await eventually(async () => {
      expect((await batchesWith(row.id)).filter(({ status }) => status !== 'open')).toHaveLength(2);
    });
    const balances = [await world.chain.usdcBalance(to), await world.chain.usdcBalance(address)];
    expect(balances).toEqual([1_500_000n, 1_500_000n]);
  });
});
