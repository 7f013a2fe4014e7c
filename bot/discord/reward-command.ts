import type { ChatInputCommandInteraction } from 'discord.js';
import type { RewardWords } from '../../texts/discord/words.ts';

export const REWARD_COMMAND = 'reward';

const TYPES = { command: 1, text: 3 } as const;
/** In the grammar's order. None is required, since `without` alone makes the open card again. */
const OPTIONS = { post: 300, budget: 40, without: 1_500 } as const;
type Option = keyof typeof OPTIONS;
const NAMES = Object.keys(OPTIONS) as Option[];

type InOthers = (say: (words: RewardWords) => string) => object;

/**
 * Offered to everyone in guilds that have installed the bot: the guild sets who may confirm, so that is judged on each
 * use.
 */
export function rewardCommand(words: RewardWords, inOthers: InOthers): object {
  return {
    type: TYPES.command,
    name: REWARD_COMMAND,
    description: words.description,
    description_localizations: inOthers(({ description }) => description),
    integration_types: [0],
    contexts: [0],
    options: NAMES.map((name) => ({
      type: TYPES.text,
      name,
      description: words[name],
      description_localizations: inOthers((other) => other[name]),
      required: false,
      max_length: OPTIONS[name],
    })),
  };
}

/** The same in the words of the grammar (core/grammar/reward.ts). */
export function readReward({ options }: Pick<ChatInputCommandInteraction, 'options'>): string {
  const [post, budget, without] = NAMES.map((name) => options.getString(name)?.trim() ?? '');
  const left = without === undefined || without === '' ? [] : [`without ${without}`];
  return ['/reward', post, budget, ...left].filter((part) => part !== undefined && part !== '').join(' ');
}
