/** Answers of a node that lies: what is asked reaches the chain or not, and the answer says something else. */
import { keccak256, type Hex } from 'viem';
import { toBase58 } from '../../../chain/solana/messages/base58.ts';

export type Call = { id: unknown; method: string; params?: readonly unknown[] };
export type Reply = { jsonrpc: '2.0'; id: unknown; result?: unknown; error?: unknown };

export type Lie = 'swallow' | 'no_receipt' | 'stale_head' | 'stale_nonce' | 'empty_logs' | 'other_hash' | 'other_word';

const SENDS = ['eth_sendRawTransaction', 'sendTransaction'];
const HEADS = ['eth_blockNumber', 'eth_getBlockByNumber', 'getSlot', 'getBlockHeight', 'getLatestBlockhash'];

/** The methods whose answer each lie is about. */
const ABOUT: Record<Lie, readonly string[]> = {
  swallow: SENDS,
  no_receipt: ['eth_getTransactionReceipt', 'getSignatureStatuses', 'getTransaction'],
  stale_head: HEADS,
  stale_nonce: ['eth_getTransactionCount'],
  empty_logs: ['eth_getLogs', 'getSignaturesForAddress'],
  other_hash: ['eth_getBlockByNumber'],
  other_word: ['eth_call'],
};

export const LIES: readonly Lie[] = [
  'swallow',
  'no_receipt',
  'stale_head',
  'stale_nonce',
  'empty_logs',
  'other_hash',
  'other_word',
];
export const isSend = (method: string): boolean => SENDS.includes(method);
export const isAbout = (lie: Lie, method: string): boolean => ABOUT[lie].includes(method);

/** A node that is so far behind. */
const BEHIND_MS = 4_000;
type Remembered = { atMs: number; result: unknown };

/** What a node has answered before, so that it can answer it again. */
export function createMemory() {
  const answers = new Map<string, Remembered[]>();
  const keyOf = ({ method, params }: Call) => `${method} ${JSON.stringify(params ?? [])}`;
  return {
    note(call: Call, { result }: Reply): void {
      if (!HEADS.includes(call.method) && !isAbout('stale_nonce', call.method)) return;
      const known = (answers.get(keyOf(call)) ?? []).filter(({ atMs }) => atMs > Date.now() - 4 * BEHIND_MS);
      answers.set(keyOf(call), [...known, { atMs: Date.now(), result }]);
    },
    /** Null where nothing so old is known. */
    before(call: Call): Remembered | null {
      return answers.get(keyOf(call))?.findLast(({ atMs }) => atMs < Date.now() - BEHIND_MS) ?? null;
    },
  };
}
export type Memory = ReturnType<typeof createMemory>;

/** The lie instead of the node's answer; null where this call cannot be lied about now. */
export function lieAbout(lie: Lie, call: Call, { result }: Reply, memory: Memory): { result: unknown } | null {
  if (!isAbout(lie, call.method)) return null;
  switch (lie) {
    case 'swallow':
      return { result: hashOf(call) };
    case 'no_receipt':
      return { result: call.method === 'getSignatureStatuses' ? withoutStatuses(result) : null };
    case 'stale_head':
    case 'stale_nonce':
      return memory.before(call);
    case 'empty_logs':
      return { result: [] };
    case 'other_hash':
      return { result: typeof result === 'object' ? { ...result, hash: OTHER_HASH } : result };
    case 'other_word':
      return typeof result === 'string' ? { result: `${result.slice(0, -64)}${ONE}` } : null;
  }
}

const OTHER_HASH = `0x${'ab'.repeat(32)}`;
/** A yes, or a balance of one. */
const ONE = '1'.padStart(64, '0');

type Statuses = { context: unknown; value: readonly unknown[] };
const withoutStatuses = (result: unknown) => {
  const { context, value } = result as Statuses;
  return { context, value: value.map(() => null) };
};

/** Under which name the node would have taken the transaction. */
function hashOf({ method, params = [] }: Call): string {
  const [bytes] = params as [string];
  if (method === 'eth_sendRawTransaction') return keccak256(bytes as Hex);
  // One byte says how many signatures there are; the first is its name.
  return toBase58(Buffer.from(bytes, 'base64').subarray(1, 65));
}
