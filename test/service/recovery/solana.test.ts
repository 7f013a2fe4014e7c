/** A transaction that an earlier start has sent: another is signed only where the node would know that it landed. */
import { Keypair } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { solanaProfile } from '../../../chain/solana/messages/profile.ts';
import { ChainUnavailable } from '../../../chain/errors.ts';
import type { Journal } from '../../../service/recovery/journal.ts';
import type { MoveEnd } from '../../../service/recovery/move.ts';
import { recoverOnSolana, type SolanaRecovery } from '../../../service/recovery/solana.ts';

const END_HEIGHT = 5_000;
const TO = Keypair.generate().publicKey.toBase58();
const move = { walletId: 'x:7', network: 'solana' as const, from: 'from', to: TO, amountMicroUsdc: 1n };
const attempt = { walletId: 'x:7', generation: 0, signature: 'sent', wire: 'AAAA', lastValidHeight: END_HEIGHT };

/** The node denies what was sent, long after it could land. Null: it does not say which blocks it has. */
async function recoverFrom(oldestHeight: number | null): Promise<{ end: MoveEnd | null; isSignedAgain: boolean }> {
  const result = { end: null as MoveEnd | null, isSignedAgain: false };
  const journal: Journal = {
    last: () => ({ attempt, end: null }),
    begin: () => undefined,
    finish: () => undefined,
  };
  let nowMs = 0;
  const rpc = {
    finalized: async () => ({ slot: 9_000, height: 8_000 }),
    statuses: async () => ({ contextSlot: 9_000, statuses: [null] }),
    ledgerStart: async () => {
      if (oldestHeight === null) throw new ChainUnavailable('getFirstAvailableBlock', 'refused');
      return { slot: oldestHeight + 500, height: oldestHeight };
    },
    sendRaw: async () => undefined,
    // The first question of who signs.
    recipient: async () => {
      result.isSignedAgain = true;
      throw new ChainUnavailable('getMultipleAccounts', 'timeout');
    },
  };
  const recovery = {
    rpc,
    profile: solanaProfile('local'),
    journal,
    run: '1',
    report: (_move: unknown, end: MoveEnd) => void (result.end = end),
    now: () => nowMs,
    sleep: async (ms: number) => void (nowMs += ms),
  };
  await recoverOnSolana(recovery as unknown as SolanaRecovery, [move]);
  return result;
}

test.each([
  ['has lost blocks in which it could have landed', END_HEIGHT - 299],
  ['does not say which blocks it has', null],
])('nothing is signed again where the node %s', async (_title, oldestHeight) => {
  expect(await recoverFrom(oldestHeight)).toEqual({ end: { kind: 'open' }, isSignedAgain: false });
});

test('it is dead where the node has all of them', async () => {
  expect((await recoverFrom(END_HEIGHT - 300)).isSignedAgain).toBe(true);
});
