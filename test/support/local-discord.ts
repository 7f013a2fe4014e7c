/** Local mode, from the whole service, with a Discord and a browser beside it. */
import { startDiscord } from '../fakes/discord/server.ts';
import { startBrowser } from './browser/browser.ts';
import { startLocalService } from './local-service.ts';

const ONLINE_MS = 90_000;

export type LocalDiscord = Awaited<ReturnType<typeof startLocalDiscord>>;

export async function startLocalDiscord() {
  const discord = await startDiscord({ answerMs: 30_000 });
  const service = await startLocalService({
    env: {
      DISCORD_TOKEN: discord.token,
      DISCORD_APP_ID: discord.applicationId,
      DISCORD_API_URL: discord.apiUrl,
      LOCAL_BLOCK_MS: '1000',
    },
    // Those of local mode: the page of a reward follows until the payment is final, and by then it has to be known who is
    // paid.
    slotMs: 200,
  });
  const browser = await startBrowser();
  await discord.until(() => discord.gateway.connected() === 1 && discord.commands().length > 0, 'the bot', ONLINE_MS);
  return {
    discord,
    service,
    browser,
    async close(): Promise<void> {
      await browser.close();
      await service.close();
      await discord.close();
    },
  };
}
