/** A community without money has confirmed a reward, and a visitor pays it on a phone: the whole service in local mode. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findViolations } from '../../../db/audit/invariants.ts';
import { COMMUNITY_AUTHOR, COMMUNITY_CAST_HASH } from '../../../local/identity/farcaster-community.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { axeViolations } from '../../support/browser/axe.ts';
import { drawChat } from '../../support/browser/chat-picture.ts';
import { toPicture } from '../../support/browser/discord-picture.ts';
import { startLocalDiscord, type LocalDiscord } from '../../support/local-discord.ts';
import { refuseViolations } from '../../support/databases/refuse-violations.ts';

/** Set to refresh the pictures in docs/: SCREENSHOTS=1 npx vitest run test/flow/rewards/reward-link.browser.test.ts */
const takePictures = process.env['SCREENSHOTS'] !== undefined;
const PHONE = { width: 320, height: 640 };
const SOON_MS = 90_000;
const POST = `https://farcaster.xyz/${COMMUNITY_AUTHOR}/${COMMUNITY_CAST_HASH.slice(0, 10)}`;
const PAY = 'Pay 12.00 USDC';

let local: LocalDiscord;
let service: LocalDiscord['service'];
let discord: LocalDiscord['discord'];
let browser: LocalDiscord['browser'];
beforeAll(async () => {
  local = await startLocalDiscord();
  ({ service, discord, browser } = local);
});
afterAll(() => local?.close());

function openGuild() {
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
  const { channel, mona, otto, iris, alice, names, card } = openGuild();
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

  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(url);
  const look = async (picture?: string) => {
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.width);
    if (takePictures && picture !== undefined) {
      await page.screenshot({ path: `docs/images/${picture}.png`, fullPage: true });
    }
  };
  await page.getByRole('heading', { name: PAY }).waitFor();
  await page.getByText(/^and 32 more$/).waitFor();
  expect(await page.getByText('Pay from any app').count()).toBe(0);
  await look('reward-pay');
  // By keyboard only.
  await page.getByRole('button', { name: 'Pay with the play wallet' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'It is paid' }).waitFor({ timeout: SOON_MS });
  await look();
  await page.getByRole('link', { name: 'Who gets what' }).click();
  await page.locator('.state', { hasText: '5 received, 37 to be collected' }).waitFor({ timeout: SOON_MS });
  await context.close();

  const end = await card('5 paid, 37 wait to be collected');
  expect(end.id).toBe(short.id);
  expect(end.text).toContain('Paid by the link: nothing left the treasury.');
  expect(end.buttons.map(({ label }) => label)).toEqual(['Who gets what', 'As CSV', 'The post']);
  expect(discord.refusals()).toEqual([]);
  await eventually(async () => refuseViolations(await findViolations(service.store)));
});
