import { createBot } from '../../../bot/commands/bot.ts';
import type { CoreDeps } from '../../../bot/conversation/dependencies.ts';
import type { PressEvent, TextEvent } from '../../../bot/shared/messenger.ts';
import { plainText, type View } from '../../../core/view.ts';
import { addHolder } from '../../../db/wallets/holders.ts';
import { withdrawalsOfWallet } from '../../../db/withdrawals/find.ts';
import { createHarness, fakeMessenger, usdc } from '../harness.ts';

export const GUILD = '4200';
export const WALLET = `discord-guild:${GUILD}`;
export const OWNER = 'discord:1';
export const [MOD, OTHER_MOD, MEMBER] = ['discord:2', 'discord:3', 'discord:9'];
export const SAFE = `0x${'cd'.repeat(20)}`;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export type TreasuryWorld = Awaited<ReturnType<typeof openTreasuryWorld>>;
type Options = { store?: CoreDeps['store'] };

/** A guild with an owner, two moderators and a member; `run` says who they are, and may be changed as people come and go. */
export async function openTreasuryWorld({ store }: Options = {}) {
  const harness = await createHarness({
    apiUrl: 'http://127.0.0.1:1',
    balance: usdc(100),
    solanaBalance: usdc(0),
    ...(store && { store }),
  });
  const chat = fakeMessenger();
  const run = {
    ownerId: OWNER as string | null,
    moderatorIds: [MOD, OTHER_MOD],
    isOwnerAlone: false,
    botSinceMs: null as number | null,
    isBotThere: true,
    asked: 0,
  };
  const standing = async (_communityId: string, userIds: readonly string[]) => {
    run.asked++;
    if (!run.isBotThere) throw new Error('the bot is no member');
    const { ownerId, isOwnerAlone, botSinceMs } = run;
    return { ownerId, isOwnerAlone, botSinceMs, moderatorIds: run.moderatorIds.filter((id) => userIds.includes(id)) };
  };
  let count = 0;
  // The harness repeats its numbers within a second of the fake clock; here every one is another.
  const random = (length: number) => {
    const bytes = Buffer.alloc(length);
    bytes.writeUInt32BE(++count, 0);
    return bytes;
  };
  const deps: CoreDeps = { ...harness.deps, random, messengers: { discord: { ...chat.messenger, standing } } };
  const bot = createBot(deps);

  const originOf = (userId: string, eventId: string): TextEvent => ({
    transport: 'discord',
    eventId,
    chatId: 'chat',
    communityId: GUILD,
    userId,
    walletId: userId,
    text: '',
  });
  let events = 0;
  const say = async (userId: string, text: string, eventId = `say-${++events}`): Promise<View> => {
    const holder = { holderId: userId, walletId: userId, identityId: userId, name: userId };
    await harness.store.tx((db) => addHolder(db, harness.store.tables, holder, 1));
    await bot.handle({ ...originOf(userId, eventId), text });
    return shown(eventId);
  };
  const shown = (eventId: string): View => {
    const view = chat.last(eventId);
    if (!view) throw new Error(`nothing answers ${eventId}`);
    return view;
  };
  const press = async (userId: string, buttonId: string, eventId = `press-${++events}`): Promise<string | null> => {
    const event: PressEvent = { ...originOf(userId, eventId), buttonId };
    await bot.press(event);
    return chat.textOf(eventId) ?? null;
  };
  /** An address that counts. */
  const fixAddress = async (address = SAFE) => {
    await say(OWNER, `/treasury address ${address}`);
    harness.clock.pass(DAY_MS);
  };
  const withdrawals = () => withdrawalsOfWallet(harness.store, WALLET, 1_000);
  const close = async () => {
    harness.closing.abort();
    await bot.idle();
    if (!store) await harness.store.close();
  };
  return { ...harness, deps, bot, chat, run, say, shown, press, fixAddress, withdrawals, close };
}

/** The id of the button whose label begins like this. */
export function buttonOf({ actions }: View, label: string): string {
  const button = actions.find((action) => action.kind === 'button' && action.label.startsWith(label));
  if (button?.kind !== 'button') throw new Error(`there is no button ${label}`);
  return button.id;
}

export const wordsOf = (view: View): string => plainText(view);
