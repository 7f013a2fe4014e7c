import type { Network } from '../../../core/networks.ts';
import { startDiscord } from '../../fakes/discord/server.ts';
import { startFakeTelegram } from '../../fakes/telegram/start.ts';
import { createDiscordPerson, type DiscordPerson } from './discord-person.ts';
import { openInstallation } from './installation.ts';
import { createLives } from './lives.ts';
import type { Person } from './person.ts';
import type { PayerPlan, Plan } from './plan.ts';
import { createTelegramPerson } from './telegram-person.ts';
import { createWebPerson } from './web-person.ts';
import { createDiskFolder } from '../../support/disk-folder.ts';

export type ChatWorld = Awaited<ReturnType<typeof openChatWorld>>;

const DELIVERIES = 3;
const CHANNELS = 8;
/** Letters that Telegram takes; it is no secret of anybody. */
const WEBHOOK_SECRET = 'said-to-the-fake-and-back';

/** Both platforms live in this process, so that they outlive the service; and so do the people, with their wallets filled. */
export async function openChatWorld(plan: Plan, networks: readonly Network[]) {
  const dataDir = createDiskFolder('pennypost-chat-kills-');
  const discord = await startDiscord({ deliveries: DELIVERIES });
  const telegram = await startFakeTelegram({ botUsername: 'penny_bot' });
  telegram.deliverThrice(true);
  const installation = await openInstallation(dataDir, networks);
  const webChats = { shown: new Map<string, readonly string[]>() as ReadonlyMap<string, readonly string[]> };
  const lives = createLives({
    dataDir,
    envOf: (life) => ({
      NETWORKS: networks.join(','),
      DISCORD_TOKEN: discord.token,
      DISCORD_APP_ID: discord.applicationId,
      DISCORD_API_URL: discord.apiUrl,
      TELEGRAM_TOKEN: telegram.token,
      TELEGRAM_API_URL: telegram.url,
      // By turns Telegram is asked, and calls.
      ...(life % 2 === 0 ? {} : { TELEGRAM_WEBHOOK_SECRET: WEBHOOK_SECRET }),
    }),
  });

  const guild = discord.guild({ name: 'Tippers' });
  const channels = Array.from({ length: CHANNELS }, (_, index) => discord.channel(guild, `tips-${index}`));
  const onDiscord: DiscordPerson[] = [];
  const makers: Record<PayerPlan['transport'], (payer: PayerPlan, index: number) => Person> = {
    web: () => createWebPerson({ url: lives.url, shownIn: (chatId) => webChats.shown.get(chatId) ?? [] }),
    discord({ isPublic }, index) {
      const user = discord.user(`payer${index}`);
      discord.join(guild, user);
      const channel = isPublic ? channels[onDiscord.length % CHANNELS] : undefined;
      const person = createDiscordPerson(discord, user, channel ?? discord.direct(user));
      onDiscord.push(person);
      return person;
    },
    telegram({ isPublic }) {
      const user = telegram.createUser({ languageCode: 'en', started: true });
      return createTelegramPerson(telegram, user, isPublic ? telegram.createGroup({ owner: user }) : user);
    },
  };
  const people = plan.payers.map((payer, index) => makers[payer.transport](payer, index));

  return {
    people,
    installation,
    lives,
    discord,
    telegram,
    webChats,
    retyped: () => onDiscord.reduce((sum, person) => sum + person.retyped(), 0),
    async close(): Promise<void> {
      await lives.kill();
      await discord.close();
      await telegram.close();
      await installation.close();
    },
  };
}
