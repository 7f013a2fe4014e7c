import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPersonalWallets } from '../../chain/wallets/personal-wallets.ts';
import { evmProfile } from '../../chain/evm/rpc/profile.ts';
import { stampStore } from '../../db/store/stamp.ts';
import { walletStampOf } from '../../service/bot-networks.ts';
import { openTestStore, PINNED, usdc } from '../bot/harness.ts';
import type { Store } from '../../db/store/store.ts';

let store: Store;
beforeEach(async () => {
  store = await openTestStore();
});
afterEach(() => store.close());

function stampWith(seed: Uint8Array) {
  const { addressOf } = createPersonalWallets({ seed, profile: evmProfile('base', 'local') });
  const balanceOf = async () => usdc(0);
  const checkAddress = async () => ({ kind: 'unavailable' as const });
  return walletStampOf([{ family: 'evm', network: 'base', pinned: PINNED, addressOf, balanceOf, checkAddress }]);
}

test('a database that was used with one seed refuses another: nobody could spend what is kept in it', async () => {
  const seed = randomBytes(32);
  for (const again of [seed, seed]) await stampStore(store, { mode: 'local' }, await stampWith(again));
  const other = await stampWith(randomBytes(32));
  await expect(stampStore(store, { mode: 'local' }, other)).rejects.toThrow('base:wallets');
});
