import type { ChatInputCommandInteraction } from 'discord.js';
import type { Network } from '../../core/networks.ts';
import { TREASURY_STEPS, type TreasuryStep, type TreasuryWords } from '../../texts/discord/words.ts';

export const TREASURY_COMMAND = 'treasury';

const TYPES = { command: 1, subcommand: 1, text: 3 } as const;
type InOthers = (say: (words: TreasuryWords) => string) => object;

/** Offered to everyone in guilds that have installed the bot: what a member may do is judged on each use. */
export function treasuryCommand(words: TreasuryWords, inOthers: InOthers, networks: readonly Network[]): object {
  return {
    type: TYPES.command,
    name: TREASURY_COMMAND,
    description: words.description,
    description_localizations: inOthers(({ description }) => description),
    integration_types: [0],
    contexts: [0],
    options: TREASURY_STEPS.map((step) => ({
      type: TYPES.subcommand,
      name: step,
      description: words.steps[step],
      description_localizations: inOthers(({ steps }) => steps[step]),
      options: optionsOf(step, words, { inOthers, networks }),
    })),
  };
}

type Offered = { inOthers: InOthers; networks: readonly Network[] };

function optionsOf(step: TreasuryStep, words: TreasuryWords, { inOthers, networks }: Offered): object[] {
  const text = (name: 'address' | 'amount' | 'network', more: object) => ({
    type: TYPES.text,
    name,
    description: words[name],
    description_localizations: inOthers((other) => other[name]),
    ...more,
  });
  if (step === 'address') return [text('address', { required: true, max_length: 100 })];
  if (step !== 'withdraw') return [];
  const choices = networks.map((network) => ({ name: network, value: network }));
  return [text('amount', { required: true, max_length: 40 }), text('network', { required: false, choices })];
}

/** The same in the words of the grammar (core/grammar/treasury.ts); null for a subcommand of another version. */
export function readTreasury({ options }: Pick<ChatInputCommandInteraction, 'options'>): string | null {
  const step = TREASURY_STEPS.find((known) => known === options.getSubcommand(false));
  if (step === undefined) return null;
  const values = ['address', 'amount', 'network'].flatMap((name) => options.getString(name) ?? []);
  return [`/treasury ${step}`, ...values].join(' ');
}
