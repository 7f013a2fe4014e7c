/**
 * Why no money goes to an address that a recipient gave as their own: a code for each remedy, and
 * the sentence that the recipient reads.
 */
export const ADDRESS_REFUSALS = {
  not_an_address:
    'This is not an address. On Base it is 0x and 40 digits or letters a to f, on Solana 32 to 44 letters and digits.',
  wrong_checksum:
    'This address has a typing mistake: its small and capital letters do not fit together. Please copy it again.',
  ours: 'This address belongs to this service. Please give one of your own.',
  nobody: 'Nobody owns this address: money sent there would be lost.',
  system: 'This address is a part of the network itself, not of a person: money sent there would be lost.',
  token: 'This is the address of a token, not of a person.',
  token_account: 'This is a token account. Please give the address of the wallet that owns it.',
  special_account: 'This account is for staking or for signing later. Please give the address of the wallet itself.',
  program: 'This address belongs to a program, not to a person’s wallet.',
  foreign_account: 'The USDC account of this wallet belongs to another owner now, who would get the money.',
  blacklisted: 'The issuer of USDC has barred this address, so no USDC can arrive there.',
} as const;
export type AddressRefusal = keyof typeof ADDRESS_REFUSALS;

/** `address` in its canonical form. `unavailable`: the chain did not answer, so nothing is known; ask again. */
export type AddressCheck =
  | { kind: 'fine'; address: string }
  | { kind: 'refused'; reason: AddressRefusal }
  | { kind: 'unavailable' };

/** The refusals that need no question to the chain. */
export type KnownAddress = Extract<AddressRefusal, 'nobody' | 'system' | 'token'>;
