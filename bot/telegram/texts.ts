/** What only Telegram makes necessary to say. */
export const telegramTextsEn = {
  answeredPrivately: () => 'I have answered in our private chat.',
  openPrivately: () => 'That is for you alone. Open our private chat, press Start, and ask me there.',
  openChat: () => 'Open our chat',
  tooFast: () => 'That was a lot at once, and I have not done the last of it. Give me a minute, then try again.',
  tooLate: () => 'I was away when you wrote this, and have done nothing. Send it again if you still want it.',
  anonymous: () =>
    'You write in the name of the group, so I cannot see who you are. Switch off “Remain anonymous” and try again.',
};

export type TelegramTexts = typeof telegramTextsEn;

/**
 * The names are the same in every language. `isPersonal` commands may be seen by their sender alone; those `forModerators`
 * are offered to the administrators of groups and to nobody else. Those are not personal although their answers are: whom
 * to ban is named by a reply, and who writes in the name of the group could not be answered alone.
 */
export const COMMANDS = [
  { name: 'tip', description: 'Send money: /tip @alice 1', isPersonal: false },
  { name: 'pay', description: 'Send money from any wallet or app: /pay x:alice 1', isPersonal: true },
  { name: 'balance', description: 'What you have', isPersonal: true },
  { name: 'deposit', description: 'Add money', isPersonal: true },
  { name: 'withdraw', description: 'Send money to an address of yours', isPersonal: true },
  { name: 'wallet', description: 'Choose what you pay from', isPersonal: true },
  { name: 'limits', description: 'How much your tips may spend', isPersonal: true },
  { name: 'lock', description: 'Stop all spending', isPersonal: true },
  { name: 'unlock', description: 'Allow spending again', isPersonal: true },
  { name: 'history', description: 'What you sent', isPersonal: true },
  { name: 'claim', description: 'Collect what waits for you', isPersonal: true },
  { name: 'link', description: 'Prove another name of yours', isPersonal: true },
  { name: 'privacy', description: 'What I know about you', isPersonal: true },
  { name: 'language', description: 'Which language I speak', isPersonal: true },
  { name: 'help', description: 'How it works', isPersonal: true },
  { name: 'treasury', description: 'The money of this group', isPersonal: false },
  {
    name: 'reward',
    description: 'Reward those who engaged with a post on Farcaster',
    isPersonal: false,
    forModerators: true,
  },
  { name: 'settings', description: 'What holds for tips in this group', isPersonal: false, forModerators: true },
] as const satisfies readonly { name: string; description: string; isPersonal: boolean; forModerators?: true }[];
