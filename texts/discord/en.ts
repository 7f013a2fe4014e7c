import type { DiscordTexts } from './words.ts';
import {
  DROP_EXAMPLE,
  REWARD_DEFAULT,
  SMALL_REWARD,
  SPENDING_WAIT_HOURS,
  TREASURY_WAIT_HOURS,
} from '../rules/rules.ts';

export const discordEn: DiscordTexts = {
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
    request: {
      description: 'Ask a member for money; only they can pay it',
      options: {
        amount: ['amount', '5 · on (others may ask you) · off'],
        user: ['user', 'Whom you ask'],
        to: ['to', 'For a bill: more members, and split after the amount'],
        note: ['note', 'What for, in a few words'],
      },
    },
    balance: { description: 'See what you have', options: {} },
    deposit: { description: 'Add money to your wallet', options: {} },
    withdraw: {
      description: 'Send your money to an address of yours',
      options: {
        amount: ['amount', '5 · half · all'],
        address: ['address', 'Where it should go'],
      },
    },
    wallet: { description: 'Choose what you pay from', options: {} },
    limits: {
      description: 'See and change how much your tips may spend',
      options: { change: ['change', 'tip 5 · ask 1 · day 20 · cancel'] },
    },
    lock: { description: 'Stop all spending from your wallets', options: {} },
    unlock: { description: `Allow spending again, after ${SPENDING_WAIT_HOURS} hours`, options: {} },
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
    block: { description: 'See who sent you something, and stop hearing from them', options: {} },
    privacy: { description: 'See what I know about you, and erase it', options: {} },
    help: {
      description: 'See what I can do',
      options: { command: ['command', 'One command in detail'] },
    },
  },
  menu: 'Tip',
  form: { title: (name) => `Tip ${name}`, amount: 'Amount in USDC', amountExample: '1', note: 'Note' },
  tooFast: 'That was a lot at once. Give me a minute, then try again.',
  settings: {
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
      language: 'The language of what all read here; what one person reads alone stays in theirs',
      lifetime: 'When I delete my messages: 1h · off',
      log: 'Keep a log of all tips in this channel',
      role: 'Who may confirm rewards beside you; leave it empty for nobody',
      drops: 'Who may take a share of a drop; leave it empty for nobody',
      quorum: `For the owner: how many confirm a reward above ${SMALL_REWARD} USDC`,
    },
    values: { choice: 'Choose one', text: 'A value such as those above, or off', user: 'Who', role: 'Which role' },
  },
  treasury: {
    description: 'The money of this community',
    steps: {
      balance: 'What there is, and where it can go',
      deposit: 'Pay something in',
      give: 'Give some of your own money to this server',
      statement: 'What came in and what went out',
      address: `For the owner: where withdrawals go, after ${TREASURY_WAIT_HOURS} hours`,
      withdraw: 'For moderators: ask the others to let money go',
    },
    address: '0x… on Base, any other on Solana; off base ends it',
    amount: '5 · half · all',
    network: 'Where it is, if it lies on both',
  },
  reward: {
    description: 'For moderators: reward those who engaged with a post on Farcaster',
    post: 'The link to the post',
    budget: `How much is shared out, in USDC; ${REWARD_DEFAULT} if left empty`,
    without: 'Names on Farcaster that get nothing; alone: leaves them out of the open card',
  },
  drop: {
    description: 'Share a sum out among those who press in time',
    amount: 'How much: 5',
    people: 'For how many people: 10',
    time: `For how long: ${DROP_EXAMPLE.time}`,
    from: 'treasury: out of the community’s money',
    without: 'Names to strike from your list',
  },
  top: { description: 'See who thanks the most different people here', choice: 'on · off (whether you stand there)' },
};
