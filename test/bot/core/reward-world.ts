import type { PinnedEvm } from '../../../bot/shared/terms.ts';
import { createBot } from '../../../bot/commands/bot.ts';
import type { CoreDeps } from '../../../bot/conversation/dependencies.ts';
import type { PressEvent, TextEvent } from '../../../bot/shared/messenger.ts';
import { createRewards } from '../../../bot/requests/rewards.ts';
import type { Failpoint } from '../../../core/failpoints.ts';
import { plainText, type View } from '../../../core/view.ts';
import type { RewardCard } from '../../../db/rewards/reward-cards.ts';
import { startFakeRewards } from '../fake-rewards.ts';
import { createHarness, fakeMessenger, usdc } from '../harness.ts';

export const GUILD = '4200';
export const GROUP = '-1001234567890';
export const OWNER = 'discord:1';
export const [MOD, OTHER_MOD, MEMBER, HELPER] = ['discord:2', 'discord:3', 'discord:9', 'discord:5'];
export const ROLE = { id: '77', name: '@helpers' };
export const MINUTE_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTE_MS;
export const POST = 'https://farcaster.xyz/marta/0xb87cf233';

export type RewardWorld = Awaited<ReturnType<typeof openRewardWorld>>;
type Options = {
  transport?: 'discord' | 'telegram';
  store?: CoreDeps['store'];
  solanaBalance?: number;
  pinned?: PinnedEvm;
};

/** A community with an owner, two moderators, a helper with a role and a member; `run` says who they are now. */
export async function openRewardWorld({ transport = 'discord', store, solanaBalance, pinned }: Options = {}) {
  const api = await startFakeRewards();
  const harness = await createHarness({
    apiUrl: api.url,
    balance: usdc(100),
    ...(solanaBalance === undefined ? {} : { solanaBalance: usdc(solanaBalance) }),
    ...(store && { store }),
    ...(pinned && { pinned }),
  });
  const chat = fakeMessenger();
  const run = {
    ownerId: OWNER as string | null,
    moderatorIds: [MOD, OTHER_MOD],
    withRole: [HELPER],
    isOwnerAlone: false,
    isBotThere: true,
  };
  const standing = async (_communityId: string, userIds: readonly string[], roleId?: string) => {
    if (!run.isBotThere) throw new Error('the bot is no member');
    const moderating = [...run.moderatorIds, ...(roleId === ROLE.id ? run.withRole : [])];
    const moderatorIds = moderating.filter((id) => userIds.includes(id));
    return { ownerId: run.ownerId, isOwnerAlone: run.isOwnerAlone, botSinceMs: null, moderatorIds };
  };
  let count = 0;
  const random = (length: number) => {
    const bytes = Buffer.alloc(length);
    bytes.writeUInt32BE(++count, 0);
    return bytes;
  };
  let dies: Failpoint | null = null;
  let deaths = 0;
  const deps: CoreDeps = {
    ...harness.deps,
    random,
    messengers: { [transport]: { ...chat.messenger, standing } },
    rewards: createRewards({
      baseUrl: api.url,
      apiToken: 'token',
      fetch,
      closing: harness.closing.signal,
    }),
    failpoint: (name) => {
      if (name !== dies) return;
      deaths++;
      throw new Error(`the process ends at ${name}`);
    },
  };
  const bot = createBot(deps);
  const communityId = transport === 'discord' ? GUILD : GROUP;
  const originOf = (userId: string, eventId: string): TextEvent => {
    const place = { transport, eventId, chatId: 'chat', communityId };
    return {
      ...place,
      userId,
      walletId: userId,
      isModerator: [run.ownerId, ...run.moderatorIds].includes(userId),
      text: '',
    };
  };
  let events = 0;
  const shown = (eventId: string): View => {
    const view = chat.last(eventId);
    if (!view) throw new Error(`nothing answers ${eventId}`);
    return view;
  };
  const say = async (userId: string, text: string, eventId = `say-${++events}`): Promise<View> => {
    await bot.handle({ ...originOf(userId, eventId), text });
    return shown(eventId);
  };
  const press = async (userId: string, buttonId: string, eventId = `press-${++events}`): Promise<string | null> => {
    const event: PressEvent = { ...originOf(userId, eventId), buttonId };
    await bot.press(event);
    return chat.textOf(eventId) ?? null;
  };
  const cards = (): Promise<RewardCard[]> => deps.store.read.select().from(deps.store.tables.rewardCards);
  const close = async () => {
    harness.closing.abort();
    await bot.idle();
    await api.close();
    if (!store) await harness.store.close();
  };
  return {
    ...harness,
    api,
    deps,
    bot,
    chat,
    run,
    say,
    shown,
    press,
    cards,
    /** Every process ends there from now on; null: none does. */
    dieAt: (name: Failpoint | null) => void (dies = name),
    deaths: () => deaths,
    textOf: (eventId: string) => plainText(shown(eventId)),
    close,
  };
}

/** The id of the button whose label begins like this. */
export function buttonOf({ actions }: View, label: string): string {
  const button = actions.find((action) => action.kind === 'button' && action.label.startsWith(label));
  if (button?.kind !== 'button') throw new Error(`there is no button ${label}`);
  return button.id;
}
