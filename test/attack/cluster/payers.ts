import { setTimeout as sleep } from 'node:timers/promises';
import type { Dice } from '../solana/dice.ts';
import { CLIENTS, type Answer, type Chain, type ClientKind, type Order } from './evidence.ts';
import type { Installation, Receiver } from './installation.ts';
import { SKINS, type Price, type Skin, type Wish } from './skins.ts';
import type { Tell } from './storm.ts';
import { keyOf, newWallet, type Wallet } from './wallets.ts';

const SKIN_OF: Record<ClientKind, Skin> = {
  'fetch v2': SKINS.v2,
  'v1 header': SKINS.v1,
  batch: SKINS.v2,
  mcp: SKINS.mcp,
  a2a: SKINS.a2a,
  copies: SKINS.v2,
  'hang up': SKINS.v2,
  key: SKINS.v2,
  cancel: SKINS.v2,
};
const ANSWER_WITHIN_MS = 75_000;
const TRIES = 4;
const CENT = 10_000n;

type Signed = { proof: Record<string, unknown>; price: Price };
/** An order while it lives. */
export type Wanted = Order & {
  wish: Wish;
  wallet: Wallet;
  headers: Record<string, string>;
  signed: Signed[];
  proofs: string[];
  answers: Answer[];
};

export type World = {
  installation: Installation;
  dice: Dice;
  tell: Tell;
  /** Where the APIs are, and what stands before them. */
  direct: readonly string[];
  front: string;
};

/** By the dice: who pays what to whom, and by which client. */
export async function newOrder(world: World, chain: Chain, index: number): Promise<Wanted> {
  const { dice, installation } = world;
  const kinds = CLIENTS.filter((kind) => chain === 'base' || kind !== 'cancel');
  const client = kinds[index % kinds.length] ?? 'fetch v2';
  const known = installation.receivers.filter((receiver) => receiver.chain === chain);
  const count = client === 'batch' ? 3 : 1;
  const receivers = Array.from({ length: count }, (_, place) => {
    // A client pays no more than a dollar at once unless its owner says so.
    const cents = 5 + dice.below(count === 1 ? 40 : 28);
    const stranger: Receiver | null = null;
    const isKnown = client !== 'cancel' && dice.below(2) === 0;
    const receiver = isKnown ? (known[dice.below(known.length)] ?? stranger) : stranger;
    return { cents, receiver, handle: receiver?.handle ?? `u${chain}${index}n${place}` };
  });
  const wallet = await newWallet(chain, installation);
  const id = `${chain}-${index}`;
  return {
    id,
    client,
    chain,
    payer: wallet.address,
    receivers: receivers.map(({ cents, receiver }) => ({
      wallet: receiver?.wallet ?? null,
      amount: BigInt(cents) * CENT,
    })),
    total: receivers.reduce((sum, { cents }) => sum + BigInt(cents) * CENT, 0n),
    proofs: [],
    answers: [],
    isCancelled: false,
    wish: {
      receivers: receivers.map(({ handle, cents }) => ({ receiver: handle, amount: cents / 100 })),
      description: id,
    },
    wallet,
    headers:
      client === 'key' || (client === 'hang up' && dice.below(2) === 0)
        ? { 'Idempotency-Key': `key-of-${id}-0123456789` }
        : {},
    signed: [],
  };
}

const isAnswered = ({ answers }: Wanted) => answers.some(({ kind }) => kind === 'paid');

/** As an impatient client does: after anything but a 200 it presents its proof again, or signs anew. */
export async function pay(world: World, order: Wanted, isOver: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < TRIES && !isAnswered(order) && !isOver(); attempt += 1) {
    const again = order.signed.length > 0 && world.dice.below(2) === 0;
    const proof = again ? order.signed.length - 1 : await signAnew(world, order, isOver);
    if (proof === null) return;
    const hangsUp = order.client === 'hang up' && attempt < 2;
    const copies = order.client === 'copies' ? 3 : 1;
    const limitMs = hangsUp ? 200 + world.dice.below(2_500) : ANSWER_WITHIN_MS;
    await Promise.all(Array.from({ length: copies }, () => present(world, order, proof, { limitMs, hangsUp })));
    // What was refused for good is not asked for again.
    if (order.answers.at(-1)?.kind === 'refused') return;
    if (!isAnswered(order)) await sleep(300 + world.dice.below(700));
  }
  if (order.client === 'cancel' && isAnswered(order)) await cancel(world, order);
}

async function signAnew(world: World, order: Wanted, isOver: () => boolean): Promise<number | null> {
  while (!isOver()) {
    const options = { signal: AbortSignal.timeout(20_000), headers: order.headers };
    // Nobody listens there, or no network serves.
    const price = await SKIN_OF[order.client].ask(urlFrom(world), order.wish, options).catch(() => null);
    const proof = price === null ? null : await order.wallet.sign(price.required);
    if (price === null || proof === null) {
      await sleep(1_000);
      continue;
    }
    world.tell({ at: 'signed', order: order.id, proof: keyOf(proof) });
    order.signed.push({ proof, price });
    order.proofs.push(keyOf(proof));
    return order.proofs.length - 1;
  }
  return null;
}

/**
 * Records what came of it; nothing within the limit is an answer as well. Who hangs up behind a proxy that has taken the
 * answer already looks like a client that read it, and only a key says that its next proof is a retry.
 */
export async function present(
  world: World,
  order: Wanted,
  proof: number,
  { limitMs = ANSWER_WITHIN_MS, hangsUp = false } = {},
): Promise<void> {
  const signed = order.signed[proof];
  if (signed === undefined) throw new Error(`order ${order.id} has no proof ${proof}`);
  const askedAtMs = Date.now();
  const options = { signal: AbortSignal.timeout(limitMs), headers: order.headers };
  const heard = await SKIN_OF[order.client]
    .present(
      urlFrom(world, hangsUp && !('Idempotency-Key' in order.headers)),
      order.wish,
      signed.price,
      signed.proof,
      options,
    )
    .catch(() => ({ kind: 'none' }) as const);
  const answer = { ...heard, proof, askedAtMs, atMs: Date.now() };
  order.answers.push(answer);
  world.tell({ at: 'answer', order: order.id, ...answer });
}

/** By the dice, every second time through the front, as most callers come; `isDirect`: an API itself. */
function urlFrom({ direct, front, dice }: World, isDirect = false): string {
  const urls = isDirect ? direct : [...direct, ...direct.map(() => front)];
  return urls[dice.below(urls.length)] ?? front;
}

async function cancel(world: World, order: Wanted): Promise<void> {
  const paid = order.answers.find((answer) => answer.kind === 'paid');
  const { signCancellation } = order.wallet;
  if (paid === undefined || signCancellation === null) return;
  const txnId = Number(paid.txnIds);
  for (let attempt = 0; attempt < 2 * TRIES; attempt += 1) {
    const validBefore = Math.floor(Date.now() / 1_000) + 120;
    const body = JSON.stringify({ signature: await signCancellation(txnId, validBefore), valid_before: validBefore });
    const answer = await fetch(`${urlFrom(world)}/payments/${txnId}/cancel`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(20_000),
    }).catch(() => null);
    world.tell({ at: 'cancel', order: order.id, status: answer?.status ?? null });
    if (answer?.status === 200) return void (order.isCancelled = true);
    if (answer?.status === 400) return;
    await sleep(1_000);
  }
}
