/** A reward that a community has confirmed and cannot pay, and the page on which anybody's wallet can. */
import { afterEach, beforeEach } from 'vitest';
import { createPayPages } from '../../../bot/pay/app.ts';
import { exactEvmPayloadSchema, readHeader } from '../../../core/payments/x402.ts';
import { buttonOf, MOD, openRewardWorld, OTHER_MOD, OWNER, POST, type RewardWorld } from '../core/reward-world.ts';
import { OPERATOR, usdc } from '../harness.ts';
import { CALLER, callerOf, fakeSolana } from './world.ts';
import { createRateLimits } from '../../../queue/rate-limiter.ts';

export const WALLET = `0x${'c0'.repeat(20)}`;
export const OTHER = `0x${'d0'.repeat(20)}`;
/** Has nothing. */
export const POOR = `0x${'e0'.repeat(20)}`;
const HEADERS = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };

export let world: RewardWorld;
export let pages: ReturnType<typeof createPayPages>;
/** A new one for each test. */
export function useLinkWorld(): void {
  beforeEach(openWorld);
  afterEach(() => world.close());
}

async function openWorld(): Promise<void> {
  world = await openRewardWorld();
  world.state.balance = usdc(1);
  for (const address of [WALLET, OTHER]) world.state.balances.set(address, usdc(50));
  world.state.balances.set(POOR, usdc(0));
  visit(world.bot);
}

/** The pages are those of this bot from now on. */
export function visit(bot: RewardWorld['bot']): void {
  pages = pagesOf(bot);
}

const pagesOf = (bot: RewardWorld['bot']) =>
  createPayPages({
    ...world.deps,
    limits: createRateLimits(world.deps.clock.now),
    payLinks: bot.links,
    rewardWork: bot.rewards,
    solana: fakeSolana,
    operator: OPERATOR,
    callerOf,
  });

export const cardOf = async () => {
  const card = (await world.cards()).at(-1);
  if (!card) throw new Error('there is no card');
  return card;
};

/** A card for 25 USDC that two have confirmed. */
export async function confirm(eventId = 'card'): Promise<string> {
  const button = buttonOf(await world.say(OWNER, `/reward ${POST} 25`, eventId), 'Confirm');
  await world.press(MOD, button);
  await world.press(OTHER_MOD, button);
  await world.bot.idle();
  return button;
}

export const pathOf = async () => `/reward/${(await cardOf()).distributionId}`;
export const show = async () => (await pages.request(await pathOf())).text();
export const call = async (step: string, body: object, caller = 'here') =>
  pages.request(`${await pathOf()}/${step}`, {
    method: 'POST',
    headers: { ...HEADERS, [CALLER]: caller },
    body: JSON.stringify(body),
  });

/** What the wallet at this address sends back; null where nothing is asked of it. */
export async function sign(address: string): Promise<object | null> {
  const prepared = await call('prepare', { network: 'base', address });
  if (prepared.status !== 200) return null;
  const { nonce, validBefore } = (await prepared.json()) as { nonce: string; validBefore: number };
  return { network: 'base', address, nonce, validBefore, signature: `0x${'22'.repeat(65)}` };
}

export async function pay(address = WALLET): Promise<number> {
  const signed = await sign(address);
  if (signed === null) return 409;
  const { status } = await call('signed', signed);
  await world.bot.idle();
  return status;
}

export const payersCharged = () =>
  world.api.charged.map(({ header }) => exactEvmPayloadSchema.parse(readHeader(header)?.payload).authorization.from);
export const textOf = () => world.textOf('card');

export const PAID = /^Rewarded: 25\.00 USDC for a post by marta\.\n45 paid, 2 wait to be collected/;
