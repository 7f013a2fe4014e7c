import type { SettingsWords } from './settings-words.ts';

export const settingsWordsEn: SettingsWords = {
  description: 'Decide how tips work in this server',
  settings: {
    show: 'See what is set, and how to change it',
    channels: 'Allow tips in this channel, no longer here, or in all channels',
    min: 'The smallest tip: 0.5 · off',
    max: 'The largest tip: 5 · off',
    cooldown: 'How long somebody waits between two tips: 30s · 5m · off',
    ban: 'Let somebody send no more tips here',
    unban: 'Let somebody send tips again',
    receipts: 'How I show that a tip was paid',
    notes: 'Whether a tip may carry a note',
    lifetime: 'When I delete my messages: 1h · off',
    log: 'Keep a log of all tips in this channel',
    role: 'Who may confirm rewards beside you; leave it empty for nobody',
    quorum: 'For the owner: how many confirm a reward above 10 USDC',
  },
  values: { choice: 'Choose one', text: 'A value such as those above, or off', user: 'Who', role: 'Which role' },
};
