import type { DiscordWords } from './words.ts';

export const wordsEn: DiscordWords = {
  commands: {
    tip: {
      description: 'Send USDC to anyone by the name they already go by',
      options: {
        amount: ['amount', '1 · 0.5 · 50c · half · all'],
        user: ['user', 'Somebody on Discord'],
        to: ['to', 'Or a name elsewhere: x:alice · github:alice · alice@example.com'],
        note: ['note', 'A few words to go with it'],
      },
    },
    pay: { description: 'Send USDC by a link: from any wallet or app', options: {} },
    balance: { description: 'See what you have', options: {} },
    deposit: { description: 'Add money to your wallet', options: {} },
    withdraw: {
      description: 'Send your money to an address of yours',
      options: {
        amount: ['amount', '5 · half · all'],
        address: ['address', 'Where it shall go'],
      },
    },
    wallet: { description: 'Choose what you pay from', options: {} },
    limits: {
      description: 'See and change how much your tips may spend',
      options: { change: ['change', 'tip 5 · ask 1 · day 20 · cancel'] },
    },
    lock: { description: 'Stop all spending from your wallets', options: {} },
    unlock: { description: 'Allow spending again, after 24 hours', options: {} },
    history: { description: 'See what you sent', options: {} },
    claim: {
      description: 'Collect what waits for you',
      options: { name: ['name', 'Another name of yours, such as x:alice'] },
    },
    link: {
      description: 'Receive what is sent to another name of yours',
      options: { name: ['name', 'Such as x:alice'] },
    },
    language: {
      description: 'Choose which language I speak',
      options: { language: ['language', 'en · es · de · pt · ja · app'] },
    },
    privacy: { description: 'See what I know about you, and erase it', options: {} },
    help: {
      description: 'See what I can do',
      options: { command: ['command', 'One command in detail'] },
    },
  },
  menu: 'Tip',
  form: { title: (name) => `Tip ${name}`, amount: 'Amount in USDC', amountExample: '1', note: 'Note' },
  tooFast: 'That was a lot at once. Give me a minute, then try again.',
};
