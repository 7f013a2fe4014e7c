import { z } from 'zod';
import { isOf, mainnetOf, type Family, type Network } from '../../core/networks.ts';
import { toEndpointRequest } from '../endpoint.ts';
import { askProvider, type LookupTools } from '../lookup.ts';

/** An address whose owner proved to Farcaster that they hold it. */
export type VerifiedAddress = {
  family: Family;
  /** Lower-case hexadecimal, or base58. */
  address: string;
  /** The chain that a contract's proof was made on (8453 is Base); 0 for plain keys. */
  chainId: number;
  /** A contract's address means nothing on another chain. */
  isContract: boolean;
};

/** Whether its owner holds it on this network: a key is valid on every chain, a contract only where it was verified. */
export function holdsOn(network: Network, { family, isContract, chainId }: VerifiedAddress): boolean {
  return isOf(family, network) && (!isContract || mainnetOf(network) === `eip155:${chainId}`);
}

const PAGE_SIZE = 100;
const PAGES_MAX = 10;

const ethereumSchema = z.object({
  protocol: z.literal('PROTOCOL_ETHEREUM').default('PROTOCOL_ETHEREUM'),
  address: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/)
    .toLowerCase(),
});
const solanaSchema = z.object({
  protocol: z.literal('PROTOCOL_SOLANA'),
  address: z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/),
});
/** Snapchain writes `type`, older hubs `verificationType`; both omit zeros. */
const kindSchema = z.object({
  chainId: z.int().nonnegative().default(0),
  type: z.int().optional(),
  verificationType: z.int().optional(),
});
const verificationsSchema = z.object({
  messages: z.array(
    z.object({
      data: z.object({
        fid: z.int().positive(),
        verificationAddAddressBody: z.intersection(z.union([ethereumSchema, solanaSchema]), kindSchema),
      }),
    }),
  ),
  nextPageToken: z.string().nullish(),
});

/** The addresses that a person published on Farcaster; null when the hub gave no usable answer. */
export type FindVerifiedAddresses = (fid: string, signal: AbortSignal) => Promise<readonly VerifiedAddress[] | null>;

export function createFindVerifiedAddresses(settings: { hubUrl: string }, tools: LookupTools): FindVerifiedAddresses {
  return async (fid, signal) => {
    const addresses: VerifiedAddress[] = [];
    let pageToken = '';
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const query = { fid, pageSize: String(PAGE_SIZE), ...(pageToken === '' ? {} : { pageToken }) };
      const answer = await askProvider(
        toEndpointRequest(settings.hubUrl, '/v1/verificationsByFid', query),
        signal,
        tools,
      );
      if (answer === null) return null;
      const parsed = verificationsSchema.safeParse(answer.json);
      if (
        answer.status !== 200 ||
        !parsed.success ||
        parsed.data.messages.some(({ data }) => String(data.fid) !== fid)
      ) {
        tools.report(`unexpected verifications with status ${answer.status}`);
        return null;
      }
      addresses.push(...parsed.data.messages.map(({ data }) => toVerifiedAddress(data.verificationAddAddressBody)));
      pageToken = parsed.data.nextPageToken ?? '';
      if (pageToken === '') break;
    }
    return addresses;
  };
}

type VerificationBody = z.infer<typeof verificationsSchema>['messages'][number]['data']['verificationAddAddressBody'];

const CAN_BE_CONTRACT = { evm: true, svm: false } as const satisfies Record<Family, boolean>;
const FAMILIES = { PROTOCOL_ETHEREUM: 'evm', PROTOCOL_SOLANA: 'svm' } as const satisfies Record<string, Family>;

function toVerifiedAddress({ protocol, address, chainId, type, verificationType }: VerificationBody): VerifiedAddress {
  const family = FAMILIES[protocol];
  return { family, address, chainId, isContract: CAN_BE_CONTRACT[family] && (type ?? verificationType ?? 0) === 1 };
}
