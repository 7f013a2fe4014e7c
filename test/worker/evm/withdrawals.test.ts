/** Money out of personal wallets, carried by our lanes: whatever is asked, lost or stopped, it moves once or not at all. */
import { isOfKind } from '../../../db/transfers/find.ts';
import { eq } from 'drizzle-orm';
import { randomBytes } from 'node:crypto';
import { encodeFunctionData } from 'viem';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
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
import { makeProof, post } from '../../support/pay.ts';
import { startRpcProxy } from '../../support/chains/rpc-proxy.ts';
import { createWithdrawalWorld, silentNode, randomHex, type WithdrawalWorld } from './withdrawal-world.ts';

let world: WithdrawalWorld;
beforeAll(async () => {
  world = await createWithdrawalWorld();
});
afterEach(() => world.closeServices());
afterAll(() => world.close());

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
  const signed = [await world.sign(service, row), await world.sign(service, row, { validSeconds: 700 })];
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
  await world.sign(dying, row);
  await world.becomes(dying, row.id, 'sent');
  await world.stop(dying);
  expect(await world.chain.usdcBalance(to)).toBe(0n);
  const service = await world.start(shared);
  await world.becomes(service, row.id, 'paid');
  expect(await world.chain.usdcBalance(to)).toBe(1_500_000n);
  expect(await world.batchesOf(service)).toHaveLength(1);
  await service.assertSound();
});

test('what another sender has sent is paid too, by their transaction and without a batch of ours', async () => {
  const shared = world.lasting();
  const idle = await world.start({ ...shared, runWorker: false });
  const { walletId } = await world.newWallet();
  const to = randomHex(20);
  const row = await world.request(idle, { walletId, to });
  const { authorization, signature } = await world.signFor(row);
  const { nonce, validBefore } = authorization;
  await markWithdrawalSigned(idle.store, row.id, { generation: 0, nonce, validBefore, signature });
  const transaction = await world.broadcast(encodeTransfer(authorization, signature));
  const service = await world.start(shared);
  await world.becomes(service, row.id, 'paid');
  expect((await world.rowOf(service, row.id)).landedTransaction).toBe(transaction);
  expect(await world.batchesOf(service)).toEqual([]);
  expect(await world.chain.usdcBalance(to)).toBe(1_500_000n);
});

test('what would fail is refused before it is sent, in a word, and the others of its batch are paid', async () => {
  const shared = world.lasting();
  const idle = await world.start({ ...shared, runWorker: false });
  const [rich, poor, forged, barred] = await Promise.all([
    world.newWallet(),
    world.newWallet(1_499_999n),
    world.newWallet(),
    world.newWallet(),
  ]);
  const [to, barredTo] = [randomHex(20), randomHex(20)];
  await world.chain.sendAsAdmin(
    encodeFunctionData({ abi: LOCAL_USDC_ABI, functionName: 'blacklist', args: [barredTo] }),
  );
  const asked = {
    rich: await world.request(idle, { ...rich, to }),
    poor: await world.request(idle, { ...poor, to }),
    forged: await world.request(idle, { ...forged, to }),
    barred: await world.request(idle, { ...barred, to: barredTo }),
    ours: await world.request(idle, { ...rich, to: idle.parts.treasury.address, requestKey: 'ours' }),
  };
  for (const row of [asked.rich, asked.poor, asked.barred, asked.ours]) await world.sign(idle, row);
  // Signed for another amount than the row says.
  const more = await world.signFor({ ...asked.forged, amountMicroUsdc: 2_000_000n });
  const { nonce, validBefore } = more.authorization;
  await markWithdrawalSigned(idle.store, asked.forged.id, {
    generation: 0,
    nonce,
    validBefore,
    signature: more.signature,
  });
  const service = await world.start(shared);
  const failureOf = async ({ id }: WithdrawalRow) => (await world.rowOf(service, id)).failure;
  await world.becomes(service, asked.rich.id, 'paid');
  expect(await failureOf(asked.poor)).toBe('insufficient_funds');
  expect(await failureOf(asked.barred)).toBe('recipient_blacklisted');
  expect(await failureOf(asked.forged)).toBe('invalid_signature');
  expect(await failureOf(asked.ours)).toBe('forbidden_address');
  expect(await world.chain.usdcBalance(to)).toBe(1_500_000n);
  expect(await world.batchesOf(service)).toHaveLength(1);
  expect(await service.store.read.select().from(service.store.tables.carrierItems)).toHaveLength(1);
});

test('a batch that lands without it frees it, and the same authorization travels in another', async () => {
  const { node, decorateWorker } = silentNode();
  const service = await world.start({ decorateWorker });
  const { walletId, address } = await world.newWallet();
  const to = randomHex(20);
  const row = await world.request(service, { walletId, to });
  await world.sign(service, row);
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
  expect(await world.batchesOf(service)).toHaveLength(2);
  expect(await world.chain.usdcBalance(to)).toBe(1_500_000n);
});

test('one that cannot be sent any more, and may be on the chain already, holds up nobody', async () => {
  const shared = world.lasting();
  const idle = await world.start({ ...shared, runWorker: false });
  const [stuck, fine] = [await world.newWallet(), await world.newWallet()];
  const to = randomHex(20);
  const asked = {
    stuck: await world.request(idle, { ...stuck, to: randomHex(20) }),
    fine: await world.request(idle, { ...fine, to }),
  };
  for (const row of [asked.stuck, asked.fine]) await world.sign(idle, row);
  // Its batch landed without it, and the operator has made its target an address of ours since.
  const { transfers } = idle.store.tables;
  const changed = { tries: 1, toAddress: idle.parts.treasury.address };
  await idle.store.tx((db) => db.update(transfers).set(changed).where(eq(transfers.id, asked.stuck.id)));
  const service = await world.start(shared);
  await world.becomes(service, asked.fine.id, 'paid');
  expect((await world.rowOf(service, asked.stuck.id)).status).toBe('signed');
  expect(await world.chain.usdcBalance(to)).toBe(1_500_000n);
});

test('one whose authorization was canceled is dead: a used nonce alone proves no payment', async () => {
  const service = await world.start({ decorateWorker: silentNode().decorateWorker });
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
  await world.becomes(service, id, 'sent');
  const cancellation = await signCancellation(account, { authorizer: account.address, nonce });
  const args = [account.address, nonce, cancellation] as const;
  await world.broadcast(encodeFunctionData({ abi: LOCAL_USDC_ABI, functionName: 'cancelAuthorization', args }));
  await world.becomes(service, id, 'dead');
  expect(await world.chain.usdcBalance(account.address)).toBe(2_000_000n);
});

test('while signing is stopped withdrawals go on, and nothing of ours does', async () => {
  const service = await world.start();
  const payer = await world.chain.createAccount({ usdc: microUsdc(5_000_000n) });
  const payTo = service.parts.treasury.address;
  const header = await makeProof({ from: payer.address, signer: payer, payTo, value: 1_000_000n });
  const body = { receiver: 'alice', amount: 1 };
  expect((await post(`${service.url}/payments/x/pay`, body, { 'PAYMENT-SIGNATURE': header })).status).toBe(200);
  await stopSigning(service.store, { reason: 'operator', network: 'all', detail: 'a test' }, Date.now());
  const alice = await findIdentity(service.store, 'x', localUserId(parseRecipient('x', 'alice')));
  const link = { identityId: alice?.id ?? '', network: 'base' as const, address: randomHex(20), source: 'test' };
  await linkWallet(service.store, link, service.base.transferIdOf, Date.now());
  const { walletId } = await world.newWallet();
  const to = randomHex(20);
  const row = await world.request(service, { walletId, to });
  await world.sign(service, row);
  service.worker?.wake();
  await world.becomes(service, row.id, 'paid');
  expect(await world.chain.usdcBalance(to)).toBe(1_500_000n);
  const { read, tables } = service.store;
  const payouts = await read.select().from(tables.transfers).where(isOfKind(tables, 'payout'));
  expect(payouts.map(({ status }) => status)).toEqual(['queued']);
  expect((await world.batchesOf(service)).map(({ kind }) => kind)).toEqual(['inbound', 'withdrawal']);
});

test('a treasury that cannot sign holds no withdrawal up', async () => {
  const decorateWorker = (worker: EvmWorker): EvmWorker => ({
    ...worker,
    treasury: { ...worker.treasury, signPayout: () => Promise.reject(new Error('the key is away')) },
  });
  const service = await world.start({ runWorker: true, decorateWorker });
  const payer = await world.chain.createAccount({ usdc: microUsdc(5_000_000n) });
  const payTo = service.parts.treasury.address;
  const header = await makeProof({ from: payer.address, signer: payer, payTo, value: 1_000_000n });
  const body = { receiver: 'bob', amount: 1 };
  expect((await post(`${service.url}/payments/x/pay`, body, { 'PAYMENT-SIGNATURE': header })).status).toBe(200);
  const bob = await findIdentity(service.store, 'x', localUserId(parseRecipient('x', 'bob')));
  const link = { identityId: bob?.id ?? '', network: 'base' as const, address: randomHex(20), source: 'test' };
  await linkWallet(service.store, link, service.base.transferIdOf, Date.now());
  const { walletId } = await world.newWallet();
  const to = randomHex(20);
  const row = await world.request(service, { walletId, to });
  await world.sign(service, row);
  service.worker?.wake();
  await world.becomes(service, row.id, 'paid');
  expect(await world.chain.usdcBalance(to)).toBe(1_500_000n);
  const { read, tables } = service.store;
  const payouts = await read.select().from(tables.transfers).where(isOfKind(tables, 'payout'));
  expect(payouts.map(({ status }) => status)).toEqual(['queued']);
});

test('payments have the lanes first, but for every fourth batch: neither crowd starves the other', async () => {
  const service = await world.start({ runWorker: false, settlementWaitMs: 100 });
  const payer = await world.chain.createAccount({ usdc: microUsdc(5_000_000n) });
  const payTo = service.parts.treasury.address;
  const header = await makeProof({ from: payer.address, signer: payer, payTo, value: 1_000_000n });
  await post(`${service.url}/payments/x/pay`, { receiver: 'alice', amount: 1 }, { 'PAYMENT-SIGNATURE': header });
  const { walletId } = await world.newWallet();
  await world.sign(service, await world.request(service, { walletId, to: randomHex(20) }));
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

// It moves the clock of the chain, so it comes last.
test('one that expired unused is dead, is signed again, and is paid once though its first batch lands after all', async () => {
  const { node, decorateWorker } = silentNode();
  const service = await world.start({ decorateWorker });
  const { walletId, address } = await world.newWallet(3_000_000n);
  const to = randomHex(20);
  const row = await world.request(service, { walletId, to });
  await world.sign(service, row, { validSeconds: 30 });
  await world.becomes(service, row.id, 'sent');
  // Unused is not dead while its window is open, however often the chain is asked.
  const { looks } = node;
  await eventually(async () => expect(node.looks).toBeGreaterThan(looks + 4));
  expect((await world.rowOf(service, row.id)).status).toBe('sent');
  expect(await world.sign(service, row, { generation: 1 })).toBe(false);
  await world.chain.advanceTime(60);
  await world.becomes(service, row.id, 'dead');
  expect(await world.sign(service, row, { generation: 1 })).toBe(true);
  node.mute = false;
  await world.becomes(service, row.id, 'paid');
  await eventually(async () => {
    expect((await world.batchesOf(service)).filter(({ status }) => status !== 'open')).toHaveLength(2);
  });
  expect([await world.chain.usdcBalance(to), await world.chain.usdcBalance(address)]).toEqual([1_500_000n, 1_500_000n]);
});
