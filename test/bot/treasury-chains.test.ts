/** The money of a community on a real chain: paid in by anybody, and out by the real worker once two have confirmed. */
import { shownAddress } from '../../chain/shown-address.ts';
import { randomBytes } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createChatClaims } from '../../bot/requests/chat-claims.ts';
import { createClock } from '../../bot/shared/clock.ts';
import { createBot } from '../../bot/commands/bot.ts';
import type { CoreDeps } from '../../bot/conversation/dependencies.ts';
import { textsEn } from '../../texts/en.ts';
import { createPayments } from '../../client/payments.ts';
import { createSigner } from '../../bot/signing/signer.ts';
import type { SignerDeps } from '../../bot/signing/signing.ts';
import { treasuryStatement } from '../../bot/files/treasury-statement.ts';
import type { MicroUsdc } from '../../core/money.ts';
import type { Network } from '../../core/networks.ts';
import { listPersonalWallets } from '../../db/wallets/personal-wallets.ts';
import type { Store } from '../../db/store/store.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import { payFromEvm, payFromSolana } from '../../service/bot-networks.ts';
import { startBaseChain, type BaseChain } from '../support/chains/base-chain.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { startSolanaChain, type SolanaChain } from '../support/chains/solana-chain.ts';
import { startSolanaService, type SolanaService } from '../support/solana-service.ts';
import { fakeMessenger, usdc } from './harness.ts';
import { hurryOpen } from './hurry-open.ts';

const GUILD = '4200';
const WALLET = `discord-guild:${GUILD}`;
const [OWNER, MOD] = ['discord:1', 'discord:2'];
const DAY_MS = 24 * 3_600_000;
const NO_FEES = { bps: 0, flatMicroUsdc: usdc(0) };

type World = {
  network: Network;
  store: Store;
  url: string;
  paying: CoreDeps['networks'][0];
  signing: Pick<SignerDeps, 'base' | 'solana'>;
  newAddress: () => string;
  fund: (address: string, amount: MicroUsdc) => Promise<unknown>;
  /** Brings what a withdrawal under way waits for: a round of the worker, or the blocks that make it final. */
  hurry: () => Promise<void>;
  assertSound: () => Promise<void>;
};

const closing = new AbortController();
afterAll(() => closing.abort());

function openGuild({ store, url, paying, signing }: World) {
  const real = createClock(closing.signal);
  const time = { behindMs: 0 };
  const clock = { ...real, now: () => real.now() - time.behindMs };
  const chat = fakeMessenger();
  const standing = async (_guild: string, userIds: readonly string[]) => ({
    ownerId: OWNER,
    moderatorIds: userIds.filter((id) => id === MOD),
    isOwnerAlone: false,
    botSinceMs: null,
  });
  const logged: string[] = [];
  const log = (facts: Record<string, unknown>, message: string) =>
    void logged.push(`${message} ${JSON.stringify(facts)}`);
  const deps: CoreDeps = {
    store,
    clock,
    closing: closing.signal,
    networks: [paying],
    payments: createPayments({ baseUrl: url, fetch, closing: closing.signal }),
    claims: createChatClaims({ baseUrl: url, fetch, closing: closing.signal }),
    publicUrl: url,
    signer: createSigner({ store, now: clock.now, ...signing }),
    messengers: { discord: { ...chat.messenger, standing } },
    texts: textsEn,
    claimDays: 30,
    random: (count) => randomBytes(count),
    log: { info: log, warn: log, error: log },
  };
  return { bot: createBot(deps), deps, chat, time, logged };
}

const atGuild = (communityId: string) => (userId: string, eventId: string) => ({
  transport: 'discord',
  eventId,
  chatId: 'chat',
  communityId,
  userId,
  walletId: userId,
});

function buttonIn(chat: ReturnType<typeof fakeMessenger>, eventId: string): string {
  const button = chat.last(eventId)?.actions.find(({ kind }) => kind === 'button');
  if (button?.kind !== 'button') throw new Error(`no button under: ${chat.textOf(eventId)}`);
  return button.id;
}

type Guild = ReturnType<typeof openGuild>;

/** With 7 USDC, and an address as if its owner had named it more than a day ago. */
async function openTreasury({ paying, newAddress, fund }: World, { bot, time }: Guild, communityId: string) {
  const at = atGuild(communityId);
  const treasury = await paying.addressOf(`discord-guild:${communityId}`);
  const to = newAddress();
  await fund(treasury, usdc(7));
  time.behindMs = DAY_MS + 60_000;
  await bot.handle({ ...at(OWNER, `address of ${communityId}`), text: `/treasury address ${to}` });
  time.behindMs = 0;
  return { at, treasury, to };
}

type Treasury = Awaited<ReturnType<typeof openTreasury>>;

/** Two withdrawals that each would take most of it: nothing has left when the second one is confirmed. */
async function confirmTwo({ network }: World, { bot, deps, chat }: Guild, { at }: Treasury): Promise<void> {
  const { signer } = deps;
  let open = () => {};
  const isOpen = new Promise<void>((resolve) => (open = resolve));
  const signWithdrawal = (id: string) => isOpen.then(() => signer.signWithdrawal(id));
  deps.signer = { ...signer, signWithdrawal };
  for (const card of ['one', 'two']) {
    await bot.handle({ ...at(MOD, card), text: `/treasury withdraw 5 ${network}` });
    const buttonId = buttonIn(chat, card);
    for (const userId of [MOD, OWNER]) await bot.press({ ...at(userId, `${card} ${userId}`), buttonId });
  }
  open();
}

/** One that is confirmed several times at once. */
async function confirmOne(world: World, { bot, chat }: Guild, { at, treasury }: Treasury): Promise<void> {
  const { network, paying } = world;
  await bot.handle({ ...at(MOD, 'deposit'), text: '/treasury deposit' });
  expect(chat.textOf('deposit')).toContain(shownAddress(treasury));
  await bot.handle({ ...at(MOD, 'balance'), text: '/treasury' });
  expect(chat.textOf('balance')).toContain('7.00 USDC');
  await bot.handle({ ...at(MOD, 'card'), text: `/treasury withdraw 5 ${network}` });
  const buttonId = buttonIn(chat, 'card');
  await bot.press({ ...at(OWNER, 'first'), buttonId });
  expect(await paying.balanceOf(treasury)).toBe(usdc(7));
  const pressers = [MOD, OWNER, MOD];
  await Promise.all(pressers.map((userId, index) => bot.press({ ...at(userId, `press-${index}`), buttonId })));
}

/** What must hold on every network. */
function suite(place: string, world: () => World): void {
  test('what is paid in to a guild leaves to its address once owner and moderator have confirmed, and only once; of two withdrawals that each would take most of it one arrives, and the other says that it is too much', async () => {
    const { network, store, paying, hurry, assertSound } = world();
    const guild = openGuild(world());
    const { bot, chat, logged } = guild;
    // Of two guilds, so that both wait for the chain together.
    const single = await openTreasury(world(), guild, GUILD);
    const rivals = await openTreasury(world(), guild, '4300');
    await confirmTwo(world(), guild, rivals);
    await confirmOne(world(), guild, single);
    const arrived = (to: string) => `5.00 USDC arrived on ${place} at ${shownAddress(to)}`;
    await eventually(async () => {
      await bot.resume();
      await hurry();
      expect(chat.textOf('card')).toContain(arrived(single.to));
      const told = ['one', 'two'].map((card) => chat.textOf(card) ?? '');
      expect(told.filter((text) => text.includes(arrived(rivals.to)))).toHaveLength(1);
      expect(told.filter((text) => text.includes('does not hold that much any more'))).toHaveLength(1);
    }, 30_000);
    await bot.idle();
    for (const { to, treasury } of [single, rivals])
      expect([await paying.balanceOf(to), await paying.balanceOf(treasury)]).toEqual([usdc(5), usdc(2)]);
    await bot.handle({ ...single.at(MOD, 'statement'), text: '/treasury statement' });
    const [, ...lines] = (await treasuryStatement(store, WALLET, [network])).trim().split('\r\n');
    const facts = lines.map((line) => line.split(',').slice(1, 4).join());
    expect(facts).toEqual([`${network},in,7`, `${network},out,5`]);
    expect(lines[1]).toMatch(TRANSACTION[network]);
    // A recovery from seed and list finds it there.
    expect(await listPersonalWallets(store)).toContainEqual({ walletId: WALLET, name: null });
    expect(logged).toEqual([]);
    await assertSound();
  });
}

/** Each line of what went out ends with it. */
const TRANSACTION = {
  base: /,0x[0-9a-f]{64}$/,
  polygon: /,0x[0-9a-f]{64}$/,
  solana: /,[1-9A-HJ-NP-Za-km-z]{86,88}$/,
} as const;

describe('on Base', () => {
  let chain: BaseChain;
  let service: TestService;
  let world: World;
  beforeAll(async () => {
    chain = await startBaseChain({ blockTimeMs: 200 });
    service = await startTestService({ rpcUrl: chain.rpcUrl, fundEth: chain.fundEth });
    const { paying, signing } = payFromEvm(service.parts, randomBytes(32), NO_FEES);
    const newAddress = () => `0x${randomBytes(20).toString('hex')}`;
    const fund = (address: string, amount: MicroUsdc) => chain.fundUsdc(address as `0x${string}`, amount);
    const { store, url, worker, assertSound } = service;
    const hurry = async () => worker?.wake();
    world = { network: 'base', store, url, paying, signing: { base: signing }, newAddress, fund, hurry, assertSound };
  });
  afterAll(async () => {
    await service.close();
    await chain.close();
  });
  suite('Base', () => world);
});

describe('on Solana', () => {
  let chain: SolanaChain;
  let service: SolanaService;
  let world: World;
  beforeAll(async () => {
    chain = await startSolanaChain({ slotMs: 50 });
    service = await startSolanaService({ rpcUrl: chain.rpcUrl, fundSol: chain.fundSol });
    const { paying, signing } = payFromSolana(service.parts, randomBytes(32), NO_FEES);
    const newAddress = () => Keypair.generate().publicKey.toBase58();
    const { store, url, assertSound } = service;
    const fund = chain.fundUsdc;
    const hurry = () => hurryOpen(chain, service);
    const solana = { network: 'solana' as const, signing: { solana: signing } };
    world = { ...solana, store, url, paying, newAddress, fund, hurry, assertSound };
  });
  afterAll(async () => {
    await service.close();
    await chain.close();
  });
  suite('Solana', () => world);
});
