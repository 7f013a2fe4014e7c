/** What no key of ours signs, whatever asks it: each case is a signature that would cost money. */
import { Keypair, PublicKey, SystemProgram, TransactionMessage, type TransactionInstruction } from '@solana/web3.js';
import type { TransactionSerializableEIP1559 } from 'viem';
import { describe, expect, test } from 'vitest';
import { encodeTransfer } from '../../../chain/evm/authorization.ts';
import { buildBatch } from '../../../chain/evm/lanes.ts';
import { encodeCalls } from '../../../chain/evm/rpc/multicall.ts';
import { evmProfile } from '../../../chain/evm/rpc/profile.ts';
import { assertBatch } from '../../../chain/signing/evm-batch.ts';
import { createLane, createSweepSigner, createTreasurySigner, guardEvm } from '../../../chain/signing/evm.ts';
import { localEvmKey, type EvmKey } from '../../../chain/signing/keys.ts';
import { SigningRefused, type SigningWish } from '../../../chain/signing/policy.ts';
import { guardSolana } from '../../../chain/signing/solana.ts';
import { tokenAccountOf } from '../../../chain/solana/messages/addresses.ts';
import { limitUnits, memo, openAccount, priceUnits, transfer } from '../../../chain/solana/messages/instructions.ts';
import { solanaProfile } from '../../../chain/solana/messages/profile.ts';
import type { SolanaSigning } from '../../../chain/solana/messages/signer.ts';
import { randomAddress, randomHash, someAuthorization } from '../evm/authorizations.ts';
import { signersOf } from './signers.ts';

const profile = evmProfile('base', 'local');
const call = () => encodeTransfer(someAuthorization(), `0x${'11'.repeat(65)}`);
const fees = { maxFeePerGas: 21n, maxPriorityFeePerGas: 1n };
const batch = (calls = [call(), call()]) => ({ laneNonce: 7, calls, gasLimit: 300_000n, fees });

describe('a lane signs nothing that', () => {
  const good = () => buildBatch(batch(), profile);
  test.each<[string, Partial<TransactionSerializableEIP1559>]>([
    ['is for another chain', { chainId: 1 }],
    ['sends its own coin away', { value: 1n }],
    ['goes to a stranger', { to: randomAddress() }],
    ['creates a contract', { to: null }],
    ['costs more gas than a transaction may', { gas: 16_777_217n }],
    ['names no limit of gas', { gas: undefined }],
    ['costs more per gas than the limit of the chain', { maxFeePerGas: profile.rules.feeMax + 1n }],
    ['pays a tip above its price', { maxFeePerGas: 1n, maxPriorityFeePerGas: 2n }],
    ['calls another contract', { data: encodeCalls([{ target: randomAddress(), callData: call() }]) }],
    ['calls another function of USDC', { data: encodeCalls([{ target: profile.usdc, callData: '0xa9059cbb' }]) }],
    ['calls another function of USDC alone', { to: profile.usdc, data: '0xa9059cbb' }],
    ['calls nothing', { data: encodeCalls([]) }],
    ['unlocks accounts', { accessList: [{ address: randomAddress(), storageKeys: [] }] }],
  ])('%s', (_name, change) => {
    expect(() => assertBatch(good(), profile)).not.toThrow();
    expect(() => assertBatch({ ...good(), ...change }, profile)).toThrow(SigningRefused);
  });
});

describe('a key that refuses has not signed:', () => {
  function counted() {
    const own = localEvmKey(randomHash());
    let signatures = 0;
    const key: EvmKey = { ...own, signDigest: (digest) => ((signatures += 1), own.signDigest(digest)) };
    return { key, signatures: () => signatures };
  }

  test('a payout to an address of ours', async () => {
    const { key, signatures } = counted();
    const lane = randomAddress();
    const order = { payoutId: 'a1', to: lane, value: 1n, validAfter: 0, validBefore: 3_600 };
    await expect(createTreasurySigner(key, profile, [lane]).signPayout(order)).rejects.toThrow('may not go');
    expect(signatures()).toBe(0);
  });

  test('whatever a stop forbids', async () => {
    const { key, signatures } = counted();
    const wishes: SigningWish[] = [];
    const guard = async (wish: SigningWish) => {
      wishes.push({ kind: wish.kind, step: wish.step });
      throw new SigningRefused(wish.kind, 'a test');
    };
    const signers = {
      treasury: createTreasurySigner(key, profile),
      task: createSweepSigner(key, profile, randomAddress()),
      formers: [createSweepSigner(key, profile, randomAddress())],
      lanes: [createLane(key, profile)],
    };
    const { treasury, task, formers, lanes } = guardEvm(signers, guard);
    const asked = [
      treasury.signPayout({ payoutId: 'a', to: randomAddress(), value: 1n, validAfter: 0, validBefore: 9 }),
      task?.signSweep({ sweepId: 'a', value: 1n, validBefore: 9 }),
      formers[0]?.signSweep({ sweepId: 'a', value: 1n, validBefore: 9 }),
      lanes[0]?.signBatch({ ...batch(), kind: 'withdrawal', step: 'replacement' }),
    ];
    for (const one of asked) await expect(one).rejects.toThrow(SigningRefused);
    expect(wishes).toEqual([
      { kind: 'payout', step: 'new' },
      { kind: 'sweep', step: 'new' },
      { kind: 'sweep', step: 'new' },
      { kind: 'withdrawal', step: 'replacement' },
    ]);
    expect(signatures()).toBe(0);
  });
});

const solana = solanaProfile('local');
const keys = { treasury: Keypair.generate(), feePayer: Keypair.generate(), task: Keypair.generate() };
const replaced = Keypair.generate();
const signers = signersOf({ ...keys, formers: [replaced] }, solana);
const stranger = Keypair.generate().publicKey.toBase58();
const blockhash = Keypair.generate().publicKey.toBase58();
const [treasury, task, feePayer, former] = [keys.treasury, keys.task, keys.feePayer, replaced].map(({ publicKey }) =>
  publicKey.toBase58(),
);
const accountOf = (owner: string | undefined) => tokenAccountOf(owner ?? '', solana);

function messageOf(payer: string | undefined, instructions: TransactionInstruction[]): Uint8Array {
  const payerKey = new PublicKey(payer ?? '');
  return new TransactionMessage({ payerKey, recentBlockhash: blockhash, instructions })
    .compileToV0Message()
    .serialize();
}

type Change = Partial<{ source: string; destination: string; authority: string; amount: bigint }>;
const move = (from: string | undefined, to: string | undefined, change: Change = {}) =>
  transfer(
    { source: accountOf(from), destination: accountOf(to), authority: from ?? '', amount: 5n, ...change },
    solana,
  );
const opening = () => openAccount(treasury ?? '', stranger, accountOf(stranger), solana);
const away = () =>
  SystemProgram.transfer({ fromPubkey: keys.treasury.publicKey, toPubkey: new PublicKey(stranger), lamports: 1n });

const GOOD: Record<'payout' | 'sweep' | 'opening', Uint8Array> = {
  payout: messageOf(treasury, [limitUnits(9), priceUnits(1), opening(), move(treasury, stranger), memo('a')]),
  sweep: messageOf(treasury, [limitUnits(9), move(task, treasury), memo('a')]),
  opening: messageOf(treasury, [
    limitUnits(9),
    openAccount(treasury ?? '', treasury ?? '', accountOf(treasury), solana),
  ]),
};

test('the keys on Solana sign what they are for', async () => {
  for (const what of ['payout', 'sweep', 'opening'] as const)
    expect(await signers.treasury.sign(what, GOOD[what])).toHaveLength(64);
  expect(await signers.task?.sign('sweep', GOOD.sweep)).toHaveLength(64);
});

describe('the treasury on Solana signs no', () => {
  test.each<[string, SolanaSigning, () => Uint8Array]>([
    ['payout out of SOL', 'payout', () => messageOf(treasury, [move(treasury, stranger), away()])],
    ['payout into its own account', 'payout', () => messageOf(treasury, [move(treasury, treasury)])],
    ['payout to the task address', 'payout', () => messageOf(treasury, [move(treasury, task)])],
    ['payout to a former address', 'payout', () => messageOf(treasury, [move(treasury, former)])],
    ['sweep of a stranger', 'sweep', () => messageOf(treasury, [move(stranger, treasury)])],
    ['sweep to a former address', 'sweep', () => messageOf(treasury, [move(task, former)])],
    ['payout of nothing', 'payout', () => messageOf(treasury, [move(treasury, stranger, { amount: 0n })])],
    ['payout without a transfer', 'payout', () => messageOf(treasury, [opening(), memo('a')])],
    ['payout at another’s fee', 'payout', () => messageOf(feePayer, [move(treasury, stranger)])],
    ['payout that the task address signs too', 'payout', () => GOOD.sweep],
    ['payout of cut bytes', 'payout', () => GOOD.payout.slice(0, -1)],
    ['payout with bytes behind it', 'payout', () => Buffer.concat([GOOD.payout, Buffer.from([0])])],
    ['sweep to a stranger', 'sweep', () => messageOf(treasury, [move(task, stranger)])],
    ['sweep that also pays out', 'sweep', () => messageOf(treasury, [move(task, treasury), move(treasury, stranger)])],
    ['sweep that opens an account', 'sweep', () => messageOf(treasury, [opening(), move(task, treasury)])],
    ['opening of a stranger’s account', 'opening', () => messageOf(treasury, [opening()])],
    ['opening with a transfer', 'opening', () => GOOD.payout],
    ['payment of a stranger', 'inbound', () => messageOf(treasury, [memo('a')])],
    ['withdrawal', 'withdrawal', () => GOOD.payout],
  ])('%s', async (_name, what, bytes) => {
    await expect(signers.treasury.sign(what, bytes())).rejects.toThrow(SigningRefused);
  });
});

describe('the fee payer signs no', () => {
  const payment = (units: number, price: number) =>
    messageOf(feePayer, [limitUnits(units), priceUnits(price), move(stranger, treasury), memo('a')]);

  test('payment above its caps, and one within them', async () => {
    expect(await signers.feePayer.sign('inbound', payment(100_000, 50_000))).toHaveLength(64);
    await expect(signers.feePayer.sign('inbound', payment(100_001, 50_000))).rejects.toThrow('units');
    await expect(signers.feePayer.sign('inbound', payment(100_000, 50_001))).rejects.toThrow('micro-lamports');
  });

  test.each<SolanaSigning>(['payout', 'sweep', 'opening'])('%s of the treasury', async (what) => {
    await expect(signers.feePayer.sign(what, GOOD[what as 'payout'])).rejects.toThrow('signs no such thing');
  });
});

test('the key of a former address signs sweeps to the treasury only', async () => {
  const [key] = signers.formers;
  const sweep = messageOf(treasury, [limitUnits(9), move(former, treasury), memo('a')]);
  expect(await key?.sign('sweep', sweep)).toHaveLength(64);
  expect(await signers.treasury.sign('sweep', sweep)).toHaveLength(64);
  await expect(key?.sign('payout', GOOD.payout)).rejects.toThrow('signs no such thing');
  await expect(key?.sign('sweep', messageOf(treasury, [move(former, stranger)]))).rejects.toThrow('it moves money to');
});

test('the task key signs sweeps only', async () => {
  await expect(signers.task?.sign('payout', GOOD.payout)).rejects.toThrow('signs no such thing');
});

test('a guard of Solana is asked for each kind before the key', async () => {
  const asked: unknown[] = [];
  const guarded = guardSolana(signers.treasury, async (wish) => {
    asked.push(wish);
    throw new SigningRefused(wish.kind, 'a test');
  });
  await expect(guarded.sign('payout', GOOD.payout)).rejects.toThrow(SigningRefused);
  await expect(guarded.sign('sweep', GOOD.sweep)).rejects.toThrow(SigningRefused);
  // An account of ours is opened before anything can be stopped.
  expect(await guarded.sign('opening', GOOD.opening)).toHaveLength(64);
  expect(asked).toEqual([
    { kind: 'payout', step: 'new' },
    { kind: 'sweep', step: 'new' },
  ]);
});
