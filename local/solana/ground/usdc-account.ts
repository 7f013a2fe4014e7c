import { type Address, getAddressEncoder, getProgramDerivedAddress } from '@solana/kit';
import { ASSOCIATED_TOKEN_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from './addresses.ts';

/** The account that holds the owner's USDC, whether it is there or not. */
export async function usdcAccountOf(owner: Address): Promise<Address> {
  const encoder = getAddressEncoder();
  const seeds = [owner, TOKEN_PROGRAM, USDC_MINT].map((part) => encoder.encode(part));
  const [address] = await getProgramDerivedAddress({ programAddress: ASSOCIATED_TOKEN_PROGRAM, seeds });
  return address;
}
