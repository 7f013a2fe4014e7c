/** The limits of our transactions, and what they cost. */
import type { MessageV0 } from '@solana/web3.js';
import { SIGNATURE_BYTES, TRANSACTION_BYTES_MAX } from './programs.ts';

/** Eight leave room for addresses that were sent SOL before, which take two more instructions each to open. */
export const OPENINGS_MAX = 8;
/** The runtime counts instructions that programs call as well (`MAX_INSTRUCTION_TRACE_LENGTH`). */
const TRACE_MAX = 64;
/** The calls that open an account: get its size, create it, make its owner immutable, initialise it. */
const CALLS_OF_OPENING = 4;

/** Whether the network accepts it. `openings`: how many of its instructions open a token account. */
export function isWithinLimits(message: MessageV0, openings: number): boolean {
  const traced = message.compiledInstructions.length + openings * CALLS_OF_OPENING;
  return openings <= OPENINGS_MAX && traced <= TRACE_MAX && sizeOf(message) <= TRANSACTION_BYTES_MAX;
}

/** Of the signed transaction, in bytes. web3.js cannot say: it throws where a message is longer than a packet. */
function sizeOf({ staticAccountKeys, compiledInstructions }: MessageV0): number {
  const list = (items: number, bytes: number) => (items < 0x80 ? 1 : 2) + bytes;
  const instructions = compiledInstructions.map(
    ({ accountKeyIndexes, data }) =>
      1 + list(accountKeyIndexes.length, accountKeyIndexes.length) + list(data.length, data.length),
  );
  const instructionBytes = instructions.reduce((sum, bytes) => sum + bytes, 0);
  // A signature and its count; version, header, accounts, blockhash, instructions, no tables.
  const message = 1 + 3 + list(staticAccountKeys.length, staticAccountKeys.length * 32) + 32;
  return 1 + SIGNATURE_BYTES + message + list(instructions.length, instructionBytes) + 1;
}

/**
 * Compute units of instructions, with room. Measured: a transfer takes 105 units (6,200 before the token program was
 * rewritten, and some clusters have the older one), an opening 13,525 (16,606 where SOL was sent before) plus 1,500 per
 * step of its bump, the limits and the memo 587. The price is paid per unit of the limit, used or not.
 */
const UNITS_OF_TRANSFER = 7_000;
const UNITS_OF_OPENING = 35_000;
const UNITS_OF_BUMP = 1_500;
const UNITS_SHARED = 2_000;
/** The memo program reads its text byte by byte: in its first years for 353 units each. */
const UNITS_OF_MEMO_BYTE = 400;
/** Where the program on the chain starts to look for the address, too. */
const BUMP_FIRST = 255;

/** `bumps`: of the token accounts that are opened. `memoBytes`: of a memo that must fit any version of its program. */
export function unitsFor({ transfers, bumps, memoBytes = 0 }: UnitsWanted): number {
  return bumps
    .map((bump) => UNITS_OF_OPENING + UNITS_OF_BUMP * (BUMP_FIRST - bump))
    .reduce((sum, units) => sum + units, UNITS_SHARED + transfers * UNITS_OF_TRANSFER + memoBytes * UNITS_OF_MEMO_BYTE);
}

type UnitsWanted = { transfers: number; bumps: readonly number[]; memoBytes?: number };
