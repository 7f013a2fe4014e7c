/** What a proof is told to come to before it may keep others from a distribution: only what is certain to fail is refused. */
import { describe, expect, test } from 'vitest';
import type { ReadPayload } from '../../../api/proofs/proof-check.ts';
import { createEvmProofs } from '../../../api/proofs/evm.ts';
import { createSolanaProofs } from '../../../api/proofs/solana.ts';
import { evmProfile } from '../../../chain/evm/rpc/profile.ts';
import { ChainUnavailable } from '../../../chain/errors.ts';
import { solanaProfile } from '../../../chain/solana/messages/profile.ts';
import type { Simulation } from '../../../chain/solana/rpc/sending.ts';

type Hex = `0x${string}`;
const PRICE = 1_000_000n;
const PAYER: Hex = `0x${'aa'.repeat(20)}`;
const TREASURY: Hex = `0x${'11'.repeat(20)}`;
const away = new ChainUnavailable('eth_call', 'unreachable');
const tookItDown = new ChainUnavailable('eth_call', 'refused');

const proofFrom = (from: string, payerAccount: string | null): ReadPayload => ({
  authorization: {
    from,
    to: TREASURY,
    value: PRICE,
    validAfter: 0,
    validBefore: 2_000_000_000,
    nonce: `0x${'cc'.repeat(32)}`,
    payerAccount,
  },
  signature: `0x${'bb'.repeat(65)}`,
});

/** Answers, or fails. */
const or = async <T>(answer: T | Error): Promise<T> => {
  if (answer instanceof Error) throw answer;
  return answer;
};

type Issuer = { isPaused: boolean; isBarred: boolean };
const LETS_ALL: Issuer = { isPaused: false, isBarred: false };

describe('on Base', () => {
  type View = { works: boolean | Error; balance: bigint | Error; used: boolean | Error; issuer?: Issuer | Error };
  const tryOut = ({ works, balance, used, issuer = LETS_ALL }: View) => {
    const checker = createEvmProofs({
      profile: evmProfile('base', 'local'),
      payTo: TREASURY,
      ownAddresses: [TREASURY],
      rpc: {
        code: async () => ['0x'],
        isValidSignature: async () => false,
        simulateBatch: async () => [{ success: await or(works), data: '0x' }],
        balanceOf: () => or(balance),
        authorizationStates: async () => [await or(used)],
        settlingState: async () => ({ ...(await or(issuer)), balancesWei: [] }),
      },
    });
    return checker.tryOut(proofFrom(PAYER, null));
  };

  test.each<[string, View, string]>([
    ['a transfer that works', { works: true, balance: away, used: away }, 'ok'],
    ['too little money', { works: false, balance: PRICE - 1n, used: false }, 'insufficient_funds'],
    ['enough money, and it fails', { works: false, balance: PRICE, used: false }, 'invalid_transaction_state'],
    [
      'code that takes the question down',
      { works: tookItDown, balance: PRICE, used: false },
      'invalid_transaction_state',
    ],
    [
      'USDC paused',
      { works: false, balance: PRICE, used: false, issuer: { ...LETS_ALL, isPaused: true } },
      'token_paused',
    ],
    [
      'a barred payer',
      { works: false, balance: PRICE, used: false, issuer: { ...LETS_ALL, isBarred: true } },
      'payer_barred',
    ],
    ['a node that does not say why', { works: false, balance: PRICE, used: false, issuer: away }, 'ok'],
    ['one that is used, so that the money is gone', { works: false, balance: 0n, used: true }, 'ok'],
    ['a node that is away', { works: away, balance: 0n, used: false }, 'ok'],
    ['a node that goes away', { works: false, balance: away, used: false }, 'ok'],
    ['a node that goes away last', { works: false, balance: 0n, used: away }, 'ok'],
  ])('%s', async (_case, view, verdict) => {
    expect(await tryOut(view)).toBe(verdict);
  });

  test('a fault of ours is no answer of the chain', async () => {
    await expect(tryOut({ works: new Error('a bug'), balance: 0n, used: false })).rejects.toThrow('a bug');
  });
});

describe('on Solana', () => {
  const holding = (amount: bigint) => ({ kind: 'usdc' as const, owner: 'payer', amount, frozen: false });
  type View = { account: ReturnType<typeof holding> | { kind: 'none' } | Error; simulated: Simulation | Error };
  const tryOut = ({ account, simulated }: View) => {
    const checker = createSolanaProofs({
      profile: solanaProfile('local'),
      payTo: 'treasury',
      feePayer: 'fees',
      ownAddresses: [],
      rpc: {
        tokenAccounts: async () => [await or(account)],
        simulate: () => or(simulated),
        newestSignatures: async () => [],
        transaction: async () => null,
      },
    });
    return checker.tryOut(proofFrom('payer', 'account'));
  };
  const failing = (reason: 'blockhash' | 'already-processed' | 'fee-payer'): Simulation => ({
    slot: 1,
    ok: false,
    reason,
  });
  const enough = holding(PRICE);

  const failed: Simulation = { slot: 1, ok: false, reason: 'failed', instruction: 2, code: 1 };

  test.each<[string, View, string]>([
    ['a transaction that works', { account: away, simulated: { slot: 1, ok: true } }, 'ok'],
    ['too little money', { account: holding(PRICE - 1n), simulated: failed }, 'insufficient_funds'],
    ['no account at all', { account: { kind: 'none' }, simulated: failing('blockhash') }, 'insufficient_funds'],
    ['enough money, and it fails', { account: enough, simulated: failed }, 'invalid_transaction_state'],
    ['an account that the issuer froze', { account: { ...enough, frozen: true }, simulated: failed }, 'payer_barred'],
    ['a blockhash that a lagging node does not know yet', { account: enough, simulated: failing('blockhash') }, 'ok'],
    [
      'one that has landed, so that the money is gone',
      { account: holding(0n), simulated: failing('already-processed') },
      'ok',
    ],
    ['a fee payer of ours without money', { account: enough, simulated: failing('fee-payer') }, 'ok'],
    ['a node that is away', { account: enough, simulated: away }, 'ok'],
    ['a node that goes away', { account: away, simulated: failed }, 'ok'],
  ])('%s', async (_case, view, verdict) => {
    expect(await tryOut(view)).toBe(verdict);
  });
});
