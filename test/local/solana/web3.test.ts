/** Unmodified web3.js on the local chain: every method that it has for what we do. */
import {
  AddressLookupTableProgram,
  ComputeBudgetProgram,
  type Connection,
  type Keypair,
  PublicKey,
  SendTransactionError,
  SystemProgram,
  Transaction,
  sendAndConfirmTransaction,
} from '@solana/web3.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { microUsdc } from '../../../core/money.ts';
import { GENESIS_HASH } from '../../../local/solana/ground/addresses.ts';
import { type SolanaChain, startSolanaChain } from '../../support/chains/solana-chain.ts';
import { createUsdcAccount, memo, randomAddress, toTransaction, usdcAccount, usdcTransfer } from './transfers.ts';

const ONE_SOL = 1_000_000_000n;
const READ = { maxSupportedTransactionVersion: 1 } as const;

let chain: SolanaChain;
let connection: Connection;
let alice: Keypair;
let bob: PublicKey;

beforeAll(async () => {
  chain = await startSolanaChain({ slotMs: 10 });
  connection = chain.connection();
});
afterAll(() => chain?.close());
beforeEach(async () => {
  alice = await chain.createKeypair({ usdc: microUsdc(5_000_000n), lamports: ONE_SOL });
  bob = randomAddress();
});

async function send(...instructions: Parameters<typeof toTransaction>[0]['instructions']): Promise<string> {
  const latest = await connection.getLatestBlockhash();
  const transaction = toTransaction({ payer: alice, instructions, blockhash: latest.blockhash });
  const signature = await connection.sendTransaction(transaction);
  const { value } = await connection.confirmTransaction({ signature, ...latest });
  expect(value.err).toBe(null);
  return signature;
}

describe('sending', () => {
  test('sendAndConfirmTransaction pays USDC into a new account, with a memo', async () => {
    const transaction = new Transaction().add(
      createUsdcAccount(alice.publicKey, bob),
      usdcTransfer(alice.publicKey, bob, 1_500_000n),
      memo('p:1'),
    );
    const signature = await sendAndConfirmTransaction(connection, transaction, [alice]);
    expect(await chain.usdcBalance(bob)).toBe(1_500_000n);
    expect(await chain.usdcBalance(alice.publicKey)).toBe(3_500_000n);
    const { value } = await connection.getSignatureStatus(signature);
    expect(value).toMatchObject({ err: null, status: { Ok: null } });
  });

  test('a transfer that would fail is refused with its logs, and costs nothing', async () => {
    const before = await chain.lamports(alice.publicKey);
    await send(createUsdcAccount(alice.publicKey, bob));
    const afterAccount = await chain.lamports(alice.publicKey);
    expect(before - afterAccount).toBe(1_488_440n + 5_000n);
    const failure = await send(usdcTransfer(alice.publicKey, bob, 6_000_000n)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SendTransactionError);
    expect((failure as SendTransactionError).message).toContain('custom program error: 0x1');
    expect((failure as SendTransactionError).logs?.join()).toContain('insufficient funds');
    expect(await chain.lamports(alice.publicKey)).toBe(afterAccount);
  });

  test('sent without preflight it lands as a failure and pays its fee', async () => {
    const { blockhash } = await connection.getLatestBlockhash();
    const before = await chain.lamports(alice.publicKey);
    const transfer = usdcTransfer(alice.publicKey, bob, 1n);
    const transaction = toTransaction({ payer: alice, instructions: [transfer], blockhash });
    const signature = await connection.sendTransaction(transaction, { skipPreflight: true });
    const { value } = await connection.getSignatureStatus(signature);
    expect(value?.err).toEqual({ InstructionError: [0, 'InvalidAccountData'] });
    expect(before - (await chain.lamports(alice.publicKey))).toBe(5_000n);
    chain.mine();
    const found = await connection.getTransaction(signature, READ);
    expect(found?.meta).toMatchObject({ err: value?.err, fee: 5_000 });
  });

  test('an account without the means to pay never lands', async () => {
    const poor = await chain.createKeypair();
    const { blockhash } = await connection.getLatestBlockhash();
    const transaction = toTransaction({ payer: poor, instructions: [memo('x')], blockhash });
    await expect(connection.sendTransaction(transaction)).rejects.toThrow('Attempt to debit an account');
    const signature = await connection.sendTransaction(transaction, { skipPreflight: true });
    expect((await connection.getSignatureStatus(signature)).value).toBe(null);
  });

  test('a wrong signature is refused, and without preflight never heard of again', async () => {
    const { blockhash } = await connection.getLatestBlockhash();
    const transaction = toTransaction({ payer: alice, instructions: [memo('x')], blockhash });
    transaction.signatures[0] = new Uint8Array(64).fill(7);
    await expect(connection.sendTransaction(transaction)).rejects.toThrow('signature verification failure');
    // A simulation does not ask for signatures, and what comes after it still does.
    expect((await connection.simulateTransaction(transaction)).value.err).toBe(null);
    const signature = await connection.sendTransaction(transaction, { skipPreflight: true });
    expect((await connection.getSignatureStatus(signature)).value).toBe(null);
  });

  test('a packet of 1,232 bytes lands and one of 1,233 is refused', async () => {
    const { blockhash } = await connection.getLatestBlockhash();
    const sized = (bytes: number) =>
      toTransaction({ payer: alice, instructions: [memo('x'.repeat(bytes))], blockhash });
    const overhead = sized(500).serialize().length - 500;
    expect(sized(1_232 - overhead).serialize().length).toBe(1_232);
    expect(await connection.sendTransaction(sized(1_232 - overhead))).toMatch(/^\w+$/);
    await expect(connection.sendTransaction(sized(1_233 - overhead))).rejects.toThrow(
      'too large: 1233 bytes (max: 1232',
    );
  });

  test('a transaction of version 0 takes accounts from a lookup table', async () => {
    // One that has a block, which the slot before it may not have.
    const recentSlot = await connection.getSlot('confirmed');
    chain.mine();
    const [create, table] = AddressLookupTableProgram.createLookupTable({
      authority: alice.publicKey,
      payer: alice.publicKey,
      recentSlot,
    });
    const addresses = [usdcAccount(bob), bob];
    await send(create);
    await send(
      createUsdcAccount(alice.publicKey, bob),
      AddressLookupTableProgram.extendLookupTable({
        lookupTable: table,
        authority: alice.publicKey,
        payer: alice.publicKey,
        addresses,
      }),
    );
    // Entries can be used from the next slot on.
    chain.mine(2);
    const { value: found } = await connection.getAddressLookupTable(table);
    expect(found?.state.addresses.map(String)).toEqual(addresses.map(String));
    const { blockhash } = await connection.getLatestBlockhash();
    const instructions = [usdcTransfer(alice.publicKey, bob, 7n)];
    const transaction = toTransaction({ payer: alice, instructions, blockhash, tables: [found!] });
    expect(transaction.message.addressTableLookups).toHaveLength(1);
    const signature = await connection.sendTransaction(transaction);
    expect(await chain.usdcBalance(bob)).toBe(7n);
    chain.mine();
    const landed = await connection.getTransaction(signature, READ);
    expect(landed?.meta?.loadedAddresses?.writable.map(String)).toEqual([usdcAccount(bob).toBase58()]);
    expect(landed?.meta?.postTokenBalances).toContainEqual(
      expect.objectContaining({ owner: bob.toBase58(), uiTokenAmount: expect.objectContaining({ amount: '7' }) }),
    );
  });

  test('the memo program writes what it was told, and a fee with a priority is the one that was foretold', async () => {
    const instructions = [
      ComputeBudgetProgram.setComputeUnitLimit({ units: 20_000 }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000_001 }),
      memo('héllo'),
    ];
    const { blockhash } = await connection.getLatestBlockhash();
    const transaction = toTransaction({ payer: alice, instructions, blockhash });
    const { value: fee } = await connection.getFeeForMessage(transaction.message);
    expect(fee).toBe(5_000 + 20_001);
    const before = await chain.lamports(alice.publicKey);
    const signature = await send(...instructions);
    expect(before - (await chain.lamports(alice.publicKey))).toBe(BigInt(fee!));
    const landed = await connection.getTransaction(signature, READ);
    expect(landed?.meta?.fee).toBe(fee);
    expect(landed?.meta?.logMessages?.join()).toContain('Program log: héllo');
  });

  test.each([
    ['without limit', []],
    ['with two signers', []],
  ])('the fee that is foretold is the fee that is paid: %s', async (title) => {
    const second = title === 'with two signers' ? await chain.createKeypair({ lamports: ONE_SOL }) : alice;
    const instructions = [
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 12_345 }),
      SystemProgram.transfer({ fromPubkey: second.publicKey, toPubkey: alice.publicKey, lamports: 0 }),
      memo(title),
    ];
    const { blockhash } = await connection.getLatestBlockhash();
    const signers = second === alice ? [alice] : [alice, second];
    const transaction = toTransaction({ payer: alice, instructions, blockhash, signers });
    const { value: fee } = await connection.getFeeForMessage(transaction.message);
    const before = await chain.lamports(alice.publicKey);
    await connection.sendTransaction(transaction);
    expect(before - (await chain.lamports(alice.publicKey))).toBe(BigInt(fee!));
  });
});

describe('simulating', () => {
  test('tells logs, units and accounts, and changes nothing', async () => {
    const { blockhash } = await connection.getLatestBlockhash();
    await chain.fundUsdc(bob, microUsdc(1n));
    chain.finalize();
    const transfer = usdcTransfer(alice.publicKey, bob, 9n);
    const transaction = toTransaction({ payer: alice, instructions: [transfer], blockhash });
    const account = usdcAccount(bob);
    const { value } = await connection.simulateTransaction(transaction, {
      sigVerify: true,
      accounts: { encoding: 'base64', addresses: [account.toBase58()] },
    });
    expect(value).toMatchObject({ err: null, unitsConsumed: expect.any(Number) });
    expect(value.unitsConsumed).toBeGreaterThan(0);
    const data = Buffer.from(value.accounts![0]!.data[0]!, 'base64');
    expect(data.readBigUInt64LE(64)).toBe(10n);
    expect(await chain.usdcBalance(bob)).toBe(1n);
  });

  test('asks for neither signature nor blockhash when told so, and for both when told so', async () => {
    const transfer = usdcTransfer(alice.publicKey, alice.publicKey, 1n);
    const transaction = toTransaction({
      payer: alice,
      instructions: [transfer],
      blockhash: PublicKey.default.toBase58(),
    });
    transaction.signatures[0] = new Uint8Array(64);
    const free = await connection.simulateTransaction(transaction, { replaceRecentBlockhash: true });
    expect(free.value.err).toBe(null);
    const strict = await connection.simulateTransaction(transaction);
    expect(strict.value.err).toBe('BlockhashNotFound');
    const { blockhash } = await connection.getLatestBlockhash();
    const unsigned = toTransaction({ payer: alice, instructions: [transfer], blockhash });
    unsigned.signatures[0] = new Uint8Array(64);
    expect((await connection.simulateTransaction(unsigned)).value.err).toBe(null);
    await expect(connection.simulateTransaction(unsigned, { sigVerify: true })).rejects.toThrow(
      'signature verification failure',
    );
    await expect(
      connection.simulateTransaction(unsigned, { sigVerify: true, replaceRecentBlockhash: true }),
    ).rejects.toThrow('sigVerify may not be used with replaceRecentBlockhash');
  });

  test('inner instructions are told in words', async () => {
    const { blockhash } = await connection.getLatestBlockhash();
    const create = createUsdcAccount(alice.publicKey, bob);
    const transaction = toTransaction({ payer: alice, instructions: [create], blockhash });
    const { value } = await connection.simulateTransaction(transaction, { innerInstructions: true });
    const inner = value.innerInstructions?.[0]?.instructions ?? [];
    expect(inner).toContainEqual(
      expect.objectContaining({
        program: 'spl-token',
        parsed: {
          type: 'initializeAccount3',
          info: { account: usdcAccount(bob).toBase58(), mint: chain.usdcMint, owner: bob.toBase58() },
        },
      }),
    );
  });
});

describe('reading', () => {
  test('a landed transaction in every form', async () => {
    await chain.fundUsdc(bob, microUsdc(1n));
    const signature = await send(usdcTransfer(alice.publicKey, bob, 250_000n), memo('p:2'));
    const found = await connection.getTransaction(signature, READ);
    expect(found).toMatchObject({ version: 0, slot: expect.any(Number), blockTime: expect.any(Number) });
    const balances = (of: 'preTokenBalances' | 'postTokenBalances') =>
      Object.fromEntries(found!.meta![of]!.map(({ owner, uiTokenAmount }) => [owner, uiTokenAmount]));
    const [from, to] = [alice.publicKey.toBase58(), bob.toBase58()];
    expect(balances('preTokenBalances')).toMatchObject({ [from]: { amount: '5000000' }, [to]: { amount: '1' } });
    expect(balances('postTokenBalances')).toMatchObject({
      [from]: { amount: '4750000', decimals: 6, uiAmount: 4.75, uiAmountString: '4.75' },
      [to]: { amount: '250001', uiAmountString: '0.250001' },
    });
    const { preBalances, postBalances } = found!.meta!;
    expect(preBalances[0]! - postBalances[0]!).toBe(5_000);

    const parsed = await connection.getParsedTransaction(signature, READ);
    expect(parsed?.transaction.message.accountKeys[0]).toMatchObject({ signer: true, writable: true });
    expect(parsed?.transaction.message.instructions).toMatchObject([
      {
        program: 'spl-token',
        parsed: {
          type: 'transferChecked',
          info: {
            source: usdcAccount(alice.publicKey).toBase58(),
            destination: usdcAccount(bob).toBase58(),
            authority: from,
            mint: chain.usdcMint,
            tokenAmount: { amount: '250000', decimals: 6 },
          },
        },
      },
      { program: 'spl-memo', parsed: 'p:2' },
    ]);
    await expect(chain.rpc('getTransaction', signature, { commitment: 'confirmed' })).rejects.toThrow(
      'Transaction version (0) is not supported',
    );
    const raw = await chain.rpc('getTransaction', signature, { ...READ, commitment: 'confirmed', encoding: 'base64' });
    expect(raw).toMatchObject({ version: 0, transaction: [expect.any(String), 'base64'] });
  });

  test('accounts, tokens and the cluster', async () => {
    const account = usdcAccount(alice.publicKey);
    const { value } = await connection.getTokenAccountBalance(account);
    expect(value).toEqual({ amount: '5000000', decimals: 6, uiAmount: 5, uiAmountString: '5' });
    const mint = new PublicKey(chain.usdcMint);
    const owned = await connection.getTokenAccountsByOwner(alice.publicKey, { mint });
    expect(owned.value.map(({ pubkey }) => pubkey.toBase58())).toEqual([account.toBase58()]);
    const parsed = await connection.getParsedTokenAccountsByOwner(alice.publicKey, { mint });
    expect(parsed.value[0]?.account.data.parsed).toMatchObject({
      info: { state: 'initialized', owner: alice.publicKey.toBase58() },
    });
    expect((await connection.getTokenSupply(mint)).value.uiAmount).toBeGreaterThan(0);
    const parsedMint = await connection.getParsedAccountInfo(mint);
    expect(parsedMint.value?.data).toMatchObject({ parsed: { type: 'mint', info: { decimals: 6 } } });
    const infos = await connection.getMultipleAccountsInfo([alice.publicKey, bob, account]);
    expect(infos.map((info) => info?.lamports ?? null)).toEqual([Number(ONE_SOL), null, 1_488_440]);
    expect(infos[2]?.data.readBigUInt64LE(64)).toBe(5_000_000n);
    expect(await connection.getBalance(alice.publicKey)).toBe(Number(ONE_SOL));
    expect(await connection.getMinimumBalanceForRentExemption(165)).toBe(1_488_440);
    expect(await connection.getGenesisHash()).toBe(GENESIS_HASH);
    expect(await connection.getVersion()).toMatchObject({ 'solana-core': expect.any(String) });
    const epoch = await connection.getEpochInfo();
    expect(epoch.absoluteSlot - epoch.blockHeight!).toBeGreaterThan(1_000_000);
    expect(await connection.getRecentPrioritizationFees()).not.toEqual([]);
  });

  test('the accounts of a program, by their content', async () => {
    const found = await connection.getProgramAccounts(new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'), {
      filters: [{ dataSize: 165 }, { memcmp: { offset: 32, bytes: alice.publicKey.toBase58() } }],
    });
    expect(found.map(({ pubkey }) => pubkey.toBase58())).toEqual([usdcAccount(alice.publicKey).toBase58()]);
  });

  test('a websocket tells of an account that changes', async () => {
    const changed = new Promise<number>((done) => {
      connection.onAccountChange(alice.publicKey, ({ lamports }) => done(lamports), { commitment: 'confirmed' });
    });
    await connection.getSlot();
    await new Promise((subscribed) => connection.onSlotChange(subscribed));
    await chain.fundSol(alice.publicKey, 5n);
    expect(await changed).toBe(Number(ONE_SOL) + 5);
  });

  test('an airdrop can be asked for', async () => {
    const signature = await connection.requestAirdrop(bob, 2_000_000_000);
    expect((await connection.getSignatureStatus(signature)).value?.confirmationStatus).toBe('confirmed');
    expect(await chain.lamports(bob)).toBe(2_000_000_000n);
  });
});

test('seventeen transfers with a memo fit one transaction, or eight that create accounts', async () => {
  const people = Array.from({ length: 17 }, randomAddress);
  const { blockhash } = await connection.getLatestBlockhash();
  const pay = async (count: number, creates: boolean) => {
    const instructions = [
      ComputeBudgetProgram.setComputeUnitLimit({ units: 400_000 }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1 }),
      ...people
        .slice(0, count)
        .flatMap((person) => [
          ...(creates ? [createUsdcAccount(alice.publicKey, person)] : []),
          usdcTransfer(alice.publicKey, person, 3n),
        ]),
      memo('p:0123456789abcdef0123456789abcdef'),
    ];
    const transaction = toTransaction({ payer: alice, instructions, blockhash });
    expect(transaction.serialize().length).toBeLessThanOrEqual(1_232);
    return connection.sendTransaction(transaction, { preflightCommitment: 'processed' });
  };
  await pay(8, true);
  for (const person of people.slice(8)) await chain.fundUsdc(person, microUsdc(3n));
  await pay(17, false);
  for (const person of people) expect(await chain.usdcBalance(person)).toBe(6n);
});
