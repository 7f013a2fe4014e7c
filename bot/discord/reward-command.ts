import type { ChatInputCommandInteraction } from 'discord.js';
import type { RewardWords } from '../../texts/discord/words.ts';

export const REWARD_COMMAND = 'reward';

const TYPES = { command: 1, text: 3 } as const;
/** Each in the grammar's place; none is required, since a card can also be made anew without somebody. */
const OPTIONS = { post: 300, budget: 40, without: 1_500 } as const;
type Option = keyof typeof OPTIONS;
const NAMES = Object.keys(OPTIONS) as Option[];

type InOthers = (say: (words: RewardWords) => string) => object;

/** For everybody in guilds that have installed the bot: who may confirm is set there, so it is judged when he asks. */
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
