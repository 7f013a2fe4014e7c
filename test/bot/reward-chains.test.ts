/** A reward from the card in a chat to a hundred people's wallets, on a real chain, out of a community's treasury. */
import { randomBytes } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiDependencies } from '../../api/environment/dependencies.ts';
import { createChatClaims } from '../../bot/requests/chat-claims.ts';
import { createClock } from '../../bot/shared/clock.ts';
import { createBot } from '../../bot/commands/bot.ts';
import type { CoreDeps } from '../../bot/conversation/dependencies.ts';
import { textsEn } from '../../texts/en.ts';
import { createPayments } from '../../client/payments.ts';
import { createRewards } from '../../bot/requests/rewards.ts';
import { createSigner } from '../../bot/signing/signer.ts';
import type { SignerDeps } from '../../bot/signing/signing.ts';
import { createIds } from '../../core/ids.ts';
import type { MicroUsdc } from '../../core/money.ts';
import type { Network } from '../../core/networks.ts';
import { parseRecipient } from '../../core/platforms/recipient.ts';
import { ensureIdentity } from '../../db/identities/identities.ts';
import type { Store } from '../../db/store/store.ts';
import { linkWallet } from '../../db/transfers/link-wallet.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import { payFromEvm, payFromSolana } from '../../service/bot-networks.ts';
import { startBaseChain, type BaseChain } from '../support/chains/base-chain.ts';
import { CAST } from '../support/rewards/distributions.ts';
import { createListedHub, fidOf } from '../support/rewards/reward-hub.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { startSolanaChain, type SolanaChain } from '../support/chains/solana-chain.ts';
import { startSolanaService, type SolanaService } from '../support/solana-service.ts';
import { fakeMessenger, usdc } from './harness.ts';

const [OWNER, MOD, OTHER_MOD] = ['discord:1', 'discord:2', 'discord:3'];
const AT = { transport: 'discord', chatId: 'chat', communityId: '4200' };
const PEOPLE = 100;
/** Above this they share 120 USDC alike. */
const WITHOUT_WALLET = 2;
const EACH = usdc(1.2);
const names = Array.from({ length: PEOPLE }, (_, index) => `fan${index + 1}`);
const hub = () => createListedHub(names.map((name) => ({ name, kinds: ['like'] })));
const ids = createIds(randomBytes);
const FEES = { bps: 0, flatMicroUsdc: usdc(0) };

type World = {
  network: Network;
  store: Store;
  url: string;
  paying: CoreDeps['networks'][0];
  signing: Pick<SignerDeps, 'base' | 'solana'>;
  newAddress: () => string;
  fund: (address: string, amount: MicroUsdc) => Promise<unknown>;
  assertSound: () => Promise<void>;
};

function openGuild({ store, url, paying, signing }: World) {
  const closing = new AbortController();
  const clock = createClock(closing.signal);
  const chat = fakeMessenger();
  const standing = async (_guild: string, userIds: readonly string[]) => ({
    ownerId: OWNER,
    moderatorIds: userIds.filter((id) => id === MOD || id === OTHER_MOD),
    isOwnerAlone: false,
    botSinceMs: null,
  });
  const logged: string[] = [];
  const log = (facts: Record<string, unknown>, message: string) =>
    void logged.push(`${message} ${JSON.stringify(facts)}`);
  const api = { baseUrl: url, fetch, closing: closing.signal };
  const deps: CoreDeps = {
    store,
    clock,
    closing: closing.signal,
    networks: [paying],
    payments: createPayments(api),
    claims: createChatClaims(api),
    rewards: createRewards(api),
    publicUrl: url,
    signer: createSigner({ store, now: clock.now, ...signing }),
    messengers: { discord: { ...chat.messenger, standing } },
    texts: textsEn,
    claimDays: 30,
    random: (count) => randomBytes(count),
    log: { info: log, warn: log, error: log },
  };
  return { bot: createBot(deps), chat, logged, closing };
}

/** All but the last of them have a wallet. */
async function giveWallets({ store, network, newAddress }: World): Promise<string[]> {
  const addresses: string[] = [];
  for (const name of names.slice(0, PEOPLE - WITHOUT_WALLET)) {
    const person = { ...parseRecipient('decsocial', name), stableId: fidOf(name) };
    const identityId = await store.tx((db) => ensureIdentity(db, store.tables, person, ids.identityId(), Date.now()));
    const link = { identityId, network, address: newAddress(), source: 'test' };
    await linkWallet(store, link, ids.payoutId, Date.now());
    addresses.push(link.address);
  }
  return addresses;
}

/** What must hold on every network. */
function suite(world: () => World): void {
  test('what two moderators have confirmed reaches a hundred people once, and the card counts them', async () => {
    const { paying, fund, assertSound } = world();
    const { bot, chat, logged, closing } = openGuild(world());
    const addresses = await giveWallets(world());
    const treasury = await paying.addressOf('discord-guild:4200');
    await fund(treasury, usdc(125));
    await bot.handle({ ...AT, eventId: 'card', userId: OWNER, walletId: OWNER, text: `/reward ${CAST} 120` });
    expect(chat.textOf('card')).toContain('120.00 USDC for 100 people');
    expect(chat.textOf('card')).toContain('and 90 more');
    const [button] = chat.last('card')?.actions ?? [];
    if (button?.kind !== 'button') throw new Error(`no button under: ${chat.textOf('card')}`);
    const press = (userId: string, eventId: string) =>
      bot.press({ ...AT, eventId, userId, walletId: userId, buttonId: button.id });
    await Promise.all([press(MOD, 'a'), press(OTHER_MOD, 'b'), press(MOD, 'c'), press(OTHER_MOD, 'd')]);
    await eventually(async () => {
      await bot.resume();
      expect(chat.textOf('card')).toContain('98 paid, 2 wait to be collected');
    }, 60_000);
    // It would go on counting for a minute.
    closing.abort();
    await bot.idle();
    expect(chat.textOf('card')).not.toContain('Somebody else');
    const balances = await Promise.all(addresses.map((address) => paying.balanceOf(address)));
    expect(balances).toEqual(addresses.map(() => EACH));
    expect(await paying.balanceOf(treasury)).toBe(usdc(5));
    expect(logged).toEqual([]);
    await assertSound();
  }, 120_000);
}

describe('on Base', () => {
  let chain: BaseChain;
  let service: TestService;
  let world: World;
  beforeAll(async () => {
    chain = await startBaseChain({ blockTimeMs: 200 });
    const { rewards } = hub();
    const decorate = { decorate: (plain: ApiDependencies) => ({ ...plain, rewards }) };
    service = await startTestService({ rpcUrl: chain.rpcUrl, fundEth: chain.fundEth, ...decorate });
    const { paying, signing } = payFromEvm(service.parts, randomBytes(32), FEES);
    const newAddress = () => `0x${randomBytes(20).toString('hex')}`;
    const fund = (address: string, amount: MicroUsdc) => chain.fundUsdc(address as `0x${string}`, amount);
    const { store, url, assertSound } = service;
    world = { network: 'base', store, url, paying, signing: { base: signing }, newAddress, fund, assertSound };
  });
  afterAll(async () => {
    await service.close();
    await chain.close();
  });
  suite(() => world);
});

describe('on Solana', () => {
  let chain: SolanaChain;
  let service: SolanaService;
  let world: World;
  beforeAll(async () => {
    chain = await startSolanaChain({ slotMs: 50 });
    const { rewards } = hub();
    const decorate = { decorate: (plain: ApiDependencies) => ({ ...plain, rewards }) };
    service = await startSolanaService({ rpcUrl: chain.rpcUrl, fundSol: chain.fundSol, ...decorate });
    const { paying, signing } = payFromSolana(service.parts, randomBytes(32), FEES);
    const newAddress = () => Keypair.generate().publicKey.toBase58();
    const { store, url, assertSound } = service;
    const fund = chain.fundUsdc;
    world = { network: 'solana', store, url, paying, signing: { solana: signing }, newAddress, fund, assertSound };
  });
  afterAll(async () => {
    await service.close();
    await chain.close();
  });
  suite(() => world);
});
