import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { microUsdc, ZERO_USDC, type MicroUsdc } from '../../../core/money.ts';
import { openMigrated } from '../../support/databases/migrated.ts';
import type { Store } from '../../../db/store/store.ts';
import { linkWallet } from '../../../db/transfers/link-wallet.ts';
import { callRpc } from '../../../local/processes/rpc.ts';
import { startLocalSolana, type LocalSolana } from '../../../local/solana/network.ts';
import { makeSolanaProof } from '../../support/chains/solana-pay.ts';
import { randomSolanaKey, startSolanaService, type SolanaTestKeys } from '../../support/solana-service.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import type { Dice } from './dice.ts';
import { createDiskFolder } from '../../support/disk-folder.ts';

const SLOT_MS = 25;
/** Already in some of the accounts, so that a payout which replaces instead of adding would show. */
const BEFORE = microUsdc(7n);

export type Recipient = { identityId: string; wallet: string; amount: MicroUsdc; before: MicroUsdc };

export type World = {
  chain: LocalSolana;
  databasePath: string;
  keys: SolanaTestKeys;
  recipients: Recipient[];
  rpc: (method: string, ...params: unknown[]) => Promise<unknown>;
  close: () => Promise<void>;
};

/** A local Solana in its own process, and books with money for so many recipients, come in by a real payment. */
export async function createWorld(count: number, dice: Dice): Promise<World> {
  const dir = createDiskFolder('pennypost-solana-');
  const databasePath = join(dir, 'books.sqlite');
  const keys = { treasuryKey: randomSolanaKey(), feePayerKey: randomSolanaKey() };
  const chain = await startLocalSolana({ dir: join(dir, 'chain'), slotMs: SLOT_MS });
  const close = async () => {
    await chain.close();
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    const amounts = Array.from({ length: count }, () => microUsdc(BigInt(10_000 + dice.below(500_000))));
    await payIn(chain, databasePath, keys, amounts);
    const recipients = await makeWallets(chain, databasePath, dice);
    const rpc = (method: string, ...params: unknown[]) => callRpc(chain.rpcUrl, method, params);
    return { chain, databasePath, keys, recipients, rpc, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** One batch over HTTP, until it is final. */
async function payIn(
  chain: LocalSolana,
  databasePath: string,
  keys: SolanaTestKeys,
  amounts: readonly MicroUsdc[],
): Promise<void> {
  const service = await startSolanaService({ rpcUrl: chain.rpcUrl, fundSol: chain.fundSol, keys, databasePath });
  try {
    const value = amounts.reduce((sum, amount) => sum + amount, 0n);
    const payer = Keypair.generate();
    await chain.fundUsdc(payer.publicKey.toBase58(), microUsdc(value));
    const { treasury, feePayer } = service.parts;
    const terms = { payTo: treasury.address, feePayer: feePayer.address, value };
    const receivers = amounts.map((amount, index) => ({ receiver: `t${index}`, amount: Number(amount) / 1_000_000 }));
    const { payments } = service.store.tables;
    await eventually(async () => {
      if ((await service.store.read.select().from(service.store.tables.scanCursors)).length === 0)
        throw new Error('not yet');
    });
    const response = await fetch(`${service.url}/payments/x/batch-pay`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'PAYMENT-SIGNATURE': await makeSolanaProof(payer, chain.rpcUrl, terms),
      },
      body: JSON.stringify({ receivers }),
    });
    if (response.status !== 200) throw new Error(`the batch was answered ${response.status}: ${await response.text()}`);
    await eventually(async () => {
      const [payment] = await service.store.read.select().from(payments);
      if (payment?.status !== 'final') throw new Error(`the payment is ${payment?.status}`);
    });
  } finally {
    await service.close();
  }
}

/** Each recipient gets a wallet, about half of them with a token account. */
async function makeWallets(chain: LocalSolana, databasePath: string, dice: Dice): Promise<Recipient[]> {
  const store = await openMigrated({ kind: 'sqlite', path: databasePath });
  const lines = await store.read.select().from(store.tables.lines);
  await store.close();
  const recipients: Recipient[] = [];
  for (const { identityId, amountMicroUsdc } of lines) {
    const wallet = Keypair.generate().publicKey.toBase58();
    const hasAccount = dice.below(2) === 0;
    if (hasAccount) await chain.fundUsdc(wallet, BEFORE);
    const before = hasAccount ? BEFORE : ZERO_USDC;
    recipients.push({ identityId, wallet, amount: microUsdc(amountMicroUsdc), before });
  }
  return recipients;
}

/** The recipient says where the money goes: that queues the payout. */
export async function link(store: Store, { identityId, wallet }: Recipient, dice: Dice): Promise<void> {
  const link = { identityId, network: 'solana' as const, address: wallet, source: 'torture' };
  await linkWallet(store, link, () => dice.hex(16), Date.now());
}
