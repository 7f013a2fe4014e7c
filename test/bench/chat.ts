/** One person in a chat, one command at a time: from the command to the message that says it was sent. */
import { quantile } from '../../scripts/bench/figures.ts';
import { runRow } from '../../scripts/bench/row.ts';
import { readSettings } from '../../scripts/bench/settings.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import { startFakeTelegram } from '../fakes/telegram/start.ts';
import { startBot, takePlayMoneyOnTelegram } from './chat/bot.ts';
import { BLOCK_MS } from './load/world.ts';

const settings = readSettings(process.argv.slice(2));
const commands = settings.number('commands', 20);
const PATIENCE_MS = 30_000;

await runRow({
  name: settings.row,
  about: `${commands} tips of one person on Telegram, each when the one before has ended, ${BLOCK_MS / 1_000} s blocks, SQLite`,
  read: 'From the update to the last version of its answer, so up to two blocks are in it.',
  rounds: settings.number('rounds', 3),
  async open() {
    const telegram = await startFakeTelegram({ botUsername: 'penny_bot' });
    const env = { TELEGRAM_TOKEN: telegram.token, TELEGRAM_API_URL: telegram.url, LOCAL_BLOCK_MS: String(BLOCK_MS) };
    const bot = await startBot(env);
    return { telegram, bot };
  },
  async round({ telegram }, round) {
    const user = telegram.createUser({ started: true });
    await takePlayMoneyOnTelegram(telegram, user);
    const first: number[] = [];
    const sent: number[] = [];
    for (let number = 0; number < commands; number += 1) {
      const name = `x:jack${round}n${number}`;
      const { update } = telegram.say(user, user, `/tip ${name} 0.1`);
      const versions = await eventually(async () => {
        const answer = telegram
          .fromBot(user, user)
          .find(({ text }) => text.startsWith('Sent') && text.includes(`${name.slice(2)} on X`));
        if (answer === undefined) throw new Error(`${name} has no receipt`);
        return answer.versions;
      }, PATIENCE_MS);
      const [deliveredMs = NaN] = update ? telegram.deliveries(update) : [];
      first.push((versions[0]?.atMs ?? NaN) - deliveredMs);
      sent.push((versions.at(-1)?.atMs ?? NaN) - deliveredMs);
    }
    const less = { unit: 'ms', better: 'less' } as const;
    return [
      { what: 'command to its first answer, p50', ...less, ours: quantile(first, 0.5) },
      { what: 'command to its first answer, p95', ...less, ours: quantile(first, 0.95) },
      { what: 'command to receipt, p50', ...less, ours: quantile(sent, 0.5) },
      { what: 'command to receipt, p95', ...less, ours: quantile(sent, 0.95) },
    ];
  },
  async close({ telegram, bot }) {
    await bot.close();
    await telegram.close();
  },
});
process.exit();
