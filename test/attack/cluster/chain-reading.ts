import { createPublicClient, http, parseAbiItem, type Hex } from 'viem';
import { tokenAccountOf } from '../../../chain/solana/messages/addresses.ts';
import { solanaProfile } from '../../../chain/solana/messages/profile.ts';
import { callRpc } from '../../../local/processes/rpc.ts';
import { testBase } from '../../support/chains/base-chain.ts';
import { USDC } from '../../support/pay.ts';
import type { ChainSays, Movement } from './evidence.ts';

const TRANSFER = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)');
const USED = parseAbiItem('event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)');

/** In so many blocks there are never more logs than an answer holds. */
const LOGGED_BLOCKS = 500n;
/** As many as one answer names. */
const NAMED_MAX = 1_000;

/** Whose movements are looked for. */
export type Asked = { rpcUrl: string; treasury: string; payers: ReadonlySet<string>; wallets: readonly string[] };

/** Every transfer of USDC that the chain has seen. */
export async function readBase({ rpcUrl, treasury, payers, wallets }: Asked): Promise<ChainSays> {
  const client = createPublicClient({ chain: testBase, transport: http(rpcUrl) });
  const logsFrom = async (fromBlock: bigint) => {
    const range = { address: USDC as Hex, fromBlock, toBlock: fromBlock + LOGGED_BLOCKS - 1n, strict: true } as const;
    return {
      moved: await client.getLogs({ ...range, event: TRANSFER }),
      used: await client.getLogs({ ...range, event: USED }),
    };
  };
  const parts = [];
  const head = await client.getBlockNumber();
  for (let from = 0n; from <= head; from += LOGGED_BLOCKS) parts.push(await logsFrom(from));
  const [moved, used] = [parts.flatMap((part) => part.moved), parts.flatMap((part) => part.used)];
  const place = (hash: Hex, index: number) => `${hash}/${index}`;
  const nonces = new Map(used.map((log) => [place(log.transactionHash, log.logIndex + 1), log.args.nonce]));
  const times = new Map<bigint, number>();
  for (const { blockNumber } of moved) {
    if (times.has(blockNumber)) continue;
    times.set(blockNumber, Number((await client.getBlock({ blockNumber })).timestamp) * 1_000);
  }
  const received = new Map(wallets.map((wallet) => [wallet, 0n]));
  const [charges, returns]: [Movement[], Movement[]] = [[], []];
  for (const { args, blockNumber, transactionHash, logIndex } of moved) {
    const [from, to, amount] = [args.from.toLowerCase(), args.to.toLowerCase(), args.value];
    const atMs = times.get(blockNumber) ?? 0;
    const proof = nonces.get(place(transactionHash, logIndex)) ?? null;
    if (received.has(to)) received.set(to, (received.get(to) ?? 0n) + amount);
    if (to === treasury && payers.has(from)) charges.push({ payer: from, amount, atMs, proof });
    if (from === treasury && payers.has(to)) returns.push({ payer: to, amount, atMs, proof });
  }
  return { charges, returns, received };
}

type Balance = { owner: string; mint: string; uiTokenAmount: { amount: string } };
type Landed = {
  blockTime: number;
  transaction: { signatures: readonly string[] };
  meta: { err: unknown; preTokenBalances: Balance[]; postTokenBalances: Balance[] };
};

type Moved = { atMs: number; amounts: ReadonlyMap<string, bigint>; proof: string | null };

export type SolanaReading = {
  /** Reads what is new. To be called often. */
  look: () => Promise<void>;
  says: (asked: Pick<Asked, 'payers' | 'wallets'>) => ChainSays;
};

/**
 * What the treasury's token account has seen, through which all money goes. The local chain forgets all but its newest ten
 * thousand transactions, so they are read while the storm goes on.
 */
export function createSolanaReading({ rpcUrl, treasury }: Pick<Asked, 'rpcUrl' | 'treasury'>): SolanaReading {
  const account = tokenAccountOf(treasury, solanaProfile('local'));
  const moved: Moved[] = [];
  let newest: string | null = null;

  async function look(): Promise<void> {
    const named = await namedIn(rpcUrl, account, newest);
    // The oldest first, so that a look that breaks off goes on where it was.
    for (const { signature, err } of named.toReversed()) {
      if (err === null) moved.push(await readMoved(rpcUrl, signature));
      newest = signature;
    }
  }

  function says({ payers, wallets }: Pick<Asked, 'payers' | 'wallets'>): ChainSays {
    const received = new Map(wallets.map((wallet) => [wallet, 0n]));
    const [charges, returns]: [Movement[], Movement[]] = [[], []];
    for (const { atMs, amounts, proof } of moved) {
      const ours = amounts.get(treasury) ?? 0n;
      for (const [owner, own] of amounts) {
        if (received.has(owner)) received.set(owner, (received.get(owner) ?? 0n) + own);
        if (!payers.has(owner)) continue;
        if (own < 0n && ours > 0n) charges.push({ payer: owner, amount: -own, atMs, proof });
        if (own > 0n && ours < 0n) returns.push({ payer: owner, amount: own, atMs, proof });
      }
    }
    return { charges, returns, received };
  }

  return { look, says };
}

type Named = { signature: string; err: unknown };

/** All that the address was named in since that signature, the newest first. */
async function namedIn(rpcUrl: string, address: string, until: string | null): Promise<Named[]> {
  const all: Named[] = [];
  for (;;) {
    const before = all.length === 0 ? {} : { before: all.at(-1)?.signature };
    const options = { limit: NAMED_MAX, commitment: 'confirmed', ...before, ...(until !== null && { until }) };
    const page = (await callRpc(rpcUrl, 'getSignaturesForAddress', [address, options])) as Named[];
    all.push(...page);
    if (page.length < NAMED_MAX) return all;
  }
}

async function readMoved(rpcUrl: string, signature: string): Promise<Moved> {
  const options = { commitment: 'confirmed', maxSupportedTransactionVersion: 0, encoding: 'json' };
  const landed = (await callRpc(rpcUrl, 'getTransaction', [signature, options])) as Landed;
  const amounts = new Map<string, bigint>();
  const add = (balances: readonly Balance[], sign: bigint) => {
    for (const { owner: whose, uiTokenAmount } of balances)
      amounts.set(whose, (amounts.get(whose) ?? 0n) + sign * BigInt(uiTokenAmount.amount));
  };
  add(landed.meta.preTokenBalances, -1n);
  add(landed.meta.postTokenBalances, 1n);
  const [, proof = null] = landed.transaction.signatures;
  return { atMs: landed.blockTime * 1_000, amounts, proof };
}
