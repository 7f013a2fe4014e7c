import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { Keypair } from '@solana/web3.js';
import { sql } from 'drizzle-orm';
import { createPersonalWallets } from '../../../chain/wallets/personal-wallets.ts';
import { evmProfile } from '../../../chain/evm/rpc/profile.ts';
import { createSolanaPersonalWallets } from '../../../chain/solana/personal-wallets.ts';
import { solanaProfile } from '../../../chain/solana/messages/profile.ts';
import { parseConfig } from '../../../core/config/config.ts';
import { createIds } from '../../../core/ids.ts';
import { microUsdc, type MicroUsdc } from '../../../core/money.ts';
import type { Network } from '../../../core/networks.ts';
import { parseRecipient } from '../../../core/platforms/recipient.ts';
import { ensureIdentity } from '../../../db/identities/identities.ts';
import { openStore } from '../../../db/store/open.ts';
import { linkWallet } from '../../../db/transfers/link-wallet.ts';
import {
  COMMUNITY_AUTHOR,
  COMMUNITY_CAST_HASH,
  createCommunityPosts,
} from '../../../local/identity/farcaster-community.ts';
import { localUserId } from '../../../local/identity.ts';
import { startLocalMode, stopLocalMode } from '../../../local/mode.ts';
import { localKeysOf } from '../../../service/networks/keys.ts';
import { createLinkPayer, type LinkPayer } from '../pay-links/payer.ts';
import { localChainsOf } from '../../support/served.ts';

type Hex = `0x${string}`;
export type Installation = Awaited<ReturnType<typeof openInstallation>>;

const BLOCK_TIME_MS = 500;
/** What each treasury has on its network; enough for the largest reward twice, so that paying twice is possible. */
export const START = microUsdc(25_000_000n);
export const POST_URL = `https://farcaster.xyz/${COMMUNITY_AUTHOR}/${COMMUNITY_CAST_HASH}`;

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

  const treasuryOf = (walletId: string, network: Network): string =>
    network === 'base' ? onBase.addressOf(walletId) : onSolana.addressOf(walletId);

  async function give(network: Network, address: string, amount: MicroUsdc): Promise<void> {
    if (network === 'base') return base.fundUsdc(address as Hex, amount);
    await solana?.fundUsdc(address, amount);
  }

  /** Into which payouts on Solana can go at once: opening accounts is limited, and another story. */
  async function newAddress(network: Network): Promise<string> {
    if (network === 'base') return `0x${randomBytes(20).toString('hex')}`;
    const address = Keypair.generate().publicKey.toBase58();
    await solana?.ensureUsdcAccount(address);
    return address;
  }

  return {
    store,
    treasuryOf,
    give,
    fundTreasury: (walletId: string, network: Network) => give(network, treasuryOf(walletId, network), START),
    /** Who has as much, and a key that nobody here knows. */
    newPayer: (network: Network): Promise<LinkPayer> => createLinkPayer({ base, solana }, network, START),
    /** As the chain says, which knows nothing of our books. */
    async onChain(network: Network, address: string): Promise<bigint> {
      return network === 'base' ? base.usdcBalance(address as Hex) : ((await solana?.usdcBalance(address)) ?? 0n);
    },
    /** Says where a person’s money goes on each network; answers the addresses. */
    async link(name: string): Promise<ReadonlyMap<Network, string>> {
      const recipient = parseRecipient('decsocial', name);
      const person = { ...recipient, stableId: localUserId(recipient) };
      const newId = ids.identityId();
      const identityId = await store.tx((db) => ensureIdentity(db, store.tables, person, newId, Date.now()));
      const addresses = new Map<Network, string>();
      for (const network of networks) {
        const address = await newAddress(network);
        await linkWallet(store, { identityId, network, address, source: 'operator' }, ids.payoutId, Date.now());
        addresses.set(network, address);
      }
      return addresses;
    },
    /** For controls: takes a rule out of the books, which the service then trusts. */
    sabotage: (statement: string): Promise<unknown> => store.tx((db) => db.run(sql.raw(statement))),
    async close(): Promise<void> {
      await store.close();
      await stopLocalMode(dataDir);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Everybody who has engaged with the example post of local mode and can be paid. */
export function namesOfPost(): string[] {
  const fidOf = (name: string) => Number(localUserId(parseRecipient('decsocial', name)));
  const posts = createCommunityPosts({ fidOf });
  const fids = [
    ...posts.reactions().flatMap(({ fid, target }) => (target.hash === COMMUNITY_CAST_HASH ? [fid] : [])),
    ...posts.casts().flatMap(({ fid, parent }) => (parent?.hash === COMMUNITY_CAST_HASH ? [fid] : [])),
  ];
  const names = [...new Set(fids)].map((fid) => posts.nameOf(fid));
  return names.filter((name) => name !== null).filter((name) => name !== COMMUNITY_AUTHOR);
}
