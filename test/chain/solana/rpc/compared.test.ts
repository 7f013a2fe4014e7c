/** Two nodes of one Solana, of which one lies. What the first says alone is believed: each case shows that, too. */
import { Keypair } from '@solana/web3.js';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { tokenAccountOf } from '../../../../chain/solana/messages/addresses.ts';
import { solanaProfile } from '../../../../chain/solana/messages/profile.ts';
import { compareSolana, type ComparedSolana } from '../../../../chain/solana/rpc/compared.ts';
import { createSolanaRpc, type SolanaRpc } from '../../../../chain/solana/rpc/rpc.ts';
import { microUsdc } from '../../../../core/money.ts';
import { startRpcProxy, type RpcProxy } from '../../../support/chains/rpc-proxy.ts';
import { startSolanaChain, type SolanaChain } from '../../../support/chains/solana-chain.ts';

const PROFILE = solanaProfile('local');
const ASKED = ['getSignaturesForAddress', 'getSignatureStatuses', 'getTransaction', '*'];
const OWNER = Keypair.generate().publicKey.toBase58();
const ACCOUNT = tokenAccountOf(OWNER, PROFILE);

let chain: SolanaChain;
let proxies: { first: RpcProxy; second: RpcProxy };
let alone: SolanaRpc;
let compared: ComparedSolana;
/** A payment to the account. */
let paid: string;

beforeAll(async () => {
  chain = await startSolanaChain();
  proxies = { first: await startRpcProxy(chain.rpcUrl), second: await startRpcProxy(chain.rpcUrl) };
  const connect = ({ url }: RpcProxy) =>
    createSolanaRpc({ url, timeoutMs: 2_000, profile: PROFILE, ownAccounts: [{ account: ACCOUNT, owner: OWNER }] });
  alone = connect(proxies.first);
  compared = compareSolana(alone, connect(proxies.second), () => undefined);
  await chain.fundUsdc(OWNER, microUsdc(5n));
  chain.mine(100);
  const [newest] = await alone.newestSignatures(ACCOUNT, 1);
  if (newest === undefined) throw new Error('the transfer is not there');
  paid = newest.signature;
});
afterEach(() => {
  for (const proxy of Object.values(proxies)) for (const method of ASKED) proxy.fail(method, { kind: 'drop' }).heal();
});
afterAll(async () => {
  await Promise.all([proxies.first.close(), proxies.second.close()]);
  await chain.close();
});

const CONTRADICTED = { fault: 'contradicted' };
const since = async () => ({ until: null, minContextSlot: (await alone.finalized()).slot, max: 100 });

test('two nodes that say the same are one', async () => {
  const { rpc } = compared;
  expect(await rpc.finalized()).toEqual(await alone.finalized());
  expect(await rpc.height('finalized')).toBe(await alone.height('finalized'));
  expect(await rpc.latestBlockhash()).toEqual(await alone.latestBlockhash());
  expect(await rpc.ledgerStart()).toEqual(await alone.ledgerStart());
  expect(await rpc.statuses([paid])).toEqual(await alone.statuses([paid]));
  expect(await rpc.statuses([])).toMatchObject({ statuses: [] });
  expect(await rpc.transaction(paid)).toEqual(await alone.transaction(paid));
  expect(await rpc.signaturesFor(ACCOUNT, await since())).toEqual(await alone.signaturesFor(ACCOUNT, await since()));
  expect(await rpc.newestSignatures(ACCOUNT, 25)).toEqual(await alone.newestSignatures(ACCOUNT, 25));
});

test.each(['first', 'second'] as const)('a history that the %s node leaves out is no answer', async (liar) => {
  const lie = proxies[liar].fail('getSignaturesForAddress', { kind: 'empty_logs' });
  if (liar === 'first') expect((await alone.signaturesFor(ACCOUNT, await since())).found).toEqual([]);
  await expect(compared.rpc.signaturesFor(ACCOUNT, await since())).rejects.toMatchObject(CONTRADICTED);
  // What is new may be missing for a moment: what either lists is read.
  const recent = { ...(await since()), minContextSlot: 0 };
  expect((await compared.rpc.signaturesFor(ACCOUNT, recent)).found).toMatchObject([{ signature: paid }]);
  expect(await compared.rpc.newestSignatures(ACCOUNT, 25)).toMatchObject([{ signature: paid }]);
  expect(lie.fired()).toBeGreaterThan(2);
});

test.each(['first', 'second'] as const)('a transaction that the %s node denies is no answer', async (liar) => {
  const lies = ['getSignatureStatuses', 'getTransaction'].map((method) =>
    proxies[liar].fail(method, { kind: 'no_receipt' }),
  );
  if (liar === 'first') {
    expect(await alone.transaction(paid)).toBeNull();
    expect((await alone.statuses([paid])).statuses).toEqual([null]);
  }
  await expect(compared.rpc.transaction(paid)).rejects.toMatchObject(CONTRADICTED);
  await expect(compared.rpc.statuses([paid])).rejects.toMatchObject(CONTRADICTED);
  expect(lies.every((lie) => lie.fired() > 0)).toBe(true);
});

test('a node that lags makes a transaction neither dead nor final', async () => {
  const { slot } = (await alone.transaction(paid)) ?? { slot: 0 };
  const early = { slot: slot - 40, height: 1 };
  let wasNear = false;
  const behind: SolanaRpc = {
    ...alone,
    slot: async (commitment) => (wasNear ? slot - 1 : alone.slot(commitment)),
    finalized: async () => early,
    height: async () => 1,
    latestBlockhash: async () => ({ ...(await alone.latestBlockhash()), lastValidHeight: 7 }),
    // It has lost more than the other.
    ledgerStart: async () => ({ slot: slot - 5, height: slot - 9 }),
    transaction: async () => null,
    statuses: async (signatures) => ({ contextSlot: slot - 1, statuses: signatures.map(() => null) }),
  };
  for (const [one, two] of [
    [alone, behind],
    [behind, alone],
  ] as const) {
    const { rpc, comparison } = compareSolana(one, two, () => undefined);
    wasNear = false;
    await rpc.height('processed');
    wasNear = true;
    expect(await rpc.finalized()).toEqual(early);
    expect(await rpc.ledgerStart()).toEqual({ slot: slot - 5, height: slot - 9 });
    expect(await rpc.height('processed')).toBe(await alone.height('processed'));
    expect(await rpc.latestBlockhash()).toMatchObject({
      lastValidHeight: (await alone.latestBlockhash()).lastValidHeight,
    });
    expect(await rpc.transaction(paid)).toBeNull();
    expect(await rpc.statuses([paid])).toEqual({ contextSlot: slot - 1, statuses: [null] });
    expect(comparison.disagrees()).toBe(false);
  }
});

test('a node that says too high a block ends no transaction, whichever it is and however low its slot', async () => {
  const truth = { slot: 900, height: 700 };
  const honest: SolanaRpc = { ...alone, finalized: async () => truth, height: async () => truth.height };
  const lying = (slot: number): SolanaRpc => ({
    ...honest,
    finalized: async () => ({ slot, height: truth.height + 1_000 }),
    height: async () => truth.height + 1_000,
  });
  for (const slot of [truth.slot, truth.slot - 1]) {
    for (const [one, two] of [
      [honest, lying(slot)],
      [lying(slot), honest],
    ] as const) {
      const { rpc } = compareSolana(one, two, () => undefined);
      expect(await rpc.finalized()).toEqual({ slot, height: truth.height });
      expect(await rpc.height('finalized')).toBe(truth.height);
    }
  }
});

test('of two views of a transaction the one that is less certain counts', async () => {
  const { statuses } = await alone.statuses([paid]);
  const [status] = statuses;
  if (!status) throw new Error('the transfer has no status');
  const contextSlot = status.slot + 50;
  const withStatus = (change: Partial<typeof status>): SolanaRpc => ({
    ...alone,
    statuses: async () => ({ contextSlot, statuses: [{ ...status, ...change }] }),
  });
  const ask = (one: SolanaRpc, two: SolanaRpc) => compareSolana(one, two, () => undefined).rpc.statuses([paid]);
  expect(await ask(withStatus({}), withStatus({ commitment: 'confirmed' }))).toMatchObject({
    statuses: [{ commitment: 'confirmed' }],
  });
  // On a fork it may be elsewhere, and fail there.
  const onFork = { commitment: 'processed', failed: true, slot: status.slot + 1 } as const;
  expect(await ask(withStatus({}), withStatus(onFork))).toMatchObject({ statuses: [onFork] });
  await expect(ask(withStatus({}), withStatus({ failed: true }))).rejects.toMatchObject(CONTRADICTED);
  await expect(ask(withStatus({ slot: 1 }), withStatus({}))).rejects.toMatchObject(CONTRADICTED);
});
