import { randomBytes } from 'node:crypto';
import { Keypair, VersionedTransaction } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deriveTokenAccount, tokenAccountOf } from '../../../../chain/solana/messages/addresses.ts';
import { transferTag } from '../../../../chain/solana/messages/tags.ts';
import { toBase58 } from '../../../../chain/solana/messages/base58.ts';
import {
  buildAccountOpening,
  buildPayoutTransaction,
  type PayoutItem,
  type PayoutOptions,
  signPayoutTransaction,
} from '../../../../chain/solana/transactions/payout-transaction.ts';
import { solanaProfile } from '../../../../chain/solana/messages/profile.ts';
import { createSolanaRpc, type SolanaRpc } from '../../../../chain/solana/rpc/rpc.ts';
import { microUsdc } from '../../../../core/money.ts';
import { type SolanaChain, startSolanaChain } from '../../../support/chains/solana-chain.ts';
import { signersOf } from '../../signing/signers.ts';
import type { SolanaSigner } from '../../../../chain/solana/messages/signer.ts';

const profile = solanaProfile('local');
const PRICE = 1_000;

let chain: SolanaChain;
let rpc: SolanaRpc;
let treasury: SolanaSigner;
let treasuryKeypair: Keypair;

beforeAll(async () => {
  chain = await startSolanaChain();
  treasuryKeypair = await chain.createKeypair({ usdc: microUsdc(1_000_000_000n), lamports: 10_000_000_000n });
  treasury = signersOf({ treasury: treasuryKeypair }, profile).treasury;
  const ownAccounts = [{ account: tokenAccountOf(treasury.address, profile), owner: treasury.address }];
  rpc = createSolanaRpc({ url: chain.rpcUrl, timeoutMs: 5_000, profile, ownAccounts });
});
afterAll(() => chain?.close());

async function freshOptions(): Promise<PayoutOptions> {
  const { blockhash, lastValidHeight } = await rpc.latestBlockhash();
  const carrierId = randomBytes(16).toString('base64url');
  return { payer: treasury.address, profile, carrierId, blockhash, lastValidHeight, microLamportsPerUnit: PRICE };
}

let count = 0;
function toItem(owner: string, creates: boolean): PayoutItem {
  count += 1;
  return {
    id: `payout-${count}`,
    owner,
    account: tokenAccountOf(owner, profile),
    amount: BigInt(10_000 + count),
    creates,
  };
}

/** People who have no token account, or one that holds nothing. */
function people(number: number, creates: boolean): PayoutItem[] {
  return Array.from({ length: number }, () => toItem(Keypair.generate().publicKey.toBase58(), creates));
}

async function peopleWithAccounts(number: number): Promise<PayoutItem[]> {
  const items = people(number, false);
  for (const { owner } of items) await chain.fundUsdc(owner, microUsdc(1n));
  return items;
}

/** Simulates, signs and lands it; answers what the chain shows of it. */
async function pay(items: readonly PayoutItem[], options: PayoutOptions) {
  const built = buildPayoutTransaction(items, options);
  expect(await rpc.simulate(built.unsignedWire)).toMatchObject({ ok: true });
  const signed = await signPayoutTransaction(built, treasury);
  await rpc.sendRaw(signed.wire);
  chain.mine();
  const landed = await rpc.transaction(signed.signature);
  if (!landed) throw new Error('it has not landed');
  return { built, signed, landed };
}

/** Pays all of them, as many at once as fit. */
async function payAll(items: readonly PayoutItem[]): Promise<number> {
  let transactions = 0;
  for (let left = [...items]; left.length > 0; transactions += 1) {
    const { landed, signed } = await pay(left, await freshOptions());
    expect(landed.failed).toBe(false);
    left = left.filter(({ id }) => !signed.itemIds.includes(id));
  }
  return transactions;
}

test('15 transfers into existing accounts travel in one transaction and land as they were named and tagged', async () => {
  const items = await peopleWithAccounts(16);
  const options = await freshOptions();
  const { signed, landed } = await pay(items, options);
  expect(signed.itemIds).toEqual(items.slice(0, 15).map(({ id }) => id));
  expect(Buffer.from(signed.wire, 'base64').length).toBeLessThanOrEqual(1_232);
  expect(landed).toMatchObject({
    failed: false,
    messageHash: signed.messageHash,
    memos: [
      `${options.carrierId.slice(0, 8)}:${items
        .slice(0, 15)
        .map(({ id }) => transferTag(id))
        .join('')}`,
    ],
  });
  expect(landed.transfers).toEqual(
    items.slice(0, 15).map(({ id, owner, amount }, index) => ({
      transaction: signed.signature,
      block: landed.slot,
      blockHash: '',
      logIndex: index,
      position: index,
      from: treasury.address,
      to: owner,
      value: amount,
      authorizer: treasury.address,
      nonce: signed.nonces[index],
      memo: transferTag(id),
    })),
  );
  // One signature, and 158,600 units at a thousand millionths of a lamport.
  expect(landed.lamportsSpent).toBe(5_159n);
});

test('8 payouts that open accounts travel in one transaction, at the cost of their rent', async () => {
  const items = people(9, true);
  const { signed, landed } = await pay(items, await freshOptions());
  expect(signed.itemIds).toEqual(items.slice(0, 8).map(({ id }) => id));
  expect(landed.transfers.map(({ to, value }) => ({ to, value }))).toEqual(
    items.slice(0, 8).map(({ owner, amount }) => ({ to: owner, value: amount })),
  );
  const rent = await rpc.tokenAccountRent();
  const priority = landed.lamportsSpent - 5_000n - 8n * rent;
  expect(priority).toBeGreaterThan(0n);
  expect(priority).toBeLessThan(1_000n);
});

// With one less in each it would take one more.
test('45 payouts into existing accounts take 3 transactions', async () => {
  expect(await payAll(await peopleWithAccounts(45))).toBe(3);
});

test('24 payouts to people without an account take 3 transactions', async () => {
  const items = people(24, true);
  expect(await payAll(items)).toBe(3);
  for (const { owner, amount } of items) expect(await chain.usdcBalance(owner)).toBe(amount);
});

test('one for whom there is no room before all others lets smaller ones pass', async () => {
  const plain = await peopleWithAccounts(15);
  const [opening] = people(1, true);
  if (!opening) throw new Error('one person was asked for');
  const { signed } = await pay([...plain.slice(0, 14), opening, ...plain.slice(14)], await freshOptions());
  expect(signed.itemIds).toEqual(plain.map(({ id }) => id));
});

test('an account whose address the program has to search for is opened within the limit', async () => {
  // One address in a thousand is found that late.
  const late = '7phZaaJoykTNhZUHBC46RSfExpioMSEF4bMhnMSmmVsx';
  expect(deriveTokenAccount(late, profile).bump).toBeLessThanOrEqual(245);
  const { landed } = await pay([toItem(late, true)], await freshOptions());
  expect(landed.failed).toBe(false);
});

test('an account is also opened where its address was sent SOL before, for as many as have some', async () => {
  const items = people(8, true);
  for (const { account } of items.slice(0, 5)) await chain.fundSol(account, 1_000_000n);
  expect((await rpc.tokenAccounts(items.map(({ account }) => account))).map(({ kind }) => kind)).toEqual(
    items.map(() => 'none'),
  );
  const { landed } = await pay(items, await freshOptions());
  expect(landed.transfers).toHaveLength(8);
});

test('an account that was opened meanwhile is no obstacle', async () => {
  const [item] = people(1, true);
  if (!item) throw new Error('one person was asked for');
  await chain.fundUsdc(item.owner, microUsdc(1n));
  await pay([item], await freshOptions());
  expect(await chain.usdcBalance(item.owner)).toBe(1n + item.amount);
});

test('two payouts to one person are two transfers, and open the account once', async () => {
  const owner = Keypair.generate().publicKey.toBase58();
  const items = [toItem(owner, true), toItem(owner, true)];
  const { landed, built } = await pay(items, await freshOptions());
  expect(landed.transfers.map(({ value }) => value)).toEqual(items.map(({ amount }) => amount));
  expect(built.itemOfInstruction).toHaveLength(2 + 1 + 2 + 1);
});

describe('a batch', () => {
  test('of the same content is another transaction under another attempt id', async () => {
    const items = await peopleWithAccounts(2);
    const options = await freshOptions();
    const [one, other] = await Promise.all(
      ['AAAAAAAAAAAAAAAAAAAAAA', 'BBBBBBBBBBBBBBBBBBBBBB'].map((carrierId) =>
        signPayoutTransaction(buildPayoutTransaction(items, { ...options, carrierId }), treasury),
      ),
    );
    expect(one?.signature).not.toBe(other?.signature);
    expect(one?.messageHash).not.toBe(other?.messageHash);
  });

  test('of the same input has the same bytes', async () => {
    const [items, options] = [people(3, true), await freshOptions()];
    const [one, other] = await Promise.all(
      [1, 2].map(() => signPayoutTransaction(buildPayoutTransaction(items, options), treasury)),
    );
    expect(one).toEqual(other);
  });

  test('is what web3.js reads too, with one good signature', async () => {
    const built = buildPayoutTransaction(people(3, true), await freshOptions());
    const { wire, signature } = await signPayoutTransaction(built, treasury);
    const transaction = VersionedTransaction.deserialize(Buffer.from(wire, 'base64'));
    expect(transaction.signatures.map((bytes) => toBase58(bytes))).toEqual([signature]);
    transaction.signatures = [new Uint8Array(64)];
    transaction.sign([treasuryKeypair]);
    expect(Buffer.from(transaction.serialize()).toString('base64')).toBe(wire);
  });

  test('lands nowhere before it is signed', async () => {
    const items = await peopleWithAccounts(1);
    const { unsignedWire } = buildPayoutTransaction(items, await freshOptions());
    await rpc.sendRaw(unsignedWire);
    chain.mine();
    for (const { owner } of items) expect(await chain.usdcBalance(owner)).toBe(1n);
  });

  test('that would fail names the payout that is to blame', async () => {
    const items = await peopleWithAccounts(4);
    const poisonous = items[2];
    if (!poisonous) throw new Error('four people were asked for');
    await chain.freezeUsdc(poisonous.owner);
    const built = buildPayoutTransaction(items, await freshOptions());
    const simulated = await rpc.simulate(built.unsignedWire);
    if (simulated.ok || simulated.reason !== 'failed') throw new Error('it should have failed');
    expect(built.itemOfInstruction[simulated.instruction ?? -1]).toBe(poisonous.id);
  });

  test('has no price where none is wanted', async () => {
    const { landed } = await pay(await peopleWithAccounts(1), { ...(await freshOptions()), microLamportsPerUnit: 0 });
    expect(landed.lamportsSpent).toBe(5_000n);
  });

  test('is signed by nobody but its payer', async () => {
    const built = buildPayoutTransaction(people(1, true), await freshOptions());
    const other = signersOf({ treasury: Keypair.generate() }, profile).treasury;
    await expect(signPayoutTransaction(built, other)).rejects.toThrow('cannot be signed');
  });
});

describe('no transaction is made of', () => {
  const good = () => toItem(Keypair.generate().publicKey.toBase58(), true);
  test.each<[string, () => PayoutItem[], Partial<PayoutOptions>]>([
    ['nothing', () => [], {}],
    ['a payout of nothing', () => [{ ...good(), amount: 0n }], {}],
    ['a payout of less than nothing', () => [{ ...good(), amount: -1n }], {}],
    ['a payout of more than a token account holds', () => [{ ...good(), amount: 2n ** 64n }], {}],
    ['a payout to ourselves', () => [toItem(treasury.address, false)], {}],
    ['a payout to ourselves at another account', () => [{ ...good(), owner: treasury.address, creates: false }], {}],
    [
      'a payout into our own account under another name',
      () => [{ ...good(), account: tokenAccountOf(treasury.address, profile), creates: false }],
      {},
    ],
    ['a payout to a program', () => [{ ...good(), owner: '11111111111111111111111111111111' }], {}],
    ['a payout to an account in place of its owner', () => [toItem(tokenAccountOf(good().owner, profile), false)], {}],
    ['a payout that opens one account and goes to another', () => [{ ...good(), account: good().account }], {}],
    ['one bad payout among good ones', () => [good(), { ...good(), amount: 0n }], {}],
    ['more payouts than anybody should look at', () => Array.from({ length: 1_001 }, () => good()), {}],
    ['a carrier without a name', () => [good()], { carrierId: '' }],
    ['a carrier whose name is too long to fit', () => [good()], { carrierId: 'a'.repeat(65) }],
    ['a carrier with a line break in its name', () => [good()], { carrierId: 'a\n' }],
    ['a price below zero', () => [good()], { microLamportsPerUnit: -1 }],
    ['half a price', () => [good()], { microLamportsPerUnit: 0.5 }],
  ])('%s', async (_name, items, change) => {
    const options = { ...(await freshOptions()), ...change };
    expect(() => buildPayoutTransaction(items(), options)).toThrow(/must|may not|made of|would open/);
  });
});

test('our own token account is opened by a transaction of its own, and opening it again does nothing', async () => {
  const owner = await chain.createKeypair({ lamports: 100_000_000n });
  const key = signersOf({ treasury: owner }, profile).treasury;
  const signatures: string[] = [];
  for (let round = 0; round < 2; round += 1) {
    const { blockhash } = await rpc.latestBlockhash();
    const wire = await buildAccountOpening({ owner: key, payer: key, profile, blockhash });
    signatures.push(toBase58(Buffer.from(wire, 'base64').subarray(1, 65)));
    await rpc.sendRaw(wire);
    chain.mine();
    const [view] = await rpc.tokenAccounts([tokenAccountOf(key.address, profile)]);
    expect(view).toEqual({ kind: 'usdc', owner: key.address, amount: 0n, frozen: false });
  }
  const landed = await Promise.all(signatures.map((signature) => rpc.transaction(signature)));
  expect(landed.map((transaction) => transaction?.failed)).toEqual([false, false]);
});

test('that of the task address, which has no SOL, is opened by the treasury, which pays for it', async () => {
  const keys = { treasury: await chain.createKeypair({ lamports: 100_000_000n }), task: await chain.createKeypair() };
  const { treasury: payer, task: owner } = signersOf(keys, profile);
  if (owner === null) throw new Error('there is a task key');
  const { blockhash } = await rpc.latestBlockhash();
  await rpc.sendRaw(await buildAccountOpening({ owner, payer, profile, blockhash }));
  chain.mine();
  const [view] = await rpc.tokenAccounts([tokenAccountOf(owner.address, profile)]);
  expect(view).toEqual({ kind: 'usdc', owner: owner.address, amount: 0n, frozen: false });
  expect(await chain.lamports(payer.address)).toBeLessThan(100_000_000n);
});
