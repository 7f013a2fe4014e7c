/** What a message may do that a key of ours signs, read from the bytes themselves: a mistake in what made them cannot pass. */
import { decodeMessage, isSound, type Instruction, type Message } from '../solana/messages/message.ts';
import type { SolanaProfile } from '../solana/messages/profile.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  TOKEN_PROGRAM,
  TOKEN_TRANSFER_CHECKED,
} from '../solana/messages/programs.ts';
import type { SolanaSigning } from '../solana/messages/signer.ts';
import { findCoSigningFault } from '../solana/transactions/inbound.ts';
import { readWithdrawalContent } from '../solana/transactions/withdrawal-transaction.ts';

/** An owner of ours and its token account. */
type Own = { owner: string; account: string };
/** `swept`: the task address, and what was replaced. */
export type SolanaPlace = { profile: SolanaProfile; feePayer: string; treasury: Own | null; swept: readonly Own[] };

/** Why it may not be signed; null: it may. */
export function findFault(what: SolanaSigning, messageBytes: Uint8Array, place: SolanaPlace): string | null {
  const message = readSafely(messageBytes);
  if (message === null) return 'these bytes are no message';
  switch (what) {
    case 'inbound':
      return findCoSigningFault(message, place.feePayer);
    case 'withdrawal': {
      const content = readWithdrawalContent(message, messageBytes, place.profile);
      return content?.feePayer === place.feePayer
        ? null
        : `the transaction must be a withdrawal whose fee ${place.feePayer} pays`;
    }
    case 'payout': {
      const { treasury } = place;
      if (treasury === null) return NO_TREASURY;
      return findOwnFault(message, { signers: [treasury.owner], from: treasury, to: null, place });
    }
    case 'sweep': {
      const { treasury, swept } = place;
      const from = swept.find(({ owner }) => owner === message.accounts[1]);
      if (treasury === null || from === undefined) return 'it moves nothing from an address that is swept';
      return findOwnFault(message, { signers: [treasury.owner, from.owner], from, to: treasury, place });
    }
    case 'opening':
      return findOpeningFault(message, place);
  }
}

const NO_TREASURY = 'there is no treasury';

function readSafely(messageBytes: Uint8Array): Message | null {
  try {
    const message = decodeMessage(messageBytes);
    return isSound(message) ? message : null;
  } catch {
    // What cannot be read is not signed; the reader's reason does not matter.
    return null;
  }
}

/** `to`: the one account that may receive; null for any that is not ours. */
type OwnRules = { signers: readonly string[]; from: Own; to: Own | null; place: SolanaPlace };

/** Transfers out of one account, openings at the signer's cost, limits and a memo: nothing else. */
function findOwnFault(message: Message, rules: OwnRules): string | null {
  const head = findHeadFault(message, rules.signers);
  if (head !== null) return head;
  const transfers = message.instructions.filter(({ program }) => message.accounts[program] === TOKEN_PROGRAM);
  if (transfers.length === 0) return 'it moves nothing';
  if (rules.to !== null && transfers.length > 1) return 'it moves money more than once';
  for (const instruction of message.instructions) {
    const fault = findInstructionFault(message, instruction, rules);
    if (fault !== null) return fault;
  }
  return null;
}

function findHeadFault({ version, usesTables, signers, accounts }: Message, wanted: readonly string[]): string | null {
  if (version !== 0 || usesTables) return 'it names accounts that cannot be seen here';
  const found = accounts.slice(0, signers);
  const isSignedByThem = found.length === wanted.length && found.every((one, index) => one === wanted[index]);
  return isSignedByThem ? null : `it would be signed by ${found.join(', ')}`;
}

function findInstructionFault(message: Message, instruction: Instruction, rules: OwnRules): string | null {
  const program = message.accounts[instruction.program];
  switch (program) {
    case undefined:
      return 'it calls nothing that is named';
    case COMPUTE_BUDGET_PROGRAM:
    case MEMO_PROGRAM:
      return null;
    case TOKEN_PROGRAM:
      return findTransferFault(message, instruction, rules);
    case ASSOCIATED_TOKEN_PROGRAM:
      return rules.to === null ? openingFault(message, instruction, rules.place) : 'it would open an account';
    default:
      return `it calls ${program}`;
  }
}

function findTransferFault(
  message: Message,
  { accounts, data }: Instruction,
  { from, to, place }: OwnRules,
): string | null {
  if (data[0] !== TOKEN_TRANSFER_CHECKED || data.length !== 10 || accounts.length !== 4) return 'it is no transfer';
  const [source, mint, destination, authority] = accounts.map((index) => message.accounts[index]);
  if (mint !== place.profile.usdc) return `it moves ${mint}`;
  if (source !== from.account || authority !== from.owner) return `it moves money out of ${source}`;
  if (Buffer.from(data).readBigUInt64LE(1) === 0n) return 'it moves nothing';
  const isOurs = isOwnAccount(place, destination);
  const isWanted = to === null ? !isOurs : destination === to.account;
  return isWanted ? null : `it moves money to ${destination}`;
}

function isOwnAccount({ treasury, swept }: SolanaPlace, wanted: string | undefined): boolean {
  return [...(treasury === null ? [] : [treasury]), ...swept].some(({ account }) => account === wanted);
}

/** Idempotent, so that an account that appears meanwhile does no harm. */
function openingFault(
  message: Message,
  { accounts, data }: Instruction,
  { profile, treasury }: SolanaPlace,
): string | null {
  const [payer, , , mint] = accounts.map((index) => message.accounts[index]);
  const isOpening = data.length === 1 && data[0] === 1 && payer === treasury?.owner && mint === profile.usdc;
  return isOpening ? null : 'it opens another account than one for USDC';
}

function findOpeningFault(message: Message, place: SolanaPlace): string | null {
  if (place.treasury === null) return NO_TREASURY;
  const head = findHeadFault(message, [place.treasury.owner]);
  if (head !== null) return head;
  const calls = message.instructions.filter(({ program }) => message.accounts[program] !== COMPUTE_BUDGET_PROGRAM);
  const [opening, ...others] = calls;
  if (opening === undefined || others.length > 0) return 'it does more than open an account';
  if (message.accounts[opening.program] !== ASSOCIATED_TOKEN_PROGRAM) return 'it opens no account';
  const account = message.accounts[opening.accounts[1] ?? -1];
  if (!isOwnAccount(place, account)) return `${account} is no account of ours`;
  return openingFault(message, opening, place);
}
