import { z } from 'zod';
import { readEndpointAddress } from '../events/address.ts';
import { AppError } from '../errors.ts';
import { canonicalAddress, familyOf, NETWORKS, type Family, type Network } from '../networks.ts';
import { parseBody } from './fields.ts';

/** The longest validity of a registration's signature. */
const VALIDITY_MAX_SECONDS = 600;

export const registerEndpointBody = z.object({
  network: z.enum(NETWORKS).meta({ description: 'where the payer pays' }),
  payer: z.string().min(1).max(100).meta({ description: 'the account that pays, and that signs this' }),
  url: z.string().min(1).max(2_000).meta({ description: 'where events go: https, on port 443 or from 1024' }),
  valid_before: z.int().positive().meta({ description: 'Unix seconds, at most ten minutes ahead' }),
  signature: z
    .string()
    .regex(/^(?:0x(?:[0-9a-fA-F]{2}){1,6000}|[1-9A-HJ-NP-Za-km-z]{64,88})$/)
    .meta({
      description:
        'On EVM networks EIP-712: domain pennypost 1 on the chain, RegisterEndpoint(string url, uint256 validBefore). On Solana, in base58, the payer’s signature of the text that the answer to a wrong one shows.',
    }),
});

const WANTED = {
  network: 'the name of an offered network, such as base',
  payer: 'the address of the account that pays',
  url: 'an https address',
  signature: 'the payer’s signature: hex with 0x on EVM networks, base58 on Solana',
  valid_before: 'whole Unix seconds',
} as const;

const PAYERS = {
  evm: /^0x[0-9a-f]{40}$/,
  svm: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
} as const satisfies Record<Family, RegExp>;

export type Registration = {
  network: Network;
  payer: string;
  url: string;
  /** As the payer wrote it. */
  signedUrl: string;
  validBefore: number;
  signature: string;
};

/** Reads a registration. Throws AppError (400) when it is malformed, has expired or lasts too long. */
export function parseRegistration(
  body: unknown,
  { nowSeconds, allowsHttp }: { nowSeconds: number; allowsHttp: boolean },
): Registration {
  const read = parseBody(registerEndpointBody, body, WANTED);
  const { network, signature, valid_before: validBefore } = read;
  const remaining = validBefore - nowSeconds;
  if (remaining <= 0 || remaining > VALIDITY_MAX_SECONDS) {
    const detail = `"valid_before" must be within the next ${VALIDITY_MAX_SECONDS} seconds, found ${validBefore}.`;
    throw new AppError('validation_failed', { field: 'valid_before', detail });
  }
  const payer = canonicalAddress(network, read.payer);
  if (!PAYERS[familyOf(network)].test(payer)) {
    const detail = `"payer" must be the address of an account on ${network}.`;
    throw new AppError('validation_failed', { field: 'payer', detail });
  }
  const url = readEndpointAddress(read.url, { allowsHttp });
  if (url === null) {
    const detail =
      '"url" must be an https address of at most 500 characters, on port 443 or from 1024, without a user name and without "#".';
    throw new AppError('validation_failed', { field: 'url', detail });
  }
  // What is signed must have one reading; a bare host may go without its slash.
  if (url !== read.url && url !== `${read.url}/`) {
    const detail = `Sign and send the address as ${url}.`;
    throw new AppError('validation_failed', { field: 'url', detail, suggestion: url });
  }
  return { network, payer, url, signedUrl: read.url, validBefore, signature };
}
