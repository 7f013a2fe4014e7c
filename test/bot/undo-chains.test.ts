/** A tip that nobody has collected comes back to the wallet that paid it, by a press of its payer and the real worker. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCancellations } from '../../bot/requests/cancellations.ts';
import { createChatClaims } from '../../bot/requests/chat-claims.ts';
import { createClock } from '../../bot/shared/clock.ts';
import { createBot } from '../../bot/commands/bot.ts';
import type { CoreDeps } from '../../bot/conversation/dependencies.ts';
import { textsEn } from '../../texts/en.ts';
import { createPayments } from '../../client/payments.ts';
import { createSigner } from '../../bot/signing/signer.ts';
import type { SignerDeps } from '../../bot/signing/signing.ts';
import type { MicroUsdc } from '../../core/money.ts';
import { findOrderByEvent } from '../../db/tips/orders.ts';
import type { Store } from '../../db/store/store.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import { payFromEvm, payFromSolana } from '../../service/bot-networks.ts';
import { startBaseChain, type BaseChain } from '../support/chains/base-chain.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { startSolanaChain, type SolanaChain } from '../support/chains/solana-chain.ts';
import { startSolanaService, type SolanaService } from '../support/solana-service.ts';
import { fakeMessenger, makeAcquainted, pressEvent, textEvent, usdc } from './harness.ts';

const NO_FEES = { bps: 0, flatMicroUsdc: usdc(0) };

type World = {
  store: Store;
  url: string;
  paying: CoreDeps['networks'][0];
  signing: Pick<SignerDeps, 'base' | 'solana'>;
  fund: (address: string, amount: MicroUsdc) => Promise<unknown>;
  assertSound: () => Promise<void>;
};

const closing = new AbortController();
afterAll(() => closing.abort());

function startBot({ store, url, paying, signing }: World) {
  const chat = fakeMessenger();
  const clock = createClock(closing.signal);
  const http = { baseUrl: url, fetch, closing: closing.signal };
  const logged: string[] = [];
  const log = (facts: Record<string, unknown>, message: string) => void logged.push(message + JSON.stringify(facts));
  const bot = createBot({
    store,
    clock,
    closing: closing.signal,
    networks: [paying],
    payments: createPayments(http),
    claims: createChatClaims(http),
    cancellations: createCancellations(http),
    publicUrl: url,
    signer: createSigner({ store, now: clock.now, ...signing }),
    messengers: { test: chat.messenger },
    texts: textsEn,
    claimDays: 30,
    random: (count) => randomBytes(count),
    log: { info: log, warn: log, error: log },
  });
  return { bot, chat, logged };
}

/** What must hold on every network. */
function suite(world: () => World): void {
  test('pressed by many at once it comes back once, the message says so, and the books fit the chain', async () => {
    const { store, paying, fund, assertSound } = world();
    const { bot, chat, logged } = startBot(world());
    const address = await paying.addressOf('chat:user-1');
    await fund(address, usdc(2));
    await makeAcquainted(store, textEvent('/tip x:alice 1.5'));
    await bot.handle(textEvent('/tip x:alice 1.5'));
    await bot.idle();
    expect([chat.textOf('event-1'), logged]).toEqual([expect.stringContaining('Sent 1.50 USDC to @alice on X.'), []]);
    const undo = chat.last('event-1')?.actions.find(({ kind }) => kind === 'button');
    if (undo?.kind !== 'button') throw new Error('there is no button to take the tip back');
    expect(undo.label).toBe('Take it back');

    await bot.press(pressEvent(undo.id, 'press-mallory', 'chat:mallory'));
    expect(chat.textOf('press-mallory')).toContain('Only whoever asked for this');
    expect((await findOrderByEvent(store, 'test', 'event-1'))?.undoneAtMs).toBeNull();

    const presses = ['press-1', 'press-2', 'press-3'];
    await Promise.all(presses.map((eventId) => bot.press(pressEvent(undo.id, eventId))));
    await bot.idle();
    expect(chat.textOf('event-1')).toBe('Taken back: 1.50 USDC for @alice on X. It is on its way to your wallet.');
    expect(chat.last('event-1')?.actions).toEqual([]);
    expect(presses.map((eventId) => chat.textOf(eventId))).toEqual([undefined, undefined, undefined]);
    await eventually(async () => expect(await paying.balanceOf(address)).toBe(usdc(2)), 60_000);

    // Long after, as from an old message.
    await bot.press(pressEvent(undo.id, 'press-4'));
    expect(chat.textOf('press-4')).toBeUndefined();
    expect(await paying.balanceOf(address)).toBe(usdc(2));
    expect(logged).toEqual([]);
    await assertSound();
  });

  test('of a payment for several all that nobody has collected comes back, once', async () => {
    const { paying, fund, assertSound, store } = world();
    const { bot, chat, logged } = startBot(world());
    const address = await paying.addressOf('chat:user-2');
    await fund(address, usdc(3));
    const tip = textEvent('/tip x:bob github:carol dave@example.com 1', 'several', 'chat:user-2');
    await makeAcquainted(store, tip);
    await bot.handle(tip);
    const buttonOf = () => {
      const button = chat.last('several')?.actions.find(({ kind }) => kind === 'button');
      if (button?.kind !== 'button') throw new Error(`no button under: ${chat.textOf('several')}`);
      return button;
    };
    await bot.press(pressEvent(buttonOf().id, 'confirm', 'chat:user-2'));
    await bot.idle();
    expect(await paying.balanceOf(address)).toBe(usdc(0));
    const { id, label } = buttonOf();
    expect(label).toBe('Take back what waits');
    const presses = ['undo-1', 'undo-2', 'undo-3'];
    await Promise.all(presses.map((eventId) => bot.press(pressEvent(id, eventId, 'chat:user-2'))));
    await bot.idle();
    expect(chat.textOf('several')).toMatch(/^Taken back: 3\.00 USDC for @bob on X, carol on GitHub, /);
    await eventually(async () => expect(await paying.balanceOf(address)).toBe(usdc(3)), 60_000);
    expect([presses.map((eventId) => chat.textOf(eventId)), logged]).toEqual([[undefined, undefined, undefined], []]);
    await assertSound();
  });
}

describe('on Base', () => {
  let chain: BaseChain;
  let service: TestService;
  let world: World;
  beforeAll(async () => {
    chain = await startBaseChain({ blockTimeMs: 100 });
    service = await startTestService({ rpcUrl: chain.rpcUrl, fundEth: chain.fundEth });
    const { paying, signing } = payFromEvm(service.parts, randomBytes(32), NO_FEES);
    const fund = (address: string, amount: MicroUsdc) => chain.fundUsdc(address as `0x${string}`, amount);
    const { store, url, assertSound } = service;
    world = { store, url, paying, signing: { base: signing }, fund, assertSound };
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
    service = await startSolanaService({ rpcUrl: chain.rpcUrl, fundSol: chain.fundSol });
    const { paying, signing } = payFromSolana(service.parts, randomBytes(32), NO_FEES);
    const { store, url, assertSound } = service;
    world = { store, url, paying, signing: { solana: signing }, fund: chain.fundUsdc, assertSound };
  });
  afterAll(async () => {
    await service.close();
    await chain.close();
  });
  suite(() => world);
});
