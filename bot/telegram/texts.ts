/** What only Telegram makes necessary to say. */
export const telegramTextsEn = {
  answeredPrivately: () => 'I have answered in our private chat.',
  openPrivately: () => 'That is for you alone. Open our private chat, press Start, and ask me there.',
  openChat: () => 'Open our chat',
  tooLate: () => 'I was away when you wrote this, and have done nothing. Send it again if you still want it.',
  anonymous: () =>
    'You write in the name of the group, so I cannot see who you are. Switch off “Remain anonymous” and try again.',
};

export type TelegramTexts = typeof telegramTextsEn;

/** The names are the same in every language; `isPersonal` commands may be seen by their sender alone. */
export const COMMANDS = [
  { name: 'tip', description: 'Send money: /tip @alice 1', isPersonal: false },
  { name: 'balance', description: 'What you have', isPersonal: true },
  { name: 'deposit', description: 'Add money', isPersonal: true },
  { name: 'withdraw', description: 'Send money to an address of yours', isPersonal: true },
  { name: 'wallet', description: 'Choose what you pay from', isPersonal: true },
  { name: 'history', description: 'What you sent', isPersonal: true },
  { name: 'claim', description: 'Collect what waits for you', isPersonal: true },
  { name: 'link', description: 'Prove another name of yours', isPersonal: true },
  { name: 'privacy', description: 'What I know about you', isPersonal: true },
  { name: 'language', description: 'Which language I speak', isPersonal: true },
  { name: 'help', description: 'How it works', isPersonal: true },
] as const;
