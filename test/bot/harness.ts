import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { microUsdc, ZERO_USDC, type MicroUsdc } from '../../core/money.ts';
import { formatRecipient } from '../../core/platforms/recipient.ts';
import { LARGEST_LIMITS } from '../../core/wallets/spending-limits.ts';
import { plainText, type View } from '../../core/view.ts';
import { rememberRecipients } from '../../db/tips/known-recipients.ts';
import { openMigrated } from '../support/databases/migrated.ts';
import type { Store } from '../../db/store/store.ts';
import { createChatClaims } from '../../bot/requests/chat-claims.ts';
import { createBot, type Bot } from '../../bot/commands/bot.ts';
import type { CoreDeps } from '../../bot/conversation/dependencies.ts';
import { parseCommand } from '../../core/grammar/command.ts';
import type { Messenger, PressEvent, TextEvent } from '../../bot/shared/messenger.ts';
import type { PayingNetwork } from '../../bot/shared/networks.ts';
import type { PinnedEvm, PinnedSolana } from '../../bot/shared/terms.ts';
import { textsEn } from '../../texts/en.ts';
import { createPayments } from '../../client/payments.ts';
import { createSigner } from '../../bot/signing/signer.ts';
import type {
  Landing,
  SolanaTransfer,
  SolanaWithdrawal,
  TransferAuthorization,
  UnsignedGenerations,
  WithdrawalName,
} from '../../bot/signing/signing.ts';
import type { AddressCheck } from '../../core/payments/payout-address.ts';

export const PINNED: PinnedEvm = {
  family: 'evm',
  aliases: [],
  network: 'base',
  caip2: 'eip155:8453',
  chainId: 8453,
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payTo: `0x${'ab'.repeat(20)}`,
  name: 'USD Coin',
  version: '2',
  feeBps: 0,
  costLine: ZERO_USDC,
  feeFlat: microUsdc(0n),
};

export const PINNED_SOLANA: PinnedSolana = {
  family: 'svm',
  aliases: ['solana:mainnet'],
  network: 'solana',
  caip2: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  payTo: 'Treasury111111111111111111111111111111111111',
  feePayer: 'FeePayer111111111111111111111111111111111111',
  feeBps: 0,
  costLine: ZERO_USDC,
  feeFlat: microUsdc(0n),
};

export const OPERATOR = { name: 'Example Payments', supportUrl: 'https://help.test/', termsUrl: '' };

export const START_MS = Date.UTC(2026, 10, 20, 12);

export const usdc = (amount: number): MicroUsdc => microUsdc(BigInt(Math.round(amount * 1e6)));

/** A database file of its own, removed when closed. */
export async function openTestStore(): Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), 'bot-'));
  const store = await openMigrated({ kind: 'sqlite', path: join(folder, 'test.sqlite') });
  const close = async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  };
  return { ...store, close };
}

/** Time that passes only while something sleeps. Nothing sleeps once the bot closes. */
export function fakeClock(closing: AbortSignal, startMs = START_MS) {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    sleep: async (ms: number) => {
      closing.throwIfAborted();
      nowMs += ms;
    },
    pass: (ms: number) => void (nowMs += ms),
  };
}

/** Addresses of ours, as far as the fake wallets know. */
export const FORBIDDEN = [PINNED.payTo, PINNED_SOLANA.payTo];
/** Whose account for USDC is open. */
export const WITH_ACCOUNT = 'WithAccount11111111111111111111111111111111';

/** Knows the form of an address, and ours. */
export async function fakeCheck(text: string): Promise<AddressCheck> {
  if (FORBIDDEN.includes(text)) return { kind: 'refused', reason: 'ours' };
  const isAddress = /^0x[0-9a-f]{40}$/.test(text) || /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text);
  return isAddress ? { kind: 'fine', address: text } : { kind: 'refused', reason: 'not_an_address' };
}

type CancellationWanted = { txnId: number; validBefore: number };

/** Wallets whose address and signature can be recognised; it counts what it was asked to sign. `landings` by withdrawal. */
export function fakeWallets() {
  const landings = new Map<string, Landing>();
  const lookedFor: UnsignedGenerations[] = [];
  const findLanding = async (unsigned: UnsignedGenerations): Promise<Landing | null> => {
    lookedFor.push(unsigned);
    return landings.get(unsigned.id) ?? null;
  };
  const signed: { walletId: string; authorization: TransferAuthorization }[] = [];
  const transfers: { walletId: string; transfer: SolanaTransfer }[] = [];
  const withdrawn: { walletId: string; withdrawal: SolanaWithdrawal }[] = [];
  const isForbidden = (address: string) => FORBIDDEN.includes(address);
  let blockhashes = 0;
  const base = {
    addressOf: (walletId: string) => `0x${Buffer.from(walletId).toString('hex').padEnd(40, '0').slice(0, 40)}`,
    isForbidden,
    findLanding,
    signCancellation: (walletId: string, { txnId, validBefore }: CancellationWanted) =>
      `0x${walletId}/${txnId}/${validBefore}`,
    withdrawalNonce: ({ id, generation }: WithdrawalName): `0x${string}` => `0x${id}/${generation}`,
    signTransferAuthorization: (walletId: string, authorization: TransferAuthorization): `0x${string}` => {
      signed.push({ walletId, authorization });
      return `0x${'11'.repeat(64)}1b`;
    },
  };
  const solana = {
    addressOf: (walletId: string) => `Solana-${walletId}`,
    isForbidden,
    findLanding,
    signCancellation: (walletId: string, { txnId, validBefore }: CancellationWanted) =>
      `${walletId}/${txnId}/${validBefore}`,
    withdrawalMemo: ({ id, generation }: WithdrawalName) => `${id}/${generation}`,
    hasAccount: async (owner: string) => owner === WITH_ACCOUNT,
    signWithdrawal: (walletId: string, withdrawal: SolanaWithdrawal) => {
      withdrawn.push({ walletId, withdrawal });
      return `signed ${withdrawal.memo}`;
    },
    latestBlockhash: async () => ({ blockhash: `blockhash-${++blockhashes}`, lastValidHeight: LAST_VALID_HEIGHT }),
    signPayment: (walletId: string, transfer: SolanaTransfer) => {
      transfers.push({ walletId, transfer });
      return Buffer.from(`${walletId} ${transfer.blockhash} ${transfer.memo}`).toString('base64');
    },
  };
  return { base, solana, signed, transfers, withdrawn, landings, lookedFor };
}

/** The last block in which any transaction of the fake wallets can be. */
export const LAST_VALID_HEIGHT = 1_150;

/** Remembers every view of every message, so that a test can read how a message changed. */
export function fakeMessenger() {
  const messages = new Map<string, View[]>();
  const messenger: Messenger = {
    pressesCommands: true,
    open: async ({ chatId, eventId }, view) => {
      const id = `${chatId}/${eventId}`;
      messages.set(id, [...(messages.get(id) ?? []), view]);
      return id;
    },
    edit: async (_chatId, messageId, view) => void messages.get(messageId)?.push(view),
  };
  const last = (eventId: string) => messages.get(`chat/${eventId}`)?.at(-1);
  const textOf = (eventId: string) => {
    const view = last(eventId);
    return view ? plainText(view) : undefined;
  };
  const history = (eventId: string) => messages.get(`chat/${eventId}`)?.map(plainText);
  return { messenger, messages, last, textOf, history };
}

let counter = 0;

export type Harness = Awaited<ReturnType<typeof createHarness>>;

export async function createHarness(options: {
  apiUrl: string;
  store?: Store;
  balance?: MicroUsdc;
  /** With it, Solana is a network to pay from as well. */
  solanaBalance?: MicroUsdc;
  /** Limits and questions as for a new person. Left out: people know whom they tip and are never asked. */
  careful?: boolean;
  pinned?: PinnedEvm;
  faucet?: boolean;
  timeLimitMs?: number;
  startMs?: number;
}) {
  const store = options.store ?? (await openTestStore());
  const closing = new AbortController();
  const clock = fakeClock(closing.signal, options.startMs);
  const { base, solana, signed, transfers, withdrawn } = fakeWallets();
  const chat = fakeMessenger();
  // A test may change them, and others share the constants.
  const pinned = { ...(options.pinned ?? PINNED) };
  const logged: string[] = [];
  const state = {
    balance: options.balance ?? usdc(20),
    solanaBalance: options.solanaBalance ?? usdc(0),
    /** For wallets that hold something else than the others, by address. */
    balances: new Map<string, MicroUsdc>(),
    down: new Set<string>(),
    finalHeight: 1_000,
    faucetCalls: 0,
  };
  const balanceOf = (network: 'base' | 'solana') => async (address: string) => {
    if (state.down.has(network)) throw new Error('rpc.secret.example refused');
    return state.balances.get(address) ?? (network === 'base' ? state.balance : state.solanaBalance);
  };
  const onBase: PayingNetwork = {
    family: 'evm',
    network: 'base',
    pinned,
    addressOf: base.addressOf,
    balanceOf: balanceOf('base'),
    checkAddress: fakeCheck,
  };
  const onSolana: PayingNetwork = {
    family: 'svm',
    network: 'solana',
    pinned: { ...PINNED_SOLANA },
    addressOf: solana.addressOf,
    balanceOf: balanceOf('solana'),
    checkAddress: fakeCheck,
    finalHeight: async () => state.finalHeight,
  };
  const log = (_facts: Record<string, unknown>, message: string) => void logged.push(message);
  const deps: CoreDeps = {
    store,
    clock,
    closing: closing.signal,
    networks: options.solanaBalance === undefined ? [onBase] : [onBase, onSolana],
    payments: createPayments({
      baseUrl: options.apiUrl,
      fetch,
      closing: closing.signal,
      ...(options.timeLimitMs ? { timeLimitMs: options.timeLimitMs } : {}),
    }),
    claims: createChatClaims({ baseUrl: options.apiUrl, apiToken: 'token', fetch, closing: closing.signal }),
    publicUrl: 'https://pay.test',
    signer: createSigner({
      store,
      now: clock.now,
      base: { pinned, ...base },
      solana: { pinned: PINNED_SOLANA, ...solana },
    }),
    messengers: { test: chat.messenger, web: chat.messenger },
    texts: textsEn,
    claimDays: 30,
    // Different for each call, like random bytes, and the same in each run.
    random: (count) => Buffer.alloc(count, ++counter),
    log: { info: log, warn: log, error: log },
    ...(options.faucet
      ? {
          faucet: async () => {
            state.faucetCalls++;
            state.balance = usdc(20);
          },
        }
      : {}),
  };
  const core = createBot(deps);
  const handle = async (event: TextEvent) => {
    await makeAcquainted(store, event);
    return core.handle(event);
  };
  const bot: Bot = options.careful ? core : { ...core, handle };
  return { bot, deps, store, clock, closing, chat, signed, transfers, withdrawn, logged, state };
}

/** As if this person had tipped all these before, and wanted to be asked about nothing. */
export async function makeAcquainted(store: Store, { text, context, userId, walletId }: TextEvent): Promise<void> {
  const command = parseCommand(text, context);
  if (command.kind !== 'tip') return;
  await allowMore(store, walletId);
  await rememberRecipients(store, userId, command.recipients.map(formatRecipient), START_MS);
}

/** The most that anybody can allow for a wallet. */
export async function allowMore(store: Store, walletId: string): Promise<void> {
  const limits = { ask: { now: LARGEST_LIMITS.ask.toString() }, day: { now: LARGEST_LIMITS.day.toString() } };
  const row = { walletId, limits, revision: 1, changedBy: 'test', changedAtMs: START_MS };
  await store.tx((db) => db.insert(store.tables.walletLimits).values(row).onConflictDoNothing());
}

export function pressEvent(buttonId: string, eventId: string, userId = 'chat:user-1'): PressEvent {
  return { transport: 'test', eventId, chatId: 'chat', userId, walletId: userId, buttonId };
}

export function textEvent(text: string, eventId = 'event-1', userId = 'chat:user-1'): TextEvent {
  return { transport: 'test', eventId, chatId: 'chat', userId, walletId: userId, text };
}
