/**
 * A reward from the card in a chat to the wallets, while its page is open on a phone, and one of a community without money, which
 * a visitor pays: in local mode, from the whole service.
 */
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { findViolations } from '../../../db/audit/invariants.ts';
import {
  COMMUNITY_AUTHOR,
  COMMUNITY_CAST_HASH,
  COMMUNITY_WALLETS,
} from '../../../local/identity/farcaster-community.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { axeViolations } from '../../support/browser/axe.ts';
import { drawChat } from '../../support/browser/chat-picture.ts';
import { toPicture } from '../../support/browser/discord-picture.ts';
import { startLocalDiscord, type LocalDiscord } from '../../support/local-discord.ts';
import { refuseViolations } from '../../support/databases/refuse-violations.ts';
import { basePartsOf, fundOn } from '../../support/served.ts';

/** Set to refresh the pictures in docs/: SCREENSHOTS=1 npx vitest run test/flow/rewards/rewards.browser.test.ts */
const takePictures = process.env['SCREENSHOTS'] !== undefined;
const PHONE = { width: 320, height: 640 };
const SOON_MS = 90_000;
const POST = `https://farcaster.xyz/${COMMUNITY_AUTHOR}/${COMMUNITY_CAST_HASH.slice(0, 10)}`;
const BUDGET = '6';
const PAY = 'Pay 12.00 USDC';
const GIVEN = 20_000_000n;
const STATES = { before: 'Waiting to be confirmed', after: 'Paid, and not everybody has their share yet' };
/** A treasury's address, as the chat shows it. */
const ADDRESS = /0x[0-9a-fA-F]{40}/;

let local: LocalDiscord;
let service: LocalDiscord['service'];
let discord: LocalDiscord['discord'];
let browser: LocalDiscord['browser'];
beforeAll(async () => {
  local = await startLocalDiscord();
  ({ service, discord, browser } = local);
});
afterAll(() => local?.close());

let context: BrowserContext;
let page: Page;
beforeEach(async () => {
  context = await browser.newContext(PHONE);
  page = await context.newPage();
  page.setDefaultTimeout(60_000);
});
afterEach(async () => {
  await context.close();
  await eventually(async () => refuseViolations(await findViolations(service.store)));
});

type Guild = Awaited<ReturnType<typeof openGuild>>;

/** A guild with money in its treasury on Base. Mona and Otto moderate, and Alice reads along. */
async function openGuild() {
  const [boss, mona, otto, alice] = ['boss', 'mona', 'otto', 'alice'].map((name) => discord.user(name));
  if (!boss || !mona || !otto || !alice) throw new Error('four people were expected');
  const guild = discord.guild({ name: 'Demo night', owner: boss });
  const channel = discord.channel(guild, 'rewards');
  const crew = discord.role(guild, 'crew', { permissions: discord.permissions.ManageGuild });
  for (const moderator of [mona, otto]) discord.join(guild, moderator, [crew]);
  discord.join(guild, alice);
  const asked = discord.slash(mona, channel, 'treasury deposit');
  const treasury = await discord.until(
    () => ADDRESS.exec(discord.answerTo(asked)?.text ?? '')?.[0],
    'where to pay in',
    SOON_MS,
  );
  await fundOn(service, 'base', treasury);
  return { channel, mona, otto, alice, treasury };
}

const balanceOf = (address: string) => basePartsOf(service).rpc.balanceOf(toHex(address));

const toHex = (address: string): `0x${string}` => `0x${address.slice(2)}`;

/** How much each of those who have published an address has to find there in the end: it comes to them by itself. */
async function expectShares({ recipients }: ToldDistribution): Promise<Share[]> {
  const shares: Share[] = [];
  for (const { username, amount, wallet_address: address } of recipients) {
    if (address === null) continue;
    shares.push({ name: username, address, balance: (await balanceOf(address)) + toMicro(amount) });
  }
  return shares;
}

type Share = { name: string; address: string; balance: bigint };
type ToldDistribution = Awaited<ReturnType<typeof readDistribution>>;

const distributionSchema = z.object({
  data: z.object({
    status: z.string(),
    network: z.string().optional(),
    total: z.number(),
    counts: z.object({ paid: z.number(), pending_claim: z.number(), queued: z.number() }).nullable(),
    recipients: z.array(z.object({ username: z.string(), amount: z.number(), wallet_address: z.string().nullable() })),
  }),
});

async function readDistribution(url: string) {
  const reply = await fetch(url, { headers: { accept: 'application/json' } });
  return distributionSchema.parse(await reply.json()).data;
}

const toMicro = (amount: number): bigint => BigInt(Math.round(amount * 1_000_000));

/** One screen of a phone; its whole picture is for the documents. */
async function lookAt(picture?: string): Promise<void> {
  expect(await axeViolations(page)).toEqual([]);
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.width);
  if (takePictures && picture !== undefined)
    await page.screenshot({ path: `docs/images/${picture}.png`, fullPage: true });
}

async function look(picture: string): Promise<void> {
  await lookAt();
  if (!takePictures) return;
  // On a phone the list is several screens long, of which a document shows one.
  await page.setViewportSize({ width: 720, height: 1_000 });
  await page.evaluate('document.activeElement.blur(); window.scrollTo(0, 0)');
  await page.screenshot({ path: `docs/images/${picture}.png` });
  await page.setViewportSize(PHONE);
}

/** What Alice sees of the card, who decides about nothing. */
function cardFor({ alice, channel }: Guild, words: string) {
  return discord.until(
    () => discord.sees(alice, channel).find(({ text }) => text.includes(words)),
    `a card with "${words}"`,
    SOON_MS,
  );
}

async function takePictureOfCard({ alice, mona, channel }: Guild): Promise<void> {
  if (!takePictures) return;
  const nameOf = (id: string) => (id === mona.id ? mona.username : id);
  const messages = discord.sees(alice, channel).map((seen) => toPicture(seen, nameOf, `${mona.username} used /reward`));
  await drawChat(browser, { title: '# rewards', messages }, 'docs/images/reward-card.png');
}

/** Whom the card names, and with how much; without what only keeps Discord from reading it as marks. */
const namedShares = (text: string): string[] =>
  [...text.replaceAll('\\', '').matchAll(/^[0-9]+\. (\S+) · ([0-9.]+) USDC$/gm)].map(([, who, sum]) => `${who} ${sum}`);

/** The rows that are seen: whom, and how much. */
async function shownShares(): Promise<string[]> {
  const rows = await page.locator('[data-live="top"] tbody tr').all();
  return Promise.all(
    rows.map(async (row) => {
      const [who, sum] = [row.locator('bdi'), row.locator('.right .unbroken').first()];
      return `${(await who.innerText()).slice(1)} ${await sum.innerText()}`;
    }),
  );
}

const barWidths = () =>
  page.evaluate<number[]>(
    `[...document.querySelectorAll('[data-live="top"] .bar-share')].map((bar) => bar.getBoundingClientRect().width)`,
  );

/** Nobody needs a pointer to see all shares. */
async function openRestByKeyboard(): Promise<void> {
  const isThere = () => page.evaluate<boolean>(`document.activeElement.matches('details.more summary')`);
  for (let presses = 0; !(await isThere()); presses += 1) {
    if (presses > 20) throw new Error('twenty tabs do not lead to the other shares');
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await page.getByText('@latecomer').waitFor();
  await page.keyboard.press('Enter');
}

/** Keeps each state that the page shows from now on, in the page itself: one that loads anew has forgotten them. */
const rememberStates = () =>
  page.evaluate(`
    const state = document.querySelector('.state');
    window.statesSeen = [state.innerText];
    new MutationObserver(() => window.statesSeen.push(state.innerText))
      .observe(state, { childList: true, subtree: true, characterData: true });
  `);
const statesSeen = async () => (await page.evaluate<string[] | undefined>('window.statesSeen')) ?? [];

test('a treasury with money pays those who engaged with a post, and card, page and chain say the same', async () => {
  const guild = await openGuild();
  const { channel, mona, otto } = guild;
  discord.slash(mona, channel, 'reward', { post: POST, budget: BUDGET });
  const card = await cardFor(guild, 'wants to reward');
  const link = card.buttons.find(({ label }) => label === 'Who gets what')?.url ?? '';
  await takePictureOfCard(guild);

  await page.goto(link);
  expect(await page.locator('.state').innerText()).toContain(STATES.before);
  expect(await shownShares()).toEqual(namedShares(card.text));
  const widths = await barWidths();
  expect(widths).toHaveLength(10);
  expect(widths).toEqual(widths.toSorted((one, other) => other - one));
  expect(Math.min(...widths)).toBeGreaterThan(5);
  await look('reward-waiting');
  await openRestByKeyboard();
  await rememberStates();
  const shares = await expectShares(await readDistribution(link));
  expect(shares.map(({ name }) => name)).toEqual(expect.arrayContaining([...COMMUNITY_WALLETS]));

  discord.press(otto, card, 'Confirm 0/1');
  await page.locator('.state', { hasText: '5 received, 37 to be collected' }).waitFor({ timeout: SOON_MS });
  const seen = await statesSeen();
  expect(seen[0]).toContain(STATES.before);
  expect(seen.at(-1)).toContain(STATES.after);
  await page.getByRole('link', { name: 'received: receipt of @inkwell-ada' }).waitFor();
  await look('reward-paid');
  const end = await cardFor(guild, '5 paid, 37 wait to be collected');
  expect([end.id, end.buttons.filter(({ customId }) => customId !== null)]).toEqual([card.id, []]);

  const { recipients: _, counts, total, ...told } = await readDistribution(link);
  expect([told, counts]).toEqual([
    { status: 'partial', network: 'base' },
    { paid: 5, pending_claim: 37, queued: 0 },
  ]);
  for (const { address, balance } of shares) expect(await balanceOf(address)).toBe(balance);
  expect(await balanceOf(guild.treasury)).toBe(GIVEN - toMicro(total));
  expect(discord.refusals()).toEqual([]);
});

/** A guild without money, of which three moderate. */
function openPoorGuild() {
  const [boss, mona, otto, iris, alice] = ['boss', 'mona', 'otto', 'iris', 'alice'].map((name) => discord.user(name));
  if (!boss || !mona || !otto || !iris || !alice) throw new Error('five people were expected');
  const guild = discord.guild({ name: 'Demo night', owner: boss });
  const channel = discord.channel(guild, 'rewards');
  const crew = discord.role(guild, 'crew', { permissions: discord.permissions.ManageGuild });
  for (const moderator of [mona, otto, iris]) discord.join(guild, moderator, [crew]);
  discord.join(guild, alice);
  const names = new Map([mona, otto, iris].map(({ id, username }) => [id, username]));
  /** What Alice sees of the card, who decides about nothing. */
  const card = (words: string) =>
    discord.until(
      () => discord.sees(alice, channel).find(({ text }) => text.includes(words)),
      `a card with "${words}"`,
      SOON_MS,
    );
  return { channel, mona, otto, iris, alice, names, card };
}

test('a visitor’s wallet pays it on the page of its card, and the card says whose money it was', async () => {
  const { channel, mona, otto, iris, alice, names, card } = openPoorGuild();
  discord.slash(mona, channel, 'reward', { post: POST, budget: '12' });
  discord.press(otto, await card('wants to reward'), 'Confirm 0/2');
  discord.press(iris, await card('Confirmed by'), 'Confirm 1/2');
  const short = await card('It is confirmed, but no network of the treasury has enough for it.');
  if (takePictures) {
    const nameOf = (id: string) => names.get(id) ?? id;
    const messages = discord.sees(alice, channel).map((seen) => toPicture(seen, nameOf, 'mona used /reward'));
    await drawChat(browser, { title: '# rewards', messages }, 'docs/images/reward-unfunded.png');
  }
  const url = short.buttons.find(({ label }) => label === PAY)?.url ?? '';
  expect(url).toMatch(/\/pay\/reward\/[\w-]+$/);

  await page.goto(url);
  await page.getByRole('heading', { name: PAY }).waitFor();
  await page.getByText(/^and 32 more$/).waitFor();
  expect(await page.getByText('Pay from any app').count()).toBe(0);
  await lookAt('reward-pay');
  // By keyboard only.
  await page.getByRole('button', { name: 'Pay with the play wallet' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'It is paid' }).waitFor({ timeout: SOON_MS });
  await lookAt();
  await page.getByRole('link', { name: 'Who gets what' }).click();
  await page.locator('.state', { hasText: '5 received, 37 to be collected' }).waitFor({ timeout: SOON_MS });

  const end = await card('5 paid, 37 wait to be collected');
  expect(end.id).toBe(short.id);
  expect(end.text).toContain('Paid by the link: nothing left the treasury.');
  expect(end.buttons.map(({ label }) => label)).toEqual([
    'Who gets what',
    'As CSV',
    'The post',
    'Tell them on Farcaster',
  ]);
  expect(discord.refusals()).toEqual([]);
});
