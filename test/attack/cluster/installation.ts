import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { Keypair } from '@solana/web3.js';
import { createPersonalWallets } from '../../../chain/wallets/personal-wallets.ts';
import { evmProfile } from '../../../chain/evm/rpc/profile.ts';
import { readSolanaKey } from '../../../chain/solana/messages/key.ts';
import { parseConfig } from '../../../core/config/config.ts';
import { createIds } from '../../../core/ids.ts';
import { microUsdc } from '../../../core/money.ts';
import { parseRecipient } from '../../../core/platforms/recipient.ts';
import { ensureIdentity } from '../../../db/identities/identities.ts';
import { openStore } from '../../../db/store/open.ts';
import type { Store } from '../../../db/store/store.ts';
import { linkWallet } from '../../../db/transfers/link-wallet.ts';
import { localUserId } from '../../../local/identity.ts';
import { startLocalMode, stopLocalMode } from '../../../local/mode.ts';
import { localKeysOf, readNode } from '../../../service/networks/keys.ts';
import { openEvmKey } from '../../../service/networks/own-keys.ts';
import { startRpcProxy, type RpcProxy } from '../../support/chains/rpc-proxy.ts';
import { createDiskFolder } from '../../support/disk-folder.ts';
import { findPostgres, startPostgres, type Postgres } from '../../support/postgres.ts';
import { findQuietPort } from '../../support/quiet-port.ts';
import { localChainsOf } from '../../support/served.ts';
import { startTestCluster, type TestCluster } from '../../queue/support/redis-cluster.ts';
import { CHAINS, type Chain } from './evidence.ts';
import { createFleet, type Fleet } from './fleet.ts';
import { startFront, type Front } from './front.ts';

const START = microUsdc(5_000_000n);
/** Blocks as on the real chains would only make the run longer. */
const PACE = { blockTimeMs: 1_000, slotMs: 200 };
const RECEIVERS_EACH = 6;
const SECOND_URLS = { base: 'BASE_SECOND_RPC_URL', solana: 'SOLANA_SECOND_RPC_URL' } as const;

/** Someone whose wallet is known before the storm. */
export type Receiver = { handle: string; chain: Chain; wallet: string };

export type Installation = Awaited<ReturnType<typeof openInstallation>>;

/** `secondOn`: the network that has a second node, behind a proxy of its own. */
type Options = { chatEnv: Record<string, string>; secondOn: Chain };

/** Everything that outlives the processes: chains with their proxies, PostgreSQL, Redis, and what stands before the APIs. */
export async function openInstallation({ chatEnv, secondOn }: Options) {
  const dataDir = createDiskFolder('pennypost-cluster-');
  const config = parseConfig({ DATA_DIR: dataDir, NETWORKS: CHAINS.join(',') });
  const local = await startLocalMode({ dataDir, networks: CHAINS, keys: localKeysOf(config), ...PACE });
  const { base, solana } = localChainsOf(local);
  if (solana === null) throw new Error('local mode has no Solana');
  const [bin, frontPort] = [findPostgres(), await findQuietPort()];
  if (bin === null) throw new Error('this torture needs PostgreSQL');
  const [postgres, redis] = await Promise.all([startPostgres(bin), startTestCluster()]);
  const proxies = { base: await startRpcProxy(base.rpcUrl), solana: await startRpcProxy(solana.rpcUrl) };
  const second = { chain: secondOn, proxy: await startRpcProxy({ base, solana }[secondOn].rpcUrl) };
  const database = { kind: 'postgres', url: postgres.url('postgres') } as const;
  const store = await openStore(database);
  const receivers = await linkReceivers(store, solana.ensureUsdcAccount);
  let front: Front | null = null;
  const fleet = await createFleet({
    dataDir,
    env: () => ({
      NETWORKS: CHAINS.join(','),
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      REDIS_CA_FILE: redis.certificates.ca,
      REDIS_CERT_FILE: redis.certificates.clientCert,
      REDIS_KEY_FILE: redis.certificates.clientKey,
      BASE_RPC_URL: proxies.base.url,
      SOLANA_RPC_URL: proxies.solana.url,
      [SECOND_URLS[secondOn]]: second.proxy.url,
      BASE_URL: `http://127.0.0.1:${frontPort}`,
      ...chatEnv,
    }),
  });
  front = await startFront(
    frontPort,
    fleet.of('api').map(({ url }) => Number(new URL(url).port)),
  );
  const wallets = createPersonalWallets({
    seed: Buffer.from(localKeysOf(config).chatWalletSeed, 'hex'),
    profile: evmProfile('base', 'local'),
  });
  return {
    dataDir,
    base,
    solana,
    postgres,
    redis,
    proxies,
    second,
    fleet,
    front,
    receivers,
    treasuries: treasuriesOf(config),
    /** Chains are asked here directly, past the proxies. */
    rpcUrls: { base: base.rpcUrl, solana: solana.rpcUrl },
    linkTo: (handle: string, wallet: string) => link(store, { handle, chain: 'base', wallet }),
    fundWallet: (walletId: string) => base.fundUsdc(wallets.addressOf(walletId), START),
    /** `keep`: what is in the folder, for those who look for the reason. */
    async close(keep: boolean): Promise<void> {
      await fleet.close();
      front?.close();
      await Promise.all([proxies.base, proxies.solana, second.proxy].map((proxy) => proxy.close()));
      await store.close();
      await Promise.all([redis.stop(), local.close()]);
      await postgres.close();
      await stopLocalMode(dataDir);
      if (!keep) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export type Parts = {
  postgres: Postgres;
  redis: TestCluster;
  proxies: Record<Chain, RpcProxy>;
  second: { chain: Chain; proxy: RpcProxy };
  fleet: Fleet;
};

function treasuriesOf(config: Parameters<typeof readNode>[0]): Record<Chain, string> {
  return { base: addressIn(config, 'base'), solana: addressIn(config, 'solana') };
}

function addressIn(config: Parameters<typeof readNode>[0], chain: Chain): string {
  const node = readNode(config, chain, 'http://127.0.0.1');
  return node.family === 'evm'
    ? openEvmKey(node.keys.treasuryKey).address
    : readSolanaKey(node.keys.treasuryKey).address;
}

async function linkReceivers(store: Store, openAccount: (owner: string) => Promise<void>): Promise<Receiver[]> {
  const receivers = CHAINS.flatMap((chain) =>
    Array.from({ length: RECEIVERS_EACH }, (_, index): Receiver => ({
      handle: `${chain}${index}`,
      chain,
      wallet: chain === 'base' ? `0x${randomBytes(20).toString('hex')}` : Keypair.generate().publicKey.toBase58(),
    })),
  );
  for (const receiver of receivers) {
    if (receiver.chain === 'solana') await openAccount(receiver.wallet);
    await link(store, receiver);
  }
  return receivers;
}

async function link(store: Store, { handle, chain, wallet }: Receiver): Promise<void> {
  const ids = createIds(randomBytes);
  const recipient = parseRecipient('x', handle);
  const person = { ...recipient, stableId: localUserId(recipient) };
  const identityId = await store.tx((db) => ensureIdentity(db, store.tables, person, ids.identityId(), Date.now()));
  await linkWallet(
    store,
    { identityId, network: chain, address: wallet, source: 'operator' },
    ids.payoutId,
    Date.now(),
  );
}
