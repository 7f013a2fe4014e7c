/** Addresses that are the same on every Solana network. */
export const SYSTEM_PROGRAM = '11111111111111111111111111111111';
export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
/** The newer one, of tokens with extensions. USDC is not among them. */
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
export const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
export const STAKE_PROGRAM = 'Stake11111111111111111111111111111111111111';
export const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111';
export const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
/** The first memo program, which some wallets still use. */
export const MEMO_PROGRAM_V1 = 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo';
/** Only asserts what an account holds; wallets add it to what they sign. */
export const LIGHTHOUSE_PROGRAM = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95';

/** Instructions of the token program that move tokens; the number is the first byte of their data. */
export const TOKEN_TRANSFER = 3;
export const TOKEN_TRANSFER_CHECKED = 12;
/** Errors of the token program, as `InstructionError` carries them in `Custom`. */
export const TOKEN_INSUFFICIENT_FUNDS = 1;
export const TOKEN_ACCOUNT_FROZEN = 17;

/** A token account of the token program (spl-token, `Account::LEN`). */
export const TOKEN_ACCOUNT_BYTES = 165;
/** A mint of either token program without extensions (spl-token, `Mint::LEN`). */
export const MINT_BYTES = 82;

/** What one packet carries, signatures included: legacy and version 0 transactions are never longer. */
export const TRANSACTION_BYTES_MAX = 1_232;
export const SIGNATURE_BYTES = 64;
export const LAMPORTS_PER_SIGNATURE = 5_000;
export const MICRO_LAMPORTS_PER_LAMPORT = 1_000_000;

/** For how many blocks after its own a blockhash is good (`MAX_PROCESSING_AGE`). */
export const BLOCKHASH_BLOCKS = 150;
