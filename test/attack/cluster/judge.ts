import { hasEnded, isSent } from './tippers.ts';
import {
  CHAINS,
  countKills,
  findRare,
  type Answer,
  type Chain,
  type Evidence,
  type Interval,
  type Movement,
  type Order,
  type Tip,
} from './evidence.ts';

/** A line of the verdict with what is wrong in it; nothing when the rule held. */
/** `isOdd`: it holds only by the patience that a busy machine is given, and is worth a look. */
export type Finding = { rule: string; wrong: readonly string[]; note?: string; isOdd?: boolean };

/** What a machine with nothing beside the torture keeps. */
export const SILENCE_MAX_MS = 60_000;

/** The chains and the recorded answers decide, nothing else. */
export function judge(evidence: Evidence): Finding[] {
  const { orders } = evidence;
  const wrong = (of: (order: Order, said: Said) => string[]) =>
    orders.flatMap((order) => of(order, saidOf(evidence, order)).map((text) => `${nameOf(order)}: ${text}`));
  return [
    { rule: 'lost', wrong: wrong(findLost) },
    { rule: 'doubled', wrong: wrong(findDoubled) },
    { rule: 'recipients', wrong: findWrongReceipts(evidence) },
    { rule: 'tips without an end', wrong: evidence.tips.flatMap(findUnended) },
    { rule: 'changed answers', wrong: wrong(findChanged) },
    { rule: '402 after a broadcast', wrong: wrong(findLateChallenges) },
    { rule: 'processes that ended themselves', wrong: evidence.selfExits },
    { rule: 'silence without a fault', ...findSilences(evidence) },
    { rule: 'too little happened', wrong: findTooLittle(evidence) },
  ];
}

type Said = { charges: readonly Movement[]; returned: bigint; paid: readonly Extract<Answer, { kind: 'paid' }>[] };

const nameOf = ({ id, client, chain }: Order) => `${id} (${client}, ${chain})`;
const isPaid = (answer: Answer): answer is Extract<Answer, { kind: 'paid' }> => answer.kind === 'paid';

function saidOf({ chains }: Evidence, { chain, payer, answers }: Order): Said {
  const own = (movements: readonly Movement[]) => movements.filter((one) => one.payer === payer);
  const returned = own(chains[chain].returns).reduce((sum, { amount }) => sum + amount, 0n);
  return { charges: own(chains[chain].charges), returned, paid: answers.filter(isPaid) };
}

/** What was charged ended with a 200 or came back; what was called off came back. */
function findLost(order: Order, { charges, returned, paid }: Said): string[] {
  const charged = charges.reduce((sum, { amount }) => sum + amount, 0n);
  if (order.isCancelled) return returned === charged ? [] : [`called off; charged ${charged}, given back ${returned}`];
  const isAnswered = paid.length > 0;
  return [
    ...(charged > 0n && !isAnswered && returned !== charged
      ? [`charged ${charged}, no 200, given back ${returned}`]
      : []),
    ...(isAnswered && returned > 0n ? [`has its 200, and ${returned} was given back`] : []),
  ];
}

/** A wish is charged once; what it was charged is what it asked for; no 200 without a charge. */
function findDoubled({ total }: Order, { charges, paid }: Said): string[] {
  return [
    ...(charges.length > 1 ? [`charged ${charges.length} times: ${charges.map(({ proof }) => proof).join(', ')}`] : []),
    ...(charges.some(({ amount }) => amount !== total) ? [`charged another sum than ${total}`] : []),
    ...(paid.length > 0 && charges.length === 0 ? ['has its 200 and was not charged'] : []),
  ];
}

/** A proof has one answer for ever, and a wish one payment. */
function findChanged(_order: Order, { paid }: Said): string[] {
  const ids = new Set(paid.map(({ txnIds }) => txnIds));
  const bodies = new Set(paid.map(({ answer }) => answer));
  return [
    ...(ids.size > 1 ? [`answered with ${[...ids].join(' and ')}`] : []),
    ...(ids.size === 1 && bodies.size > 1 ? [`one txn_id and ${bodies.size} bodies: ${[...bodies].join(' | ')}`] : []),
  ];
}

/** Told to sign anew while this very proof was charged, or could still be. */
function findLateChallenges({ proofs, answers }: Order, { charges }: Said): string[] {
  return answers.flatMap((answer) => {
    if (answer.kind !== 'challenge') return [];
    const { proof, atMs } = answer;
    const charge = charges.find((one) => one.proof === proofs[proof]);
    if (charge === undefined) return [];
    // Presented once more after the refusal, it was a new beginning.
    const isPresentedAgain = answers.some((other) => other.proof === proof && other.askedAtMs > atMs);
    return charge.atMs <= atMs || !isPresentedAgain
      ? [`402 (${answer.error}) for the charged proof ${proofs[proof]}`]
      : [];
  });
}

/** Each wallet has what was paid for it, no more and no less. */
function findWrongReceipts({ orders, tips, chains }: Evidence): string[] {
  const due = new Map<string, bigint>();
  const add = (wallet: string, amount: bigint) => due.set(wallet, (due.get(wallet) ?? 0n) + amount);
  for (const { chain, payer, receivers, isCancelled } of orders) {
    const isCharged = chains[chain].charges.some((charge) => charge.payer === payer);
    for (const { wallet, amount } of receivers)
      if (wallet !== null) add(wallet, isCharged && !isCancelled ? amount : 0n);
  }
  // One that was refused in the chat was not paid either.
  for (const tip of tips) add(tip.wallet, isSent(tip) ? tip.amount : 0n);
  const has = (wallet: string) => CHAINS.reduce((sum, chain) => sum + (chains[chain].received.get(wallet) ?? 0n), 0n);
  return [...due].flatMap(([wallet, amount]) =>
    has(wallet) === amount ? [] : [`wallet ${wallet} has ${has(wallet)}, and ${amount} was paid for it`],
  );
}

function findUnended(tip: Tip): string[] {
  if (hasEnded(tip)) return [];
  return [`${tip.handle} for ${tip.amount}: its person reads ${JSON.stringify(tip.said)}`];
}

/** A run in which less has happened has not tested what it is for. */
function findTooLittle({ aim, hits, chains, tips }: Evidence): string[] {
  const { faults, ...least } = aim.least;
  const happened = {
    kills: countKills(hits),
    payments: CHAINS.reduce((sum, chain) => sum + chains[chain].charges.length, 0),
    tips: tips.filter(isSent).length,
  };
  return [
    ...findRare(aim, hits).map((name) => `${name}: ${hits[name] ?? 0} times, and ${faults} are wanted`),
    ...(['kills', 'payments', 'tips'] as const).flatMap((what) =>
      happened[what] < least[what] ? [`${what}: ${happened[what]}, and ${least[what]} are wanted`] : [],
    ),
  ];
}

function findSilences({ orders, storm, troubles, silenceMaxMs }: Evidence): Omit<Finding, 'rule'> {
  const longest = CHAINS.map((chain): [Chain, Interval] => {
    const paidAtMs = orders
      .filter((order) => order.chain === chain)
      .flatMap(({ answers }) => answers.filter(isPaid).map(({ atMs }) => atMs))
      .toSorted((one, other) => one - other);
    return [chain, findLongestSilence(storm, troubles[chain], paidAtMs)];
  });
  const beganAt = ({ fromMs }: Interval) => Math.round((fromMs - storm.fromMs) / 1_000);
  const seconds = ({ fromMs, toMs }: Interval) => Math.round((toMs - fromMs) / 1_000);
  return {
    wrong: longest
      .filter(([, { fromMs, toMs }]) => toMs - fromMs > silenceMaxMs)
      .map(([chain, gap]) => `${chain}: no 200 for ${seconds(gap)} s from second ${beganAt(gap)} on`),
    note: longest.map(([chain, gap]) => `${chain} ${seconds(gap)} s from second ${beganAt(gap)} on`).join(', '),
    isOdd: longest.some(([, { fromMs, toMs }]) => toMs - fromMs > SILENCE_MAX_MS),
  };
}

/** The longest time without a 200 in which no fault held; each fault and each 200 begins a new one. */
export function findLongestSilence(
  storm: Interval,
  troubles: readonly Interval[],
  paidAtMs: readonly number[],
): Interval {
  const breaks = [...troubles, ...paidAtMs.map((atMs) => ({ fromMs: atMs, toMs: atMs }))].toSorted(
    (one, other) => one.fromMs - other.fromMs,
  );
  let longest: Interval = { fromMs: storm.fromMs, toMs: storm.fromMs };
  let quietFromMs = storm.fromMs;
  for (const { fromMs, toMs } of [...breaks, { fromMs: storm.toMs, toMs: storm.toMs }]) {
    const untilMs = Math.min(fromMs, storm.toMs);
    if (untilMs - quietFromMs > longest.toMs - longest.fromMs) longest = { fromMs: quietFromMs, toMs: untilMs };
    quietFromMs = Math.max(quietFromMs, toMs);
  }
  return longest;
}
