/**
 * A reward from the card in a chat to the wallets, while its page is open on a phone, and one of a community without money,
 * which a visitor pays: in local mode, from the whole service.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
afterAll(async () => {
  try {
    await eventually(async () => refuseViolations(await findViolations(service.store)));
  } finally {
    await local?.close();
  }
});

async function openPhone(): Promise<Page> {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  return page;
}

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

/** Those who have published an address, and how much this brings there. It comes to them by itself. */
function published({ recipients }: ToldDistribution): Share[] {
  return recipients.flatMap(({ username, amount, wallet_address: address }) =>
    address === null ? [] : [{ name: username, address, amount: toMicro(amount) }],
  );
}

type Share = { name: string; address: string; amount: bigint };
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

async function expectFits(page: Page): Promise<void> {
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.width);
}

/** On a phone the list is several screens long, of which a document shows one. */
async function takePictureOf(page: Page, picture: string): Promise<void> {
  if (!takePictures) return;
  await page.setViewportSize({ width: 720, height: 1_000 });
  await page.evaluate('document.activeElement.blur(); window.scrollTo(0, 0)');
  await page.screenshot({ path: `docs/images/${picture}.png` });
  await page.setViewportSize(PHONE);
}

/** What Alice sees of the card, who decides about nothing. */
function cardFor({ alice, channel }: Pick<Guild, 'alice' | 'channel'>, words: string) {
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
async function shownShares(page: Page): Promise<string[]> {
  const rows = await page.locator('[data-live="top"] tbody tr').all();
  return Promise.all(
    rows.map(async (row) => {
      const [who, sum] = [row.locator('bdi'), row.locator('.right .unbroken').first()];
      return `${(await who.innerText()).slice(1)} ${await sum.innerText()}`;
    }),
  );
}

const barWidths = (page: Page) =>
  page.evaluate<number[]>(
    `[...document.querySelectorAll('[data-live="top"] .bar-share')].map((bar) => bar.getBoundingClientRect().width)`,
  );

/** Nobody needs a pointer to see all shares. */
async function openRestByKeyboard(page: Page): Promise<void> {
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
const rememberStates = (page: Page) =>
  page.evaluate(`
    const state = document.querySelector('.state');
    window.statesSeen = [state.innerText];
    new MutationObserver(() => window.statesSeen.push(state.innerText))
      .observe(state, { childList: true, subtree: true, characterData: true });
  `);
const statesSeen = async (page: Page) => (await page.evaluate<string[] | undefined>('window.statesSeen')) ?? [];

const linkIn = ({ buttons }: Awaited<ReturnType<typeof cardFor>>): string =>
  buttons.find(({ label }) => label === 'Who gets what')?.url ?? '';

/** Answers what it brings to whom. `onPaid`: its page has nothing more to follow. */
async function payFromTreasury(onPaid: () => void): Promise<Share[]> {
  const guild = await openGuild();
  const { channel, mona, otto } = guild;
  discord.slash(mona, channel, 'reward', { post: POST, budget: BUDGET });
  const card = await cardFor(guild, 'wants to reward');
  const link = linkIn(card);
  await takePictureOfCard(guild);

  const page = await openPhone();
  await page.goto(link);
  expect(await page.locator('.state').innerText()).toContain(STATES.before);
  expect(await shownShares(page)).toEqual(namedShares(card.text));
  const widths = await barWidths(page);
  expect(widths).toHaveLength(10);
  expect(widths).toEqual(widths.toSorted((one, other) => other - one));
  expect(Math.min(...widths)).toBeGreaterThan(5);
  await expectFits(page);
  await takePictureOf(page, 'reward-waiting');
  await openRestByKeyboard(page);
  await rememberStates(page);
  const shares = published(await readDistribution(link));

  discord.press(otto, card, 'Confirm 0/1');
  await page.locator('.state', { hasText: '5 received, 37 to be collected' }).waitFor({ timeout: SOON_MS });
  const seen = await statesSeen(page);
  onPaid();
  expect(seen[0]).toContain(STATES.before);
  expect(seen.at(-1)).toContain(STATES.after);
  await page.getByRole('link', { name: 'received: receipt of @inkwell-ada' }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await expectFits(page);
  await takePictureOf(page, 'reward-paid');
  const end = await cardFor(guild, '5 paid, 37 wait to be collected');
  expect([end.id, end.buttons.filter(({ customId }) => customId !== null)]).toEqual([card.id, []]);

  const { recipients: _, counts, total, ...told } = await readDistribution(link);
  expect([told, counts]).toEqual([
    { status: 'partial', network: 'base' },
    { paid: 5, pending_claim: 37, queued: 0 },
  ]);
  expect(await balanceOf(guild.treasury)).toBe(GIVEN - toMicro(total));
  return shares;
}

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
  return { channel, mona, otto, iris, alice, names, card: (words: string) => cardFor({ alice, channel }, words) };
}

/** The wallet of a visitor pays on the page of the card, and the card says whose money it was. */
async function payByVisitor(isTheirTurn: Promise<void>): Promise<Share[]> {
  const { channel, mona, otto, iris, alice, names, card } = openPoorGuild();
  discord.slash(mona, channel, 'reward', { post: POST, budget: '12' });
  const proposed = await card('wants to reward');
  discord.press(otto, proposed, 'Confirm 0/2');
  discord.press(iris, await card('Confirmed by'), 'Confirm 1/2');
  const short = await card('It is confirmed, but no network of the treasury has enough for it.');
  if (takePictures) {
    const nameOf = (id: string) => names.get(id) ?? id;
    const messages = discord.sees(alice, channel).map((seen) => toPicture(seen, nameOf, 'mona used /reward'));
    await drawChat(browser, { title: '# rewards', messages }, 'docs/images/reward-unfunded.png');
  }
  const url = short.buttons.find(({ label }) => label === PAY)?.url ?? '';
  expect(url).toMatch(/\/pay\/reward\/[\w-]+$/);

  const page = await openPhone();
  await page.goto(url);
  await page.getByRole('heading', { name: PAY }).waitFor();
  await page.getByText(/^and 32 more$/).waitFor();
  expect(await page.getByText('Pay from any app').count()).toBe(0);
  const shares = published(await readDistribution(linkIn(proposed)));
  expect(await axeViolations(page)).toEqual([]);
  await expectFits(page);
  if (takePictures) await page.screenshot({ path: 'docs/images/reward-pay.png', fullPage: true });
  await isTheirTurn;
  // By keyboard only.
  await page.getByRole('button', { name: 'Pay with the play wallet' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'It is paid' }).waitFor({ timeout: SOON_MS });
  await expectFits(page);
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
  return shares;
}

test('a treasury with money pays those who engaged with a post, and a visitor’s wallet what a poor one cannot: cards, pages and chain say the same', async () => {
  let goOn = () => {};
  // Where a page stops to follow, it has to be known who is paid: by then forty names at once are enough.
  const isTheirTurn = new Promise<void>((resolve) => (goOn = resolve));
  const [treasurys, visitors] = await Promise.all([payFromTreasury(goOn), payByVisitor(isTheirTurn)]);
  for (const shares of [treasurys, visitors])
    expect(shares.map(({ name }) => name)).toEqual(expect.arrayContaining([...COMMUNITY_WALLETS]));
  // Nobody else pays there.
  for (const { address, amount } of treasurys) {
    const other = visitors.find((share) => share.address === address)?.amount ?? 0n;
    expect([address, await balanceOf(address)]).toEqual([address, amount + other]);
  }
  expect(discord.refusals()).toEqual([]);
});
