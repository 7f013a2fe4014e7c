/** Token accounts beside the usual one: wallets may have several, and close any of them when it is empty. */
import { Keypair, PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import { z } from 'zod';
import { tokenAccountOf } from '../../chain/solana/messages/addresses.ts';
import { transfer } from '../../chain/solana/messages/instructions.ts';
import { TOKEN_ACCOUNT_BYTES, TOKEN_PROGRAM } from '../../chain/solana/messages/programs.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import { toTransaction, toWire } from '../local/solana/transfers.ts';
import type { SolanaChain } from '../support/chains/solana-chain.ts';
import type { SolanaPayer, SolanaService } from './solana-world.ts';
import { PROFILE, signTransfer, toHeaderV2 } from './solana-proofs.ts';

const LAMPORTS = 1_000_000_000n;
/** Numbers of the token program's instructions. */
const INITIALIZE_ACCOUNT_3 = 18;
const CLOSE_ACCOUNT = 9;
const SET_AUTHORITY = 6;
/** Which authority: who owns the account. */
const ACCOUNT_OWNER = 2;

/** Opens a second account of the payer and moves so much into it from the usual one. */
export async function openSecondAccount(chain: SolanaChain, payer: SolanaPayer, microUsdc: bigint): Promise<string> {
  const account = Keypair.generate();
  const owner = payer.keypair.publicKey;
  const destination = account.publicKey.toBase58();
  const instructions = [
    SystemProgram.createAccount({
      fromPubkey: owner,
      newAccountPubkey: account.publicKey,
      lamports: Number(chain.chain.rentFor(TOKEN_ACCOUNT_BYTES)),
      space: TOKEN_ACCOUNT_BYTES,
      programId: new PublicKey(TOKEN_PROGRAM),
    }),
    toTokenInstruction(
      [written(destination), read(PROFILE.usdc)],
      Buffer.concat([Buffer.from([INITIALIZE_ACCOUNT_3]), owner.toBuffer()]),
    ),
    transfer(
      { source: tokenAccountOf(payer.address, PROFILE), destination, authority: payer.address, amount: microUsdc },
      PROFILE,
    ),
  ];
  await land(chain, payer, instructions, [account]);
  return destination;
}

/** Only where it is empty. */
export function closeTokenAccount(chain: SolanaChain, payer: SolanaPayer, account: string): Promise<void> {
  const owner = payer.address;
  const keys = [written(account), written(owner), { ...read(owner), isSigner: true }];
  return land(chain, payer, [toTokenInstruction(keys, Buffer.from([CLOSE_ACCOUNT]))]);
}

/** What is in an owner's usual account goes to another one's, and its rent to the owner. */
export async function emptyAndClose(chain: SolanaChain, keypair: Keypair, to: string): Promise<void> {
  const owner = keypair.publicKey.toBase58();
  const source = tokenAccountOf(owner, PROFILE);
  const destination = tokenAccountOf(to, PROFILE);
  const amount = (await tokenBalance(chain, source)) ?? 0n;
  const keys = [written(source), written(owner), { ...read(owner), isSigner: true }];
  await land(chain, { keypair }, [
    transfer({ source, destination, authority: owner, amount }, PROFILE),
    toTokenInstruction(keys, Buffer.from([CLOSE_ACCOUNT])),
  ]);
}

/** The token program lets an owner give an account to anybody, the new owner unasked. */
export function giveAway(chain: SolanaChain, payer: SolanaPayer, account: string, newOwner: string): Promise<void> {
  const keys = [written(account), { ...read(payer.address), isSigner: true }];
  const data = Buffer.concat([Buffer.from([SET_AUTHORITY, ACCOUNT_OWNER, 1]), new PublicKey(newOwner).toBuffer()]);
  return land(chain, payer, [toTokenInstruction(keys, data)]);
}

/** Null where there is no such account. */
export async function tokenBalance(chain: SolanaChain, account: string): Promise<bigint | null> {
  const found = z
    .object({ value: z.object({ data: z.tuple([z.base64(), z.literal('base64')]) }).nullable() })
    .parse(await chain.rpc('getAccountInfo', account, { encoding: 'base64', commitment: 'processed' }));
  return found.value === null ? null : Buffer.from(found.value.data[0], 'base64').readBigUInt64LE(64);
}

/** A proof that pays from this account instead of the usual one. */
export async function proveFrom(
  chain: SolanaChain,
  { keypair }: SolanaPayer,
  { treasury: payTo, feePayer }: SolanaService,
  { source, microUsdc }: { source: string; microUsdc: bigint },
): Promise<string> {
  const terms = { payTo, feePayer, microUsdc };
  return toHeaderV2(await signTransfer(chain, { ...terms, payer: keypair, source }), terms);
}

async function land(
  chain: SolanaChain,
  { keypair }: Pick<SolanaPayer, 'keypair'>,
  instructions: TransactionInstruction[],
  signers: Keypair[] = [],
): Promise<void> {
  await chain.fundSol(keypair.publicKey, LAMPORTS);
  const { blockhash } = await chain.connection().getLatestBlockhash();
  const transaction = toTransaction({ payer: keypair, instructions, blockhash, signers: [keypair, ...signers] });
  const config = { encoding: 'base64', preflightCommitment: 'processed' };
  const signature = await chain.rpc('sendTransaction', toWire(transaction), config);
  await eventually(async () => {
    const { value } = await chain.connection().getSignatureStatuses([String(signature)]);
    if (value[0]?.confirmationStatus === undefined || value[0].confirmationStatus === 'processed') {
      throw new Error('not confirmed yet');
    }
    if (value[0].err) throw new Error(`the transaction failed: ${JSON.stringify(value[0].err)}`);
  });
}

type Key = { pubkey: PublicKey; isSigner: boolean; isWritable: boolean };
const read = (address: string): Key => ({ pubkey: new PublicKey(address), isSigner: false, isWritable: false });
const written = (address: string): Key => ({ ...read(address), isWritable: true });

function toTokenInstruction(keys: Key[], data: Buffer): TransactionInstruction {
  return new TransactionInstruction({ programId: new PublicKey(TOKEN_PROGRAM), keys, data });
}
