/**
 * A transaction that starts by advancing a nonce account names that account's nonce in place of a recent blockhash, and
 * can land at any time. The service refuses such payments; the chain runs them, so that a test can show why. Unlike on
 * mainnet, the nonce stays as it was when the rest of the transaction fails.
 */
import type { Address } from '@solana/kit';
import { SYSTEM_PROGRAM } from '../ground/addresses.ts';
import type { Account } from '../accounts/account.ts';
import { toBase58 } from '../wire/encoding.ts';
import type { Message } from '../wire/message.ts';

/** The system program's instruction of that number. */
const ADVANCE_NONCE = Buffer.from([4, 0, 0, 0]);
/** An account's data: version and state (each 4 bytes), authority, nonce, fee. */
const NONCE_DATA_BYTES = 80;
const NONCE_START = 40;

export function namesUsableNonce(message: Message, read: (address: Address) => Account | null): boolean {
  const [first] = message.instructions;
  if (!first || message.accounts[first.programIndex] !== SYSTEM_PROGRAM) return false;
  if (Buffer.compare(first.data.subarray(0, 4), ADVANCE_NONCE) !== 0) return false;
  const address = message.accounts[first.accountIndexes[0] ?? -1];
  const account = address === undefined ? null : read(address);
  if (account?.owner !== SYSTEM_PROGRAM || account.data.length !== NONCE_DATA_BYTES) return false;
  return toBase58(account.data.subarray(NONCE_START, NONCE_START + 32)) === message.recentBlockhash;
}
