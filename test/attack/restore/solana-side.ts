import { Keypair } from '@solana/web3.js';
import { z } from 'zod';
import { tokenAccountOf } from '../../../chain/solana/messages/addresses.ts';
import { readSolanaKey } from '../../../chain/solana/messages/key.ts';
import { solanaProfile } from '../../../chain/solana/messages/profile.ts';
import { microUsdc } from '../../../core/money.ts';
import { makeSolanaProof } from '../../support/chains/solana-pay.ts';
import { startSolanaChain } from '../../support/chains/solana-chain.ts';
import { startSolanaService, type SolanaTestKeys } from '../../support/solana-service.ts';
import { addTo, type Moved, type Side } from './side.ts';

const SLOT_MS = 25;
/** Each recipient is new, and each has an account opened at our cost. */
const ACCOUNTS = { dailyMax: 100_000 };

const listed = z.array(z.object({ signature: z.string(), err: z.unknown() }));
const balances = z.array(z.object({ owner: z.string(), uiTokenAmount: z.object({ amount: z.string() }) }));
const landed = z.object({ meta: z.object({ preTokenBalances: balances, postTokenBalances: balances }) });

export async function createSolanaSide(keys: SolanaTestKeys): Promise<Side> {
  const chain = await startSolanaChain({ slotMs: SLOT_MS });
  const { rpcUrl } = chain;
  const treasury = readSolanaKey(keys.treasuryKey).address;
  const feePayer = readSolanaKey(keys.feePayerKey).address;
  const payers = new Map<string, Keypair>();

  /** By how much a transaction changed what each owner has. */
  async function changesOf(signature: string): Promise<Map<string, bigint>> {
    const config = { commitment: 'confirmed', encoding: 'json', maxSupportedTransactionVersion: 0 };
    const { meta } = landed.parse(await chain.rpc('getTransaction', signature, config));
    const changes = new Map<string, bigint>();
    for (const { owner, uiTokenAmount } of meta.postTokenBalances) addTo(changes, owner, BigInt(uiTokenAmount.amount));
    for (const { owner, uiTokenAmount } of meta.preTokenBalances) addTo(changes, owner, -BigInt(uiTokenAmount.amount));
    return changes;
  }

  return {
    network: 'solana',
    laterSeconds: 6 * 60,
    start: (common) => startSolanaService({ ...common, rpcUrl, fundSol: chain.fundSol, keys, accounts: ACCOUNTS }),
    async createPayer(value) {
      const keypair = Keypair.generate();
      const address = keypair.publicKey.toBase58();
      payers.set(address, keypair);
      await chain.fundUsdc(address, microUsdc(value));
      return { address };
    },
    newWallet: () => Keypair.generate().publicKey.toBase58(),
    async sign({ payer: { address }, value }) {
      const payer = payers.get(address);
      if (payer === undefined) throw new Error(`${address} is no payer of this world`);
      return makeSolanaProof(payer, rpcUrl, { payTo: treasury, feePayer, value });
    },
    copy: null,
    async advance() {
      const since = Math.floor(Date.now() / 1_000);
      chain.expireBlockhashes();
      const slot = z.number().parse(await chain.rpc('getSlot', { commitment: 'finalized' }));
      return ({ finalizedBlock, blockTime }) => finalizedBlock >= slot && blockTime > since;
    },
    async moved() {
      const account = tokenAccountOf(treasury, solanaProfile('local'));
      const sums: Moved = { paidIn: new Map(), paidOut: new Map() };
      const config = { commitment: 'confirmed', limit: 1_000 };
      for (let before: string | undefined, more = true; more;) {
        const page = listed.parse(
          await chain.rpc('getSignaturesForAddress', account, before === undefined ? config : { ...config, before }),
        );
        for (const { signature, err } of page) {
          if (err !== null) continue;
          const changes = await changesOf(signature);
          const isIn = (changes.get(treasury) ?? 0n) > 0n;
          for (const [owner, change] of changes)
            if (isIn && change < 0n) addTo(sums.paidIn, owner, -change);
            else if (!isIn && change > 0n && owner !== treasury) addTo(sums.paidOut, owner, change);
        }
        before = page.at(-1)?.signature;
        more = page.length > 0;
      }
      return sums;
    },
    close: () => chain.close(),
  };
}
