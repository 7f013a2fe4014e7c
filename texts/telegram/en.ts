/** What only Telegram makes necessary to say. A language is a file like this one with the same shape. */
export const telegramEn = {
  answeredPrivately: (): string => 'I have answered in our private chat.',
  openPrivately: (): string => 'That is for you alone. Open our private chat and press Start: it is there.',
  openChat: (): string => 'Open our chat',
  tooFast: (): string =>
    'That was a lot at once, and I have not done the last of it. Give me a minute, then try again.',
  tooLate: (): string => 'I was away when you wrote this, and have done nothing. Send it again if you still want it.',
  anonymous: (): string =>
    'You write in the name of the group, so I cannot see who you are. Switch off “Remain anonymous” and try again.',

  /** What the menu says of a command. */
  commands: {
    tip: 'Send money: /tip @alice 1',
    pay: 'Send money from any wallet or app: /pay x:alice 1',
    request: 'Ask a member for money: /request @name 5 lunch',
    drop: 'Share a sum out among those who press in time',
    top: 'See who thanks the most different people here',
    balance: 'What you have',
    deposit: 'Add money',
    withdraw: 'Send money to an address of yours',
    wallet: 'Choose what you pay from',
    limits: 'How much your tips may spend',
    lock: 'Stop all spending',
    unlock: 'Allow spending again',
    history: 'What you sent',
    claim: 'Collect what waits for you',
    link: 'Prove another name of yours',
    block: 'Stop hearing from somebody',
    privacy: 'What I know about you',
    language: 'Which language I speak',
    help: 'How it works',
    treasury: 'The money of this group',
    reward: 'Reward those who engaged with a post on Farcaster',
    settings: 'What holds for tips in this group',
  },
};

export type TelegramTexts = typeof telegramEn;
