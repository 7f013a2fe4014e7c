import { Keypair, PublicKey, SystemProgram } from '@solana/web3.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tokenAccountOf } from '../../../../chain/solana/messages/addresses.ts';
import { toBase58 } from '../../../../chain/solana/messages/base58.ts';
import { BLOCKHASH_BLOCKS } from '../../../../chain/solana/messages/programs.ts';
import { solanaProfile } from '../../../../chain/solana/messages/profile.ts';
import { createSolanaRpc, type SolanaRpc } from '../../../../chain/solana/rpc/rpc.ts';
import { microUsdc } from '../../../../core/money.ts';
import { type SolanaChain, startSolanaChain } from '../../../support/chains/solana-chain.ts';
import {
  memo,
  randomAddress,
  toTransaction,
  toWire,
  usdcAccount,
  usdcTransfer,
} from '../../../local/solana/transfers.ts';
import { answer, answeringAlone, type Handler, startFakeNode } from '../../evm/fake-node.ts';

const profile = solanaProfile('local');

let chain: SolanaChain;
let rpc: SolanaRpc;
let alice: Keypair;

const connect = (url: string, timeoutMs = 5_000) => createSolanaRpc({ url, timeoutMs, profile, ownAccounts: [] });

beforeAll(async () => {
  chain = await startSolanaChain();
  rpc = connect(chain.rpcUrl);
  alice = await chain.createKeypair({ usdc: microUsdc(1_000n), lamports: 1_000_000_000n });
});
afterAll(() => chain?.close());
beforeEach(() => chain.clearFaults());

/** Not sent yet. */
async function toMemo(text: string, payer = alice) {
  const { blockhash } = await rpc.latestBlockhash();
  const transaction = toTransaction({ payer, blockhash, instructions: [memo(text)] });
  return { wire: toWire(transaction), signature: toBase58(transaction.signatures[0] ?? new Uint8Array()) };
}

describe('the network', () => {
  test('is known by its genesis hash', async () => {
    expect(await rpc.genesisHash()).toBe(profile.genesisHash);
  });

  test('has a slot and a height for each level of certainty', async () => {
    chain.skipSlots(3);
    const slots = await Promise.all((['finalized', 'confirmed', 'processed'] as const).map((level) => rpc.slot(level)));
    const heights = await Promise.all(
      (['finalized', 'confirmed', 'processed'] as const).map((level) => rpc.height(level)),
    );
    expect(slots).toEqual(slots.toSorted((a, b) => a - b));
    expect(heights.map((height) => height - (heights[0] ?? 0))).toEqual([0, 31, 32]);
    expect(await rpc.finalized()).toEqual({ slot: slots[0], height: heights[0] });
  });

  test('has an oldest block, whose height is asked for and never above its slot', async () => {
    const [oldest] = chain.chain.blocks.all();
    expect(await rpc.ledgerStart()).toEqual({ slot: oldest?.slot, height: oldest?.height });
    const answering = (slot: number, block: object | null) =>
      answeringAlone(({ method }) => (method === 'getFirstAvailableBlock' ? slot : block));
    const ledgerOf = async (...said: Parameters<typeof answering>) =>
      connect((await startFakeNode(answering(...said))).url).ledgerStart();
    expect(await ledgerOf(900, { blockHeight: 700 })).toEqual({ slot: 900, height: 700 });
    expect(await ledgerOf(900, { blockHeight: null })).toEqual({ slot: 900, height: 900 });
    await expect(ledgerOf(900, { blockHeight: 901 })).rejects.toMatchObject({ fault: 'inconsistent' });
    // An empty ledger begins at slot 0, and shows no block there.
    await expect(ledgerOf(0, null)).rejects.toMatchObject({ method: 'getBlock' });
  });

  test('is not asked for a height by a node that lags behind a slot', async () => {
    const slot = await rpc.slot('processed');
    expect(await rpc.height('processed', slot)).toBeGreaterThan(0);
    await expect(rpc.height('processed', slot + 1)).rejects.toMatchObject({ fault: 'refused', code: -32_016 });
  });

  test('gives blockhashes that are good for 150 blocks after their own', async () => {
    const [height, { blockhash, lastValidHeight }] = await Promise.all([
      rpc.height('confirmed'),
      rpc.latestBlockhash(),
    ]);
    expect(new PublicKey(blockhash).toBytes()).toHaveLength(32);
    expect(lastValidHeight - height).toBe(BLOCKHASH_BLOCKS);
  });

  test('says what a wallet has in lamports, and what opening a token account costs', async () => {
    expect(await rpc.lamports(alice.publicKey.toBase58())).toBe(1_000_000_000n);
    const stranger = randomAddress().toBase58();
    expect(await rpc.lamports(stranger)).toBe(0n);
    const state = await rpc.settlingState(
      [alice.publicKey.toBase58(), stranger],
      usdcAccount(alice.publicKey).toBase58(),
    );
    expect(state).toMatchObject({ lamports: [1_000_000_000n, 0n], account: { kind: 'usdc', amount: 1_000n } });
    expect(state.slot).toBeLessThanOrEqual(await rpc.slot('confirmed'));
    expect(await rpc.tokenAccountRent()).toBe(1_488_440n);
  });
});

describe('token accounts', () => {
  test('are seen with their owner, what they hold, and whether they are frozen', async () => {
    const bob = await chain.createKeypair({ usdc: microUsdc(7n) });
    await chain.freezeUsdc(bob.publicKey);
    chain.mine();
    const views = await rpc.tokenAccounts([
      usdcAccount(alice.publicKey).toBase58(),
      usdcAccount(bob.publicKey).toBase58(),
      usdcAccount(randomAddress()).toBase58(),
    ]);
    expect(views).toEqual([
      { kind: 'usdc', owner: alice.publicKey.toBase58(), amount: 1_000n, frozen: false },
      { kind: 'usdc', owner: bob.publicKey.toBase58(), amount: 7n, frozen: true },
      { kind: 'none' },
    ]);
  });

  test('are nothing else: not wallets with money, not mints, not programs', async () => {
    const accountWithSol = usdcAccount(randomAddress()).toBase58();
    await chain.fundSol(accountWithSol, 1_000_000n);
    chain.mine();
    const addresses = [profile.usdc, 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', accountWithSol];
    expect((await rpc.tokenAccounts(addresses)).map(({ kind }) => kind)).toEqual(['other', 'other', 'none']);
  });

  test('of another mint are not ours to use', async () => {
    const testnet = createSolanaRpc({
      url: chain.rpcUrl,
      timeoutMs: 5_000,
      profile: solanaProfile('testnet'),
      ownAccounts: [],
    });
    expect(await testnet.tokenAccounts([usdcAccount(alice.publicKey).toBase58()])).toEqual([{ kind: 'other' }]);
  });

  test('of another program are not ours to use, even if they look the same', async () => {
    const account = usdcAccount(alice.publicKey).toBase58();
    const answer = (await chain.rpc('getMultipleAccounts', [account], { encoding: 'base64' })) as { value: object[] };
    const owner = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
    const node = await startFakeNode(
      answeringAlone(() => ({ context: { slot: 1 }, value: answer.value.map((found) => ({ ...found, owner })) })),
    );
    expect(await connect(node.url).tokenAccounts([account])).toEqual([{ kind: 'other' }]);
  });

  test('are asked for a hundred at a time, and answered in order', async () => {
    const addresses = Array.from({ length: 230 }, (_, index) =>
      index === 117 ? usdcAccount(alice.publicKey).toBase58() : usdcAccount(randomAddress()).toBase58(),
    );
    const views = await rpc.tokenAccounts(addresses);
    expect(views.map(({ kind }) => kind)).toEqual(addresses.map((_, index) => (index === 117 ? 'usdc' : 'none')));
  });

  test('have a balance, with the slot of the view', async () => {
    const bob = await chain.createKeypair({ usdc: microUsdc(7n) });
    const account = tokenAccountOf(bob.publicKey.toBase58(), profile);
    await chain.fundUsdc(bob.publicKey, microUsdc(5n));
    chain.mine();
    expect(await rpc.tokenBalance(account, 'finalized')).toEqual({ slot: await rpc.slot('finalized'), amount: 7n });
    expect(await rpc.tokenBalance(account, 'confirmed')).toEqual({ slot: await rpc.slot('confirmed'), amount: 12n });
    expect(await rpc.tokenBalance(usdcAccount(randomAddress()).toBase58(), 'confirmed')).toBe(null);
    expect(await rpc.tokenBalance(bob.publicKey.toBase58(), 'confirmed')).toBe(null);
  });

  test('the account at a wallet’s address belongs to the system, a program, or nobody yet', async () => {
    const addresses = [alice.publicKey, usdcAccount(alice.publicKey), randomAddress()].map(String);
    expect(await rpc.ownerKinds(addresses)).toEqual(['system', 'other', 'none']);
  });
});

describe('statuses', () => {
  test('say when it landed, how sure that is, and whether it failed', async () => {
    const good = await toMemo('good');
    await rpc.sendRaw(good.wire);
    const slot = await rpc.slot('processed');
    const asked = async () => (await rpc.statuses([good.signature])).statuses;
    expect(await asked()).toEqual([{ slot, failed: false, commitment: 'processed' }]);
    chain.mine();
    expect(await asked()).toEqual([{ slot, failed: false, commitment: 'confirmed' }]);
    chain.finalize();
    expect(await asked()).toEqual([{ slot, failed: false, commitment: 'finalized' }]);
    // Nodes forget so old ones unless they are told to search.
    chain.mine(400);
    expect(await asked()).toEqual([{ slot, failed: false, commitment: 'finalized' }]);
  });

  test('of one that failed say so', async () => {
    const { blockhash } = await rpc.latestBlockhash();
    const instructions = [usdcTransfer(alice.publicKey, randomAddress(), 1n)];
    const transaction = toTransaction({ payer: alice, blockhash, instructions });
    await rpc.sendRaw(toWire(transaction));
    const { statuses } = await rpc.statuses([toBase58(transaction.signatures[0] ?? new Uint8Array())]);
    expect(statuses).toMatchObject([{ failed: true }]);
  });

  test('of 600 are asked for 256 at a time, and answered in order', async () => {
    const landed = await toMemo('one of many');
    await rpc.sendRaw(landed.wire);
    const unknown = () => toBase58(Keypair.generate().secretKey);
    const signatures = Array.from({ length: 600 }, (_, index) => (index === 300 ? landed.signature : unknown()));
    const { statuses, contextSlot } = await rpc.statuses(signatures);
    expect(statuses).toHaveLength(600);
    expect(statuses.flatMap((status, index) => (status ? [index] : []))).toEqual([300]);
    expect(contextSlot).toBe(await rpc.slot('processed'));
  });

  test('come with the slot of the slowest answer', async () => {
    const node = await startFakeNode(
      answeringAlone(({ params }) => {
        const list = params[0] as string[];
        return { context: { slot: list.length }, value: list.map(() => null) };
      }),
    );
    const signatures = Array.from({ length: 300 }, () => toBase58(Keypair.generate().secretKey));
    expect((await connect(node.url).statuses(signatures)).contextSlot).toBe(44);
    expect(await connect(node.url).statuses([])).toEqual({ contextSlot: 0, statuses: [] });
  });

  test.each([
    ['fewer than were asked for', { context: { slot: 1 }, value: [] }],
    ['one without a level', { context: { slot: 1 }, value: [{ slot: 1, err: null, confirmationStatus: null }] }],
    [
      'one without a word about success',
      { context: { slot: 1 }, value: [{ slot: 1, confirmationStatus: 'finalized' }] },
    ],
    ['some without a slot', { context: {}, value: [null] }],
  ])('%s are no answer', async (_name, result) => {
    const node = await startFakeNode(answeringAlone(() => result));
    const asked = connect(node.url).statuses([toBase58(Keypair.generate().secretKey)]);
    await expect(asked).rejects.toMatchObject({ name: 'ChainUnavailable', fault: 'malformed' });
  });
});

describe('a simulation', () => {
  test('of what would work works, signed or not, and has no effect', async () => {
    const { wire } = await toMemo('try');
    const unsigned = Buffer.from(wire, 'base64').fill(0, 1, 65).toString('base64');
    const slot = await rpc.slot('processed');
    expect(await rpc.simulate(wire)).toEqual({ ok: true, slot });
    expect(await rpc.simulate(unsigned)).toEqual({ ok: true, slot });
    expect(await rpc.simulate(wire)).toEqual({ ok: true, slot });
  });

  test('names a blockhash that is too old', async () => {
    const { wire } = await toMemo('old');
    chain.mine(149);
    expect(await rpc.simulate(wire)).toMatchObject({ ok: true });
    chain.mine(3);
    expect(await rpc.simulate(wire)).toMatchObject({ ok: false, reason: 'blockhash' });
  });

  test('names one that has landed', async () => {
    const { wire } = await toMemo('landed');
    await rpc.sendRaw(wire);
    expect(await rpc.simulate(wire)).toMatchObject({ ok: false, reason: 'already-processed' });
  });

  test('names the instruction that fails, and its program’s number for it', async () => {
    const { blockhash } = await rpc.latestBlockhash();
    const bob = await chain.createKeypair({ usdc: microUsdc(1n) });
    const instructions = [memo('x'), usdcTransfer(alice.publicKey, bob.publicKey, 10_000n)];
    const wire = toWire(toTransaction({ payer: alice, blockhash, instructions }));
    expect(await rpc.simulate(wire)).toMatchObject({ ok: false, reason: 'failed', instruction: 1, code: 1 });
  });

  test('tells a fee payer without SOL from a payment that fails', async () => {
    const { blockhash } = await rpc.latestBlockhash();
    const poor = await chain.createKeypair();
    // Enough for the fee, and not for what an account must keep.
    const almost = await chain.createKeypair({ lamports: 652_000n });
    for (const payer of [poor, almost]) {
      const wire = toWire(toTransaction({ payer, blockhash, instructions: [memo('x')] }));
      expect(await rpc.simulate(wire)).toMatchObject({ ok: false, reason: 'fee-payer' });
    }
  });

  test.each<[unknown, object]>([
    ['BlockhashNotFound', { reason: 'blockhash' }],
    ['AlreadyProcessed', { reason: 'already-processed' }],
    ['AccountNotFound', { reason: 'fee-payer' }],
    ['InsufficientFundsForFee', { reason: 'fee-payer' }],
    [{ InsufficientFundsForRent: { account_index: 0 } }, { reason: 'fee-payer' }],
    [{ InsufficientFundsForRent: { account_index: 3 } }, { reason: 'failed', instruction: null, code: null }],
    [{ InstructionError: [2, { Custom: 17 }] }, { reason: 'failed', instruction: 2, code: 17 }],
    [{ InstructionError: [2, 'InvalidAccountData'] }, { reason: 'failed', instruction: 2, code: null }],
    [{ InstructionError: [0, { Custom: 0 }] }, { reason: 'failed', instruction: 0, code: 0 }],
    ['SomethingNew', { reason: 'failed', instruction: null, code: null }],
    [{ SomethingNew: {} }, { reason: 'failed', instruction: null, code: null }],
  ])('that a node answers with %j is understood', async (err, expected) => {
    const node = await startFakeNode(answeringAlone(() => ({ context: { slot: 3 }, value: { err } })));
    expect(await connect(node.url).simulate('AAAA')).toEqual({ ok: false, slot: 3, ...expected });
  });

  test('that says nothing about an error counts as none', async () => {
    const node = await startFakeNode(answeringAlone(() => ({ context: { slot: 3 }, value: { logs: [] } })));
    await expect(connect(node.url).simulate('AAAA')).rejects.toMatchObject({ fault: 'malformed' });
  });

  test('of bytes that are no transaction is refused', async () => {
    await expect(rpc.simulate('AAAA')).rejects.toMatchObject({
      name: 'ChainUnavailable',
      fault: 'refused',
      code: -32_602,
    });
  });
});

describe('handing over', () => {
  test('asks for no preflight and no repeats, in base64', async () => {
    const seen: unknown[] = [];
    const node = await startFakeNode(
      answeringAlone(({ method, params }) => {
        seen.push(method, params);
        return 'S';
      }),
    );
    await connect(node.url).sendRaw('AAAA');
    const config = { encoding: 'base64', skipPreflight: true, preflightCommitment: 'processed', maxRetries: 0 };
    expect(seen).toEqual(['sendTransaction', ['AAAA', config]]);
  });

  test('a lost reply is no failure, and the transaction has landed', async () => {
    const { wire, signature } = await toMemo('lost');
    await chain.setFault({ kind: 'lose_reply', method: 'sendTransaction', times: 1 });
    await rpc.sendRaw(wire);
    expect(await chain.fired('lose_reply')).toBe(1);
    chain.mine();
    expect((await rpc.statuses([signature])).statuses).toMatchObject([{ failed: false }]);
  });

  test.each<[string, Handler]>([
    ['a refusal', (_question, response) => answer(response, { id: 0, error: { code: -32_002, message: 'no' } })],
    ['a node that is not there', (_question, response) => answer(response, {}, 503)],
    ['an answer of another kind', (_question, response) => response.end('<html>')],
    ['a broken connection', (_question, response) => response.destroy()],
    ['silence', () => undefined],
  ])('%s says nothing', async (_name, handler) => {
    const node = await startFakeNode(handler);
    // Only silence waits for the limit, and the question must have come by then.
    await connect(node.url, 500).sendRaw('AAAA');
    expect(node.requests()).toBe(1);
  });
});

describe('a node that fails', () => {
  const questions: [string, (from: SolanaRpc) => Promise<unknown>][] = [
    ['getGenesisHash', (from) => from.genesisHash()],
    ['getBlockHeight', (from) => from.height('processed')],
    ['getSlot', (from) => from.slot('processed')],
    ['getEpochInfo', (from) => from.finalized()],
    ['getLatestBlockhash', (from) => from.latestBlockhash()],
    ['getFirstAvailableBlock', (from) => from.ledgerStart()],
    ['getBalance', (from) => from.lamports(SystemProgram.programId.toBase58())],
    ['getMinimumBalanceForRentExemption', (from) => from.tokenAccountRent()],
    ['getMultipleAccounts', (from) => from.tokenAccounts([profile.usdc])],
    ['getMultipleAccounts', (from) => from.ownerKinds([profile.usdc])],
    ['getAccountInfo', (from) => from.tokenBalance(profile.usdc, 'finalized')],
    ['getSignatureStatuses', (from) => from.statuses([])],
    ['getSignaturesForAddress', (from) => from.signaturesFor(profile.usdc, { until: null, minContextSlot: 0, max: 1 })],
    ['getSignaturesForAddress', (from) => from.newestSignature(profile.usdc)],
    ['getTransaction', (from) => from.transaction(toBase58(alice.secretKey))],
    ['simulateTransaction', (from) => from.simulate('AAAA')],
  ];

  test.each(questions)('by losing its reply to %s is unavailable, and says no more', async (method, ask) => {
    await chain.setFault({ kind: 'lose_reply', method, times: 1 });
    await expect(ask(rpc)).rejects.toMatchObject({ name: 'ChainUnavailable', method, fault: 'unreachable' });
    expect(await chain.fired('lose_reply')).toBe(1);
  });

  test.each(questions)('by answering %s with something else is unavailable', async (method, ask) => {
    const node = await startFakeNode(answeringAlone(() => ({ context: { slot: -1 }, value: {}, note: node.url })));
    const error = await ask(connect(node.url)).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ name: 'ChainUnavailable', method, fault: 'malformed' });
    expect(String(error)).not.toContain('127.0.0.1');
  });

  test.each(questions)('never leaves the level of certainty of %s to the node', async (method, ask) => {
    const seen: unknown[] = [];
    const node = await startFakeNode(answeringAlone(({ params }) => void seen.push(params)));
    await ask(connect(node.url)).catch(() => undefined);
    const withoutLevels = ['getGenesisHash', 'getSignatureStatuses', 'getFirstAvailableBlock'];
    expect(JSON.stringify(seen).includes('"commitment"')).toBe(!withoutLevels.includes(method));
  });
});
