/** Local mode, from the whole service, with a Discord and a browser beside it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { parseConfig } from '../../core/config.ts';
import { startService } from '../../service/start.ts';
import { startDiscord } from '../fakes/discord/server.ts';
import { startBrowser } from './browser.ts';

const ONLINE_MS = 90_000;

export type LocalDiscord = Awaited<ReturnType<typeof startLocalDiscord>>;

export async function startLocalDiscord() {
  const dataDir = mkdtempSync(join(tmpdir(), 'pennypost-local-discord-'));
  const discord = await startDiscord({ answerMs: 30_000 });
  const service = await startService({
    config: parseConfig({
      DATA_DIR: dataDir,
      PORT: '0',
      DISCORD_TOKEN: discord.token,
      DISCORD_APP_ID: discord.applicationId,
      DISCORD_API_URL: discord.apiUrl,
    }),
    roles: ['api', 'worker', 'bot'],
    log: pino({ level: process.env['TEST_LOG'] ?? 'silent' }),
    failpoint: () => undefined,
    progress: () => undefined,
    addSecrets: () => undefined,
    // Those of local mode: the page of a reward follows until the payment is final, and by then it has to be known who is
    // paid.
    blockTimeMs: 1_000,
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
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
