import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { Keypair } from '@solana/web3.js';
import { sql } from 'drizzle-orm';
import { privateKeyToAccount } from 'viem/accounts';
import { createPersonalWallets } from '../../../chain/wallets/personal-wallets.ts';
import { addressOfKey } from '../../../chain/evm/key.ts';
import { evmProfile } from '../../../chain/evm/rpc/profile.ts';
import { createSolanaPersonalWallets } from '../../../chain/solana/personal-wallets.ts';
import { solanaProfile } from '../../../chain/solana/messages/profile.ts';
import { parseConfig } from '../../../core/config/config.ts';
import { formatUsdc, sumUsdc, type MicroUsdc } from '../../../core/money.ts';
import type { Network } from '../../../core/networks.ts';
import { openStore } from '../../../db/store/open.ts';
import { startLocalMode, stopLocalMode } from '../../../local/mode.ts';
import { localKeysOf } from '../../../service/networks/keys.ts';
import { makeSolanaProof } from '../../support/chains/solana-pay.ts';
import { createDiskFolder } from '../../support/disk-folder.ts';
import { makeProof, post } from '../../support/pay.ts';
import { localChainsOf } from '../../support/served.ts';
import type { PursePlan } from './plan.ts';

type Hex = `0x${string}`;
export type Installation = Awaited<ReturnType<typeof openInstallation>>;
type Paid = Pick<PursePlan, 'handle' | 'platform' | 'collected'>;

const BLOCK_TIME_MS = 500;

/** Real local chains and the books, before the service is started on them for the first time and beside all its lives. */
export async function openInstallation(networks: readonly Network[]) {
  const dataDir = createDiskFolder('pennypost-purses-');
  const config = parseConfig({ DATA_DIR: dataDir, NETWORKS: networks.join(',') });
  const keys = localKeysOf(config);
  const mode = await startLocalMode({ dataDir, networks, keys, blockTimeMs: BLOCK_TIME_MS });
  const { base, solana } = localChainsOf(mode);
  const store = await openStore(config.databaseUrl);
  const seed = Buffer.from(keys.chatWalletSeed, 'hex');
  const onBase = createPersonalWallets({ seed, profile: evmProfile('base', 'local') });
  const onSolana = createSolanaPersonalWallets({ seed, profile: solanaProfile('local') });

  async function proofFor(network: Network, total: MicroUsdc, accepts: readonly Record<string, unknown>[]) {
    const terms = accepts.find((one) => String(one['network']).startsWith(network));
    if (terms === undefined) throw new Error(`there are no terms for ${network}: ${JSON.stringify(accepts)}`);
    const payTo = String(terms['payTo']);
    if (network === 'base') {
      const signer = privateKeyToAccount(`0x${randomBytes(32).toString('hex')}`);
      await base.fundUsdc(signer.address, total);
      return makeProof({ from: signer.address, signer, payTo: payTo as Hex, value: total });
    }
    if (solana === null) throw new Error('there is no Solana here');
    const payer = Keypair.generate();
    await solana.fundUsdc(payer.publicKey.toBase58(), total);
    const { feePayer } = terms['extra'] as { feePayer: string };
    return makeSolanaProof(payer, solana.rpcUrl, { payTo, feePayer, value: total });
  }

  return {
    dataDir,
    store,
    treasury: addressOfKey(keys.treasuryKey),
    /** All addresses of a purse. */
    addressesOf: (walletId: string): Record<'base' | 'solana', string> => ({
      base: onBase.addressOf(walletId),
      solana: onSolana.addressOf(walletId),
    }),
    /** Into which payouts on Solana can go at once: opening accounts is limited, and another story. */
    ensureAccount: async (network: Network, owner: string) =>
      network === 'solana' ? solana?.ensureUsdcAccount(owner) : undefined,
    newAddress: (network: Network): string =>
      network === 'base' ? `0x${randomBytes(20).toString('hex')}` : Keypair.generate().publicKey.toBase58(),
    onChain: async (network: Network, address: string): Promise<bigint> =>
      network === 'base' ? base.usdcBalance(address as Hex) : ((await solana?.usdcBalance(address)) ?? 0n),
    /** One payment to all of them, by a stranger. */
    async pay(url: string, network: Network, people: readonly Paid[]): Promise<void> {
      const receivers = people.map(({ platform, handle: receiver, collected }) => ({
        platform,
        receiver,
        amount: formatUsdc(collected),
      }));
      const path = `${url}/payments/batch-pay`;
      const asked = await post(path, { receivers });
      const total = sumUsdc(people.map(({ collected }) => collected));
      const header = await proofFor(network, total, asked.body.accepts);
      const { status, body } = await post(path, { receivers }, { 'PAYMENT-SIGNATURE': header });
      if (status !== 200) throw new Error(`expected a payment, found ${status} ${JSON.stringify(body)}`);
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
