export const COMMAND_NAMES = [
  'tip',
  'pay',
  'request',
  'balance',
  'deposit',
  'withdraw',
  'wallet',
  'limits',
  'lock',
  'unlock',
  'history',
  'claim',
  'link',
  'language',
  'block',
  'privacy',
  'help',
] as const;
export type CommandName = (typeof COMMAND_NAMES)[number];

export type SettingName =
  | 'show'
  | 'channels'
  | 'min'
  | 'max'
  | 'cooldown'
  | 'ban'
  | 'unban'
  | 'receipts'
  | 'notes'
  | 'language'
  | 'lifetime'
  | 'log'
  | 'role'
  | 'drops'
  | 'quorum';

export const TREASURY_STEPS = ['balance', 'give', 'deposit', 'statement', 'address', 'withdraw'] as const;
export type TreasuryStep = (typeof TREASURY_STEPS)[number];

/**
 * A command is called the same in all languages: that is how texts name it, and how people tell each other. Names of
 * options are in lower case and without spaces; a description has at most 100 characters.
 */
type CommandWords = { description: string; options: Record<string, [string, string]> };

/** What only Discord makes necessary to say. A language is a file like `en.ts` with the same shape. */
export type DiscordTexts = {
  commands: Record<CommandName, CommandWords>;
  /** Under "Apps" in the menu of a person or message. */
  menu: string;
  form: { title: (name: string) => string; amount: string; amountExample: string; note: string };
  tooFast: string;
  /** What only moderators read. */
  settings: SettingsWords;
  treasury: TreasuryWords;
  reward: RewardWords;
  drop: DropWords;
  top: TopWords;
};

export type SettingsWords = {
  description: string;
  settings: Record<SettingName, string>;
  values: { choice: string; text: string; user: string; role: string };
};

export type TreasuryWords = {
  description: string;
  steps: Record<TreasuryStep, string>;
  /** What is typed for `address`, and for `withdraw`. */
  address: string;
  amount: string;
  network: string;
};

export type DropWords = {
  description: string;
  amount: string;
  people: string;
  time: string;
  from: string;
  without: string;
};
export type TopWords = { description: string; choice: string };
export type RewardWords = { description: string; post: string; budget: string; without: string };
