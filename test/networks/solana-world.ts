import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { x402Client } from '@x402/core/client';
import { ExactSvmScheme } from '@x402/svm/exact/client';
import { ExactSvmSchemeV1 } from '@x402/svm/exact/v1/client';
import { address, createKeyPairSignerFromBytes } from '@solana/kit';
import { Keypair, PublicKey } from '@solana/web3.js';
import { fromBase58, toBase58 } from '../../chain/solana/messages/base58.ts';
import { cancellationText } from '../../chain/solana/messages/cancellation-text.ts';
import { readSolanaKey } from '../../chain/solana/messages/key.ts';
import { decodeTransaction } from '../../chain/solana/messages/message.ts';
import { microUsdc } from '../../core/money.ts';
import { usdcMintAccount } from '../../local/solana/chain/faucet.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import type { SolanaParts } from '../../service/networks/solana.ts';
import type { AccountPolicy, SolanaWorker } from '../../worker/dependencies.ts';
import { releaseWaitingForAccounts } from '../../worker/solana/account-quota.ts';
import { toTransaction, toWire, usdcTransfer } from '../local/solana/transfers.ts';
import { startSolanaChain, type SolanaChain } from '../support/chains/solana-chain.ts';
import { makeSolanaProof } from '../support/chains/solana-pay.ts';
import {
  randomSolanaKey,
  startSolanaService,
  type SolanaService as Started,
  type SolanaTestKeys,
} from '../support/solana-service.ts';
import type { Flaw, Installation, Payer, ProofOptions, Service, World } from './network.ts';
import { PROFILE, signTransfer, toHeaderV1, toHeaderV2 } from './solana-proofs.ts';

/** A blockhash, and with it a proof, lives for 150 of them: long enough for a machine that is busy. */
const SLOT_MS = 50;
const LAMPORTS = 100_000_000_000n;

export type SolanaService = Service & {
  keys: SolanaTestKeys;
  feePayer: string;
  parts: SolanaParts;
  /** What the settlement does every half minute. Answers how many payouts may go on. */
  releaseWaiting: () => Promise<number>;
};

export type SolanaWorld = Omit<World, 'install' | 'createPayer'> & {
  chain: SolanaChain;
  install: (accounts?: Partial<AccountPolicy>) => SolanaInstallation;
  createPayer: (microUsdc: bigint) => Promise<SolanaPayer>;
  /** Anyone who knows this key. */
  knows: (key: string) => SolanaPayer;
};

/** `keys`: of the next start. */
export type SolanaInstallation = Installation<SolanaService> & {
  keys: SolanaTestKeys;
  /** Puts a new key in the place of one, and keeps the old one. */
  rotate: (which: 'treasury' | 'task') => void;
};

export type SolanaPayer = Payer & { keypair: Keypair };

/** A fresh local Solana in this process. */
export async function openSolana(slotMs = SLOT_MS): Promise<SolanaWorld> {
  const chain = await startSolanaChain({ slotMs });
  const dir = mkdtempSync(join(tmpdir(), 'pennypost-solana-world-'));

  return {
    chain,
    install(accounts = {}) {
      const keys: SolanaTestKeys = { treasuryKey: randomSolanaKey(), feePayerKey: randomSolanaKey() };
      const databasePath = join(dir, `${randomBytes(6).toString('hex')}.sqlite`);
      const places = { rpcUrl: chain.rpcUrl, fundSol: chain.fundSol, databasePath, accounts, isTied: true };
      return {
        keys,
        rotate: (which) => rotateKey(keys, which),
        async start({ failpoint = () => undefined, ...options } = {}) {
          const decorateWorker = (worker: SolanaWorker) => ({ ...worker, failpoint });
          const all = { ...options, ...places, keys: { ...keys }, decorateWorker };
          return toService(chain, await startSolanaService(all), all.keys);
        },
      };
    },
    async createPayer(amount) {
      return toPayer(chain, await chain.createKeypair({ usdc: microUsdc(amount) }));
    },
    knows: (key) => toPayer(chain, toKeypair(key)),
    async createRecipient() {
      const owner = Keypair.generate().publicKey.toBase58();
      await chain.rpc('local_openUsdcAccount', owner);
      return owner;
    },
    usdcBalance: (owner) => chain.usdcBalance(owner),
    fundUsdc: async (owner, amount) => void (await chain.fundUsdc(owner, microUsdc(amount))),
    bar: async (owner) => void (await chain.freezeUsdc(owner)),
    unbar: async (owner) => void (await chain.thawUsdc(owner)),
    finalize: async () => chain.finalize(),
    expireProofs: async () => chain.expireBlockhashes(),
    stepBlock: async () => chain.mine(1),
    holdBlocks: async () => void (await chain.freezeSlots(true)),
    releaseBlocks: async () => void (await chain.freezeSlots(false)),
    async spoilBroadcasts(kind, times) {
      const where = kind === 'lose_reply' ? { method: 'sendTransaction' } : {};
      await chain.setFault({ kind, ...where, ...(times === undefined ? {} : { times }) });
      return { fired: () => chain.fired(kind), heal: async () => void (await chain.clearFaults()) };
    },
    async close() {
      await chain.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function rotateKey(keys: SolanaTestKeys, which: 'treasury' | 'task'): void {
  const { treasuryKey, taskKey, formerTreasuryKeys = [], formerTaskKeys = [] } = keys;
  if (which === 'treasury') {
    Object.assign(keys, { treasuryKey: randomSolanaKey(), formerTreasuryKeys: [...formerTreasuryKeys, treasuryKey] });
    return;
  }
  if (taskKey === undefined) throw new Error('there is no task key to be replaced');
  Object.assign(keys, { taskKey: randomSolanaKey(), formerTaskKeys: [...formerTaskKeys, taskKey] });
}

function toService(chain: SolanaChain, service: Started, keys: SolanaTestKeys): SolanaService {
  const { url, store, worker, assertSound, close, parts, solana } = service;
  const treasury = parts.treasury.address;
  const purses = [treasury, parts.feePayer.address];
  // Only the payouts name the treasury's wallet: payers send to its token account.
  const signatures = async () =>
    (await chain.connection().getSignaturesForAddress(new PublicKey(treasury), { limit: 1_000 })).length;
  return {
    url,
    store,
    worker,
    assertSound,
    close,
    treasury,
    keys,
    parts,
    feePayer: parts.feePayer.address,
    transferIdOf: solana.transferIdOf,
    async watchPayouts() {
      const before = await signatures();
      return async () => (await signatures()) - before;
    },
    drainGas: async () => purses.forEach((purse) => chain.chain.setAccount(address(purse), null)),
    refuel: async () => void (await Promise.all(purses.map((purse) => chain.fundSol(purse, LAMPORTS)))),
    releaseWaiting: () => releaseWaitingForAccounts(solana),
  };
}

function toPayer(chain: SolanaChain, keypair: Keypair): SolanaPayer {
  const owner = keypair.publicKey.toBase58();
  const key = readSolanaKey(toBase58(keypair.secretKey));
  return {
    keypair,
    address: owner,
    prove: (service, options) => prove(chain, keypair, service as SolanaService, options),
    async stockClient() {
      const signer = await createKeyPairSignerFromBytes(keypair.secretKey);
      const config = { rpcUrl: chain.rpcUrl };
      const client = new x402Client();
      client.register(PROFILE.caip2 as `${string}:${string}`, new ExactSvmScheme(signer, config));
      client.registerV1(PROFILE.v1Name, new ExactSvmSchemeV1(signer, config));
      return client;
    },
    async signCancellation(txnId, validBefore) {
      const text = cancellationText({ network: PROFILE.caip2, txnId, validBefore });
      return toBase58(key.sign(Buffer.from(text)));
    },
    async send(to, amount) {
      await chain.fundSol(owner, LAMPORTS);
      const { blockhash } = await chain.connection().getLatestBlockhash();
      const instructions = [usdcTransfer(keypair.publicKey, new PublicKey(to), amount)];
      const wire = toWire(toTransaction({ payer: keypair, instructions, blockhash }));
      const before = await chain.usdcBalance(owner);
      await chain.rpc('sendTransaction', wire, { encoding: 'base64', preflightCommitment: 'confirmed' });
      await eventually(async () => {
        if ((await chain.usdcBalance(owner)) === before) throw new Error('the transfer is in no block yet');
      });
    },
  };
}

async function prove(
  chain: SolanaChain,
  payer: Keypair,
  service: SolanaService,
  { microUsdc: value, version = 2, flaw }: ProofOptions,
): Promise<string> {
  const { treasury: payTo, feePayer } = service;
  const good = () => makeSolanaProof(payer, chain.rpcUrl, { payTo, feePayer, value });
  if (flaw !== undefined) return proveBadly(chain, payer, service, value, flaw);
  if (version === 2) return good();
  return toHeaderV1(await signTransfer(chain, { payer, payTo, feePayer, microUsdc: value }));
}

async function proveBadly(
  chain: SolanaChain,
  payer: Keypair,
  service: SolanaService,
  microUsdc: bigint,
  flaw: Flaw,
): Promise<string> {
  const { treasury: payTo, feePayer, keys } = service;
  const other = Keypair.generate().publicKey.toBase58();
  const signed = { payer, payTo, feePayer, microUsdc };
  const accepted = { payTo, feePayer, microUsdc };
  const sign = (change: Partial<Parameters<typeof signTransfer>[1]> = {}) =>
    signTransfer(chain, { ...signed, ...change });
  switch (flaw) {
    case 'signed for another amount':
      return toHeaderV2(await sign({ microUsdc: microUsdc - 1n }), accepted);
    case 'signed for another payee':
      return toHeaderV2(await sign({ payTo: other }), accepted);
    case 'signed for another token':
      return toHeaderV2(await sign({ mint: openMint(chain) }), accepted);
    case 'signed by another key':
      return toHeaderV2(forge(await sign()), accepted);
    case 'of an accepted amount that is not the price':
      return toHeaderV2(await sign(), { ...accepted, microUsdc: 1n });
    case 'of an accepted payee that is not ours':
      return toHeaderV2(await sign(), { ...accepted, payTo: other });
    case 'of an accepted token that is not USDC':
      return toHeaderV2(await sign(), { ...accepted, asset: openMint(chain) });
    case 'for a network that is not offered':
      return toHeaderV2(await sign(), { ...accepted, network: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1' });
    case 'whose time was over before it came': {
      const late = toHeaderV2(await sign(), accepted);
      chain.expireBlockhashes();
      return late;
    }
    case 'of our own treasury':
      return toHeaderV2(await sign({ payer: toKeypair(keys.treasuryKey) }), accepted);
    case 'that is no payment at all':
      return Buffer.from('{}').toString('base64');
  }
}

/** A token that looks like USDC and is none. */
function openMint(chain: SolanaChain): string {
  const mint = address(Keypair.generate().publicKey.toBase58());
  chain.chain.setAccount(mint, usdcMintAccount(chain.chain.faucet.address, chain.chain.rentFor(82)));
  return mint;
}

/** The payer's signature, which stands second, becomes a stranger's. */
function forge(wire: string): string {
  const bytes = Buffer.from(wire, 'base64');
  const stranger = readSolanaKey(randomSolanaKey());
  bytes.set(stranger.sign(decodeTransaction(bytes).messageBytes), 1 + 64);
  return bytes.toString('base64');
}

function toKeypair(key: string): Keypair {
  const bytes = fromBase58(key, 64);
  if (!bytes) throw new Error('a Solana key must be the base58 text of 64 bytes');
  return Keypair.fromSecretKey(bytes);
}
