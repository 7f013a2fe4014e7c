/**
 * Gives out play money: a key that may mint and freeze this chain's USDC and has as much SOL as it wants. It acts by
 * real transactions, so that the history of an address shows where its money came from.
 */
import {
  type Address,
  type Instruction,
  type TransactionSigner,
  AccountRole,
  appendTransactionMessageInstructions,
  blockhash,
  compileTransactionMessage,
  createNoopSigner,
  createTransactionMessage,
  getCompiledTransactionMessageEncoder,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import {
  getCreateAssociatedTokenIdempotentInstruction,
  getFreezeAccountInstruction,
  getMintEncoder,
  getMintToInstruction,
  getThawAccountInstruction,
} from '@solana-program/token';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, USDC_DECIMALS, USDC_MINT } from '../ground/addresses.ts';
import { usdcAccountOf } from '../ground/usdc-account.ts';
import type { Account } from '../accounts/account.ts';
import type { FaucetKey } from './faucet-key.ts';

/** Below what a JSON number can hold, and more than any caller asks for. */
export const FAUCET_LAMPORTS = 10n ** 15n;

export type Faucet = ReturnType<typeof createFaucet>;

export function createFaucet(key: FaucetKey) {
  const signer = createNoopSigner(key.address);

  /** The signed bytes of a transaction of the faucet. */
  function toWire(instructions: Instruction[], recentBlockhash: string): Uint8Array {
    const lifetime = { blockhash: blockhash(recentBlockhash), lastValidBlockHeight: 0n };
    const message = pipe(
      createTransactionMessage({ version: 'legacy' }),
      (empty) => setTransactionMessageFeePayer(key.address, empty),
      (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
      (timed) => appendTransactionMessageInstructions(instructions, timed),
    );
    const bytes = new Uint8Array(getCompiledTransactionMessageEncoder().encode(compileTransactionMessage(message)));
    return Uint8Array.from([1, ...key.sign(bytes), ...bytes]);
  }

  async function openAccount(owner: Address): Promise<Instruction> {
    const ata = await usdcAccountOf(owner);
    return getCreateAssociatedTokenIdempotentInstruction({ payer: signer, ata, owner, mint: USDC_MINT });
  }

  return {
    address: key.address,
    toWire,
    /** Creates the owner's token account where there is none. */
    async mintUsdc(owner: Address, amount: bigint): Promise<Instruction[]> {
      const token = await usdcAccountOf(owner);
      const mint = getMintToInstruction({ mint: USDC_MINT, token, mintAuthority: signer, amount });
      return [await openAccount(owner), mint];
    },
    /** Leaves an account that is there as it is. */
    async openUsdcAccount(owner: Address): Promise<Instruction[]> {
      return [await openAccount(owner)];
    },
    async freezeUsdc(owner: Address): Promise<Instruction[]> {
      return [getFreezeAccountInstruction({ account: await usdcAccountOf(owner), mint: USDC_MINT, owner: signer })];
    },
    async thawUsdc(owner: Address): Promise<Instruction[]> {
      return [getThawAccountInstruction({ account: await usdcAccountOf(owner), mint: USDC_MINT, owner: signer })];
    },
    giveSol: (to: Address, lamports: bigint): Instruction[] => [transferSol(signer, to, lamports)],
  };
}

/** USDC as the faucet's, with nothing minted yet. */
export function usdcMintAccount(authority: Address, lamports: bigint): Account {
  const data = getMintEncoder().encode({
    mintAuthority: authority,
    supply: 0n,
    decimals: USDC_DECIMALS,
    isInitialized: true,
    freezeAuthority: authority,
  });
  return { lamports, owner: TOKEN_PROGRAM, data: new Uint8Array(data), executable: false };
}

/** The system program's instruction 2. */
function transferSol(from: TransactionSigner, to: Address, lamports: bigint): Instruction {
  const data = new DataView(new ArrayBuffer(12));
  data.setUint32(0, 2, true);
  data.setBigUint64(4, lamports, true);
  return {
    programAddress: SYSTEM_PROGRAM,
    accounts: [
      { address: from.address, role: AccountRole.WRITABLE_SIGNER },
      { address: to, role: AccountRole.WRITABLE },
    ],
    data: new Uint8Array(data.buffer),
  };
}
