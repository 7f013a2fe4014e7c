import type { TelegramTexts } from '../../texts/telegram/en.ts';

/**
 * The names are the same in every language. `isPersonal` commands may be seen by their sender alone; those
 * `forModerators` are offered to the administrators of groups and to nobody else. Those are not personal although their
 * answers are: a reply names the member to ban, and a sender in the name of the group could not be answered alone.
 */
export const COMMANDS = [
  { name: 'tip', isPersonal: false },
  { name: 'pay', isPersonal: true },
  { name: 'balance', isPersonal: true },
  { name: 'deposit', isPersonal: true },
  { name: 'withdraw', isPersonal: true },
  { name: 'wallet', isPersonal: true },
  { name: 'limits', isPersonal: true },
  { name: 'lock', isPersonal: true },
  { name: 'unlock', isPersonal: true },
  { name: 'history', isPersonal: true },
  { name: 'claim', isPersonal: true },
  { name: 'link', isPersonal: true },
  { name: 'privacy', isPersonal: true },
  { name: 'language', isPersonal: true },
  { name: 'help', isPersonal: true },
  { name: 'treasury', isPersonal: false },
  {
    name: 'reward',
    isPersonal: false,
    forModerators: true,
  },
  { name: 'settings', isPersonal: false, forModerators: true },
] as const satisfies readonly { name: keyof TelegramTexts['commands']; isPersonal: boolean; forModerators?: true }[];
