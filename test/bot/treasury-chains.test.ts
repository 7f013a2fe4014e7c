/** The money of a community on a real chain: paid in by anybody, and out by the real worker once two have confirmed. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createChatClaims } from '../../bot/chat-claims.ts';
import { createClock } from '../../bot/clock.ts';
import { createBot } from '../../bot/core/bot.ts';
import type { CoreDeps } from '../../bot/core/dependencies.ts';
import { textsEn } from '../../bot/core/texts/en.ts';
import { createPayer } from '../../bot/payer.ts';
import { createSigner } from '../../bot/signer.ts';
import { treasuryStatement } from '../../bot/wallet/treasury-statement.ts';
import { listPersonalWallets } from '../../db/personal-wallets.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import { payFromBase } from '../../service/bot-networks.ts';
import { startBaseChain, type BaseChain } from '../support/base-chain.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { fakeMessenger, usdc } from './harness.ts';

const GUILD = '4200';
const [OWNER, MOD] = ['discord:1', 'discord:2'];
const DAY_MS = 24 * 3_600_000;

let chain: BaseChain;
let service: TestService;
const closing = new AbortController();

beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 200 });
  service = await startTestService({ rpcUrl: chain.rpcUrl, fundEth: chain.fundEth });
}, 120_000);
afterAll(async () => {
  closing.abort();
  await service.close();
  await chain.close();
});

function openGuild() {
  const { store, url } = service;
  const { paying, signing } = payFromBase(service.parts, randomBytes(32), { bps: 0, flatMicroUsdc: usdc(0) });
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
    payer: createPayer({ baseUrl: url, fetch, clock, closing: closing.signal }),
    claims: createChatClaims({ baseUrl: url, fetch, closing: closing.signal }),
    publicUrl: url,
    signer: createSigner({ store, now: clock.now, base: signing }),
    messengers: { discord: { ...chat.messenger, standing } },
    texts: textsEn,
    random: (count) => randomBytes(count),
    log: { info: log, warn: log, error: log },
  };
  return { bot: createBot(deps), chat, paying, store, time, logged };
}

test('what is paid in to a guild leaves to its address once owner and moderator have confirmed, and only once', async () => {
  const { bot, chat, paying, store, time, logged } = openGuild();
  const wallet = `discord-guild:${GUILD}`;
  const treasury = await paying.addressOf(wallet);
  const to = `0x${randomBytes(20).toString('hex')}`;
  const at = (userId: string, eventId: string) => ({
    transport: 'discord',
    eventId,
    chatId: 'chat',
    communityId: GUILD,
    userId,
    walletId: userId,
  });
  const buttonIn = (eventId: string) => {
    const button = chat.last(eventId)?.actions.find(({ kind }) => kind === 'button');
    if (button?.kind !== 'button') throw new Error(`no button under: ${chat.textOf(eventId)}`);
    return button.id;
  };
  await bot.handle({ ...at(MOD, 'deposit'), text: '/treasury deposit' });
  expect(chat.textOf('deposit')).toContain(treasury);
  await chain.fundUsdc(treasury as `0x${string}`, usdc(7));

  time.behindMs = DAY_MS + 60_000;
  await bot.handle({ ...at(OWNER, 'address'), text: `/treasury address ${to}` });
  time.behindMs = 0;
  await bot.handle({ ...at(MOD, 'card'), text: '/treasury withdraw 5 base' });
  const buttonId = buttonIn('card');
  await bot.press({ ...at(OWNER, 'first'), buttonId });
  expect(await chain.usdcBalance(treasury as `0x${string}`)).toBe(usdc(7));
  await Promise.all([MOD, OWNER, MOD].map((userId, index) => bot.press({ ...at(userId, `press-${index}`), buttonId })));
  await eventually(async () => {
    await bot.resume();
    expect(chat.textOf('card')).toContain(`5.00 USDC arrived on Base at ${to}`);
  }, 60_000);
  await bot.idle();
  expect([await chain.usdcBalance(to as `0x${string}`), await chain.usdcBalance(treasury as `0x${string}`)]).toEqual([
    usdc(5),
    usdc(2),
  ]);
  await bot.handle({ ...at(MOD, 'statement'), text: '/treasury statement' });
  const [, ...lines] = (await treasuryStatement(store, wallet, ['base'])).trim().split('\r\n');
  expect(lines.map((line) => line.split(',').slice(1, 4).join())).toEqual(['base,in,7', 'base,out,5']);
  expect(lines[1]).toMatch(/0x[0-9a-f]{64}$/);
  // Whoever recovers everything from seed and list finds it there.
  expect(await listPersonalWallets(store)).toContainEqual({ walletId: wallet, name: null });
  expect(logged).toEqual([]);
  await service.assertSound();
}, 120_000);
