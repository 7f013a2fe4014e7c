import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { toHeader } from '../../core/payments/x402.ts';
import { evmProfile } from '../../chain/evm/rpc/profile.ts';
import type { EvmNetwork } from '../../core/networks.ts';
import { signAuthorization, toAuthorization, usdcDomainOf } from './chains/base-chain.ts';

type Hex = `0x${string}`;
/** A signer of typed data: a viem account, or an owner who signs for a contract wallet. */
export type TestSigner = Parameters<typeof signAuthorization>[0];

export type ProofOptions = {
  from: Hex;
  signer: TestSigner;
  payTo: Hex;
  /** Micro-USDC. */
  value: bigint;
  version?: 1 | 2;
  network?: string;
  /** Whose USDC is signed for; Base when left out. */
  on?: EvmNetwork;
  asset?: Hex;
  validAfter?: number;
  validBefore?: number;
  nonce?: Hex;
  /** What a second-generation client claims to have accepted, where it differs from what it signed. */
  acceptedAmount?: string;
  extensions?: Record<string, unknown>;
};

export const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';

/** A signed proof as it stands in the request header. */
export async function makeProof(options: ProofOptions): Promise<string> {
  const { from, signer, payTo, value, version = 2, on = 'base' } = options;
  const profile = evmProfile(on, 'local');
  const nowSeconds = Math.floor(Date.now() / 1000);
  const validAfter = options.validAfter ?? nowSeconds - 600;
  const validBefore = options.validBefore ?? nowSeconds + 60;
  const nonce = options.nonce ?? (`0x${randomBytes(32).toString('hex')}` as Hex);
  const authorization = toAuthorization({
    from,
    to: payTo,
    value,
    validAfter: BigInt(validAfter),
    validBefore: BigInt(validBefore),
    nonce,
  });
  const signature = await signAuthorization(signer, authorization, 'TransferWithAuthorization', usdcDomainOf(on));
  const payload = {
    signature,
    authorization: {
      from,
      to: payTo,
      value: value.toString(),
      validAfter: String(validAfter),
      validBefore: String(validBefore),
      nonce,
    },
  };
  if (version === 1) {
    return toHeader({ x402Version: 1, scheme: 'exact', network: options.network ?? profile.v1Name, payload });
  }
  const accepted = {
    scheme: 'exact',
    network: options.network ?? profile.caip2,
    amount: options.acceptedAmount ?? value.toString(),
    asset: options.asset ?? profile.usdc,
    payTo,
    maxTimeoutSeconds: 60,
    extra: { name: profile.eip712Name, version: profile.eip712Version },
  };
  const { extensions } = options;
  return toHeader({ x402Version: 2, accepted, payload, ...(extensions === undefined ? {} : { extensions }) });
}

/** The fields that tests look at; `data` of a 200 and `accepts` of a 402 are what they are there. */
export type ReplyBody = Record<string, unknown> & {
  data: { txn_id: number; status: string; amount: number; receipt: string; settlement_attempt_id: string };
  accepts: Record<string, unknown>[];
  detail: string;
};
export type Reply = { status: number; headers: Headers; body: ReplyBody };

/** Far longer than any network of a test is out by itself. */
const PATIENCE_MS = 30_000;

/**
 * As a careful client sends it: the same request again while its network is out, which happens by itself where the machine
 * is busy and the local chain answers late. Nothing was taken then, as the answer says.
 */
export async function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  const endsAt = Date.now() + PATIENCE_MS;
  for (;;) {
    const reply = await postOnce(url, body, headers);
    const isOut = 'PAYMENT-SIGNATURE' in headers && reply.body['error'] === 'network_unavailable';
    if (!isOut || Date.now() > endsAt) return reply;
    await setTimeout(250);
  }
}

async function postOnce(url: string, body: unknown, headers: Record<string, string>): Promise<Reply> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: JSON.parse(text === '' ? '{}' : text) as ReplyBody,
  };
}
