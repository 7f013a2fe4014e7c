import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Hits } from '../../../scripts/torture/faults.ts';
import { startFakeTelegram } from '../../fakes/telegram/start.ts';
import { createDice } from '../solana/dice.ts';
import { createSolanaReading, readBase, type SolanaReading } from './chain-reading.ts';
import { CHAINS, type Aim, type Chain, type Evidence, type Tip } from './evidence.ts';
import { openInstallation } from './installation.ts';
import { SILENCE_MAX_MS, judge, type Finding } from './judge.ts';
import { newOrder, pay, present, type Wanted, type World } from './payers.ts';
import { createStorm, type Tell } from './storm.ts';
import { createTippers, isSent, type Tippers } from './tippers.ts';

export type Plan = {
  seed: number;
  lengthMs: number;
  aim: Aim;
  /** Wishes at once on each chain. */
  payers: number;
  /** How many times as long everything may take on a machine that others use. */
  patience: number;
};

export type Result = {
  findings: readonly Finding[];
  hits: Hits;
  orders: readonly Wanted[];
  tips: readonly Tip[];
  secondOn: Chain;
  chains: Evidence['chains'];
  folder: string;
};

const REST_MAX_MS = 180_000;
const LOOK_EVERY_MS = 5_000;

/** The storm over the whole installation, the rest after it, and the verdict. */
export async function endure({ seed, lengthMs, aim, payers, patience }: Plan): Promise<Result> {
  const telegram = await startFakeTelegram({ botUsername: 'penny_bot' });
  telegram.deliverThrice(true);
  const chatEnv = { TELEGRAM_TOKEN: telegram.token, TELEGRAM_API_URL: telegram.url };
  // The other one has to do without in this run.
  const secondOn = seed % 2 === 0 ? 'base' : 'solana';
  const installation = await openInstallation({ chatEnv, secondOn });
  const { fleet, dataDir, front } = installation;
  const tell: Tell = (event) =>
    appendFileSync(join(dataDir, 'events.jsonl'), `${JSON.stringify({ ms: Date.now(), ...event })}\n`);
  tell({ at: 'seed', seed, lengthMs, ...aim, secondOn });
  let isSound = false;
  try {
    await Promise.all(fleet.members.map(({ start }) => start()));
    const direct = fleet.of('api').map(({ url }) => url);
    const world: World = { installation, dice: createDice(seed), tell, direct, front: front.url };
    const storm = createStorm(installation, createDice(seed + 1), aim, tell);
    const tippers = createTippers(telegram, installation, tell);
    const orders: Wanted[] = [];
    let isStormOver = false;
    const fromMs = Date.now();
    const isOver = () => isStormOver;
    const crowd = CHAINS.flatMap((chain) => Array.from({ length: payers }, () => payOn(world, chain, orders, isOver)));
    crowd.push(tippers.tipUntil(isOver));
    const { rpcUrls, treasuries } = installation;
    const onSolana = createSolanaReading({ rpcUrl: rpcUrls.solana, treasury: treasuries.solana });
    crowd.push(readUntil(onSolana, isOver));
    await storm.rage(lengthMs, () => isEnough(aim, orders, tippers));
    isStormOver = true;
    const span = { fromMs, toMs: Date.now() };
    await Promise.all(crowd);
    tell({ at: 'storm over' });
    const evidence = async (): Promise<Evidence> => ({
      orders,
      tips: tippers.tips(),
      chains: await readChains(world, onSolana, orders, tippers.tips()),
      selfExits: fleet.selfExits(),
      storm: span,
      troubles: storm.troubles(),
      silenceMaxMs: SILENCE_MAX_MS * patience,
      aim,
      hits: storm.hits(),
    });
    const { findings, chains, tips, hits } = await comeToRest(world, orders, evidence, REST_MAX_MS * patience);
    isSound = findings.every(({ wrong, isOdd }) => wrong.length === 0 && isOdd !== true);
    tell({ at: 'verdict', findings });
    return { findings, hits, orders, tips, secondOn, chains, folder: dataDir };
  } finally {
    await installation.close(!isSound);
    await telegram.close();
  }
}

/** As far as those can tell who pay. */
function isEnough({ least }: Aim, orders: readonly Wanted[], tippers: Tippers): boolean {
  const paid = orders.filter(({ answers }) => answers.some(({ kind }) => kind === 'paid'));
  return paid.length >= least.payments && tippers.tips().filter(isSent).length >= least.tips;
}

let made = 0;

async function payOn(world: World, chain: Chain, orders: Wanted[], isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const order = await newOrder(world, chain, (made += 1));
    orders.push(order);
    await pay(world, order, isOver);
  }
}

/** Often enough for a chain that keeps ten thousand transactions. */
async function readUntil({ look }: SolanaReading, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    // What a busy machine did not answer in time is read at the next look, the last of which must not fail.
    await look().catch(() => undefined);
    await sleep(LOOK_EVERY_MS);
  }
}

async function readChains(
  { installation }: World,
  onSolana: SolanaReading,
  orders: readonly Wanted[],
  tips: readonly Tip[],
): Promise<Evidence['chains']> {
  const { rpcUrls, treasuries, receivers } = installation;
  const asked = (chain: Chain) => ({
    rpcUrl: rpcUrls[chain],
    treasury: treasuries[chain],
    payers: new Set(orders.filter((order) => order.chain === chain).map(({ payer }) => payer)),
    wallets: [
      ...receivers.filter((receiver) => receiver.chain === chain).map(({ wallet }) => wallet),
      // People in chats have money on Base only.
      ...(chain === 'base' ? tips.map(({ wallet }) => wallet) : []),
    ],
  });
  await onSolana.look();
  return { base: await readBase(asked('base')), solana: onSolana.says(asked('solana')) };
}

/** All proofs are presented again, as one who was charged would, until each charge has its end. */
async function comeToRest(
  world: World,
  orders: readonly Wanted[],
  evidence: () => Promise<Evidence>,
  limitMs: number,
): Promise<Evidence & { findings: Finding[] }> {
  const untilMs = Date.now() + limitMs;
  await presentAll(world, orders);
  for (;;) {
    const seen = await evidence();
    const findings = judge(seen);
    const isBroken = (name: string) => findings.some(({ rule, wrong }) => rule === name && wrong.length > 0);
    // What was charged twice stays so; all else may still come.
    const isOpen = !isBroken('doubled') && ['lost', 'recipients', 'tips without an end'].some(isBroken);
    world.tell({ at: 'rest', open: findings.flatMap(({ wrong }) => wrong) });
    if (!isOpen || Date.now() > untilMs) return { ...seen, findings };
    await sleep(3_000);
    await presentAll(
      world,
      orders.filter(({ answers }) => !answers.some(({ kind }) => kind === 'paid')),
    );
  }
}

/**
 * A client that has its 200 presents that proof again and no other, which would be another payment. One without presents
 * all that it has signed, until one is answered.
 */
async function presentAll(world: World, orders: readonly Wanted[]): Promise<void> {
  const left = [...orders];
  const presentOn = async () => {
    for (let order = left.shift(); order !== undefined; order = left.shift()) await presentAgain(world, order);
  };
  await Promise.all(Array.from({ length: 8 }, presentOn));
}

async function presentAgain(world: World, order: Wanted): Promise<void> {
  const paid = () => order.answers.find(({ kind }) => kind === 'paid')?.proof;
  const answered = paid();
  if (answered !== undefined) return present(world, order, answered);
  for (const proof of order.signed.keys()) if (paid() === undefined) await present(world, order, proof);
}
