/** A reward in both chats that have communities, from the whole service: from the card to a hundred people on each chain. */
import { randomBytes } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createIds } from '../../../core/ids.ts';
import { familyOf, type Family, type Network } from '../../../core/networks.ts';
import { parseRecipient } from '../../../core/platforms/recipient.ts';
import { ensureIdentity } from '../../../db/identities/identities.ts';
import { findViolations } from '../../../db/audit/invariants.ts';
import { linkWallet } from '../../../db/transfers/link-wallet.ts';
import { BUSY_CAST_HASH } from '../../../local/identity/farcaster-community.ts';
import { readUsdcBalance } from '../../../local/solana/usdc-balance.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import type { Service } from '../../../service/start.ts';
import { startDiscord } from '../../fakes/discord/server.ts';
import { startFakeTelegram } from '../../fakes/telegram/start.ts';
import { refuseViolations } from '../../support/databases/refuse-violations.ts';
import type { ChatDriver, Person, Scene, Shown } from './drivers/chat-driver.ts';
import { createDiscordDriver } from './drivers/discord-driver.ts';
import { createTelegramDriver } from './drivers/telegram-driver.ts';
import { startLocalService } from '../../support/local-service.ts';
import { basePartsOf, fundOn, rpcUrlOf } from '../../support/served.ts';

/** Three times as long at most, so that what is missing is named before the test itself ends. */
const PATIENCE_MS = 40_000;
const GIVEN = 20_000_000n;
const BUDGET = 15_000_000n;
const PEOPLE = 100;
/** A treasury's address, as the chats show it. */
const ADDRESSES = {
  evm: /0x[0-9a-fA-F]{40}/,
  svm: /\b[1-9A-HJ-NP-Za-km-z]{42,44}\b/,
} as const satisfies Record<Family, RegExp>;
const ids = createIds(randomBytes);

let service: Service;
const drivers = new Map<string, ChatDriver>();

beforeAll(async () => {
  const discord = await startDiscord({ answerMs: 30_000 });
  const telegram = await startFakeTelegram({ botUsername: 'penny_bot' });
  drivers.set('discord', createDiscordDriver(discord));
  drivers.set('telegram', createTelegramDriver(telegram));
  service = await startLocalService({
    env: {
      // The shares are small, and hardly anybody has an account on a new chain.
      SOLANA_ATA_POLICY: 'always',
      DISCORD_TOKEN: discord.token,
      DISCORD_APP_ID: discord.applicationId,
      DISCORD_API_URL: discord.apiUrl,
      TELEGRAM_TOKEN: telegram.token,
      TELEGRAM_API_URL: telegram.url,
    },
  });
  await discord.until(() => discord.gateway.connected() === 1 && discord.commands().length > 0, 'the bot', 60_000);
});

afterAll(async () => {
  await eventually(async () => refuseViolations(await findViolations(service.store)));
  await service.close();
  await Promise.all([...drivers.values()].map((driver) => driver.close()));
});

const hears = (scene: Scene, person: Person, text: RegExp): Promise<Shown> =>
  eventually(async () => {
    const found = scene.shown(person).findLast((message) => text.test(message.text));
    if (found) return found;
    throw new Error(
      `${person.name} sees no ${text}, but ${JSON.stringify(scene.shown(person).map((one) => one.text))}`,
    );
  }, PATIENCE_MS);

/** A place in which two others moderate beside its owner, with play money in its treasury on one network only. */
async function openPlace(name: string, network: Network) {
  const driver = drivers.get(name);
  if (!driver) throw new Error(`there is no chat ${name}`);
  const scene = await driver.open();
  const { moderator, bob, carl } = scene;
  if (moderator === null) throw new Error('nobody runs this place');
  for (const person of [bob, carl]) scene.letModerate(person, true);
  await scene.say(moderator, '/treasury deposit');
  const { text } = await hears(scene, moderator, ADDRESSES[familyOf(network)]);
  const treasury = ADDRESSES[familyOf(network)].exec(text)?.[0] ?? '';
  await fundOn(service, network, treasury);
  return { driver, scene, moderator, treasury };
}

const toHex = (address: string): `0x${string}` => `0x${address.slice(2)}`;

function balanceOf(network: Network, address: string): Promise<bigint> {
  if (network === 'solana') return readUsdcBalance(rpcUrlOf(service, 'solana'), address);
  return basePartsOf(service).rpc.balanceOf(toHex(address));
}

const sharesSchema = z.object({
  data: z.object({
    recipients: z.array(z.object({ username: z.string(), user_id: z.string(), amount: z.number() })).length(PEOPLE),
  }),
});
type Share = { address: string; amount: bigint };

/** So many of those on the list have a wallet from now on; answers where their shares have to be in the end. */
async function giveWallets(network: Network, page: string, count: number): Promise<Share[]> {
  const reply = await fetch(page, { headers: { accept: 'application/json' } });
  const { recipients } = sharesSchema.parse(await reply.json()).data;
  const { store } = service;
  const shares: Share[] = [];
  for (const { username, user_id: stableId, amount } of recipients.slice(0, count)) {
    const person = { ...parseRecipient('decsocial', username), stableId };
    const identityId = await store.tx((db) => ensureIdentity(db, store.tables, person, ids.identityId(), Date.now()));
    const address =
      network === 'base' ? `0x${randomBytes(20).toString('hex')}` : Keypair.generate().publicKey.toBase58();
    await linkWallet(store, { identityId, network, address, source: 'test' }, ids.payoutId, Date.now());
    shares.push({ address, amount: BigInt(Math.round(amount * 1_000_000)) });
  }
  return shares;
}

// On Solana each wallet is an account to open, and some dozen fill several transactions.
describe.concurrent.each([
  ['discord', 'base', 98],
  ['telegram', 'solana', 40],
] as const)('on %s, with money on %s', (name, network, paid) => {
  test(`what two confirm in one moment reaches ${paid} of a hundred people once, waits for the others, and the card counts them`, async () => {
    const { driver, scene, moderator, treasury } = await openPlace(name, network);
    const { alice, bob, carl } = scene;
    await scene.say(moderator, `/reward ${BUSY_CAST_HASH} 15`);
    const card = await hears(scene, alice, /wants to reward .*: 15\.00 USDC for 100 people/);
    const page = card.links.find(({ label }) => label === 'Who gets what')?.url ?? '';
    const shares = await giveWallets(network, page, paid);
    await Promise.all([bob, carl].map((person) => scene.press(person, card, 'Confirm 0/2')));
    const rewarded = `^Rewarded: 15\\.00 USDC .*\\n${paid} paid, ${PEOPLE - paid} wait to be collected$`;
    const end = await hears(scene, alice, new RegExp(rewarded));
    expect([end.id, end.buttons]).toEqual([card.id, []]);
    const balances = await Promise.all(shares.map(({ address }) => balanceOf(network, address)));
    expect(balances).toEqual(shares.map(({ amount }) => amount));
    expect(await balanceOf(network, treasury)).toBe(GIVEN - BUDGET);
    expect(driver.refused()).toEqual([]);
    await scene.close();
  });
});
