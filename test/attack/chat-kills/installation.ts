import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { sql } from 'drizzle-orm';
import { createPersonalWallets } from '../../../chain/wallets/personal-wallets.ts';
import { evmProfile } from '../../../chain/evm/rpc/profile.ts';
import { createSolanaPersonalWallets } from '../../../chain/solana/personal-wallets.ts';
import { solanaProfile } from '../../../chain/solana/messages/profile.ts';
import { parseConfig } from '../../../core/config/config.ts';
import { createIds } from '../../../core/ids.ts';
import { microUsdc } from '../../../core/money.ts';
import type { Network } from '../../../core/networks.ts';
import { parseRecipient } from '../../../core/platforms/recipient.ts';
import { ensureIdentity } from '../../../db/identities/identities.ts';
import { openStore } from '../../../db/store/open.ts';
import { linkWallet } from '../../../db/transfers/link-wallet.ts';
import { localUserId } from '../../../local/identity.ts';
import { startLocalMode, stopLocalMode } from '../../../local/mode.ts';
import { localKeysOf } from '../../../service/networks/keys.ts';
import { localChainsOf } from '../../support/served.ts';

type Hex = `0x${string}`;
export type Installation = Awaited<ReturnType<typeof openInstallation>>;

const START = microUsdc(5_000_000n);
const BLOCK_TIME_MS = 500;

/** Real local chains, and the books, before the service is started on them for the first time and beside all its lives. */
export async function openInstallation(dataDir: string, networks: readonly Network[]) {
  const config = parseConfig({ DATA_DIR: dataDir, NETWORKS: networks.join(',') });
  const keys = localKeysOf(config);
  const { base, solana } = localChainsOf(await startLocalMode({ dataDir, networks, keys, blockTimeMs: BLOCK_TIME_MS }));
  const store = await openStore(config.databaseUrl);
  const ids = createIds(randomBytes);
  const seed = Buffer.from(keys.chatWalletSeed, 'hex');
  const onBase = createPersonalWallets({ seed, profile: evmProfile('base', 'local') });
  const onSolana = createSolanaPersonalWallets({ seed, profile: solanaProfile('local') });

  return {
    store,
    /** Gives a person money on one network before their first message to the bot: the wallets follow from who people are. */
    async fund(walletId: string, network: Network): Promise<void> {
      if (network === 'base') return base.fundUsdc(onBase.addressOf(walletId), START);
      await solana?.fundUsdc(onSolana.addressOf(walletId), START);
    },
    /** As the chain says, which knows nothing of our books. */
    async spentBy(walletId: string, network: Network): Promise<bigint> {
      if (network === 'base') return START - (await base.usdcBalance(onBase.addressOf(walletId)));
      return START - ((await solana?.usdcBalance(onSolana.addressOf(walletId))) ?? 0n);
    },
    /** Says where this recipient's money goes from now on; answers the address. */
    async link(handle: string): Promise<Hex> {
      const recipient = parseRecipient('x', handle);
      const person = { ...recipient, stableId: localUserId(recipient) };
      const newId = ids.identityId();
      const identityId = await store.tx((db) => ensureIdentity(db, store.tables, person, newId, Date.now()));
      const address: Hex = `0x${randomBytes(20).toString('hex')}`;
      await linkWallet(store, { identityId, network: 'base', address, source: 'operator' }, ids.payoutId, Date.now());
      return address;
    },
    onChain: (address: Hex): Promise<bigint> => base.usdcBalance(address),
    /** For controls: takes a rule out of the books, which the service then trusts. */
    sabotage: (statement: string): Promise<unknown> => store.tx((db) => db.run(sql.raw(statement))),
    async close(): Promise<void> {
      await store.close();
      await stopLocalMode(dataDir);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
