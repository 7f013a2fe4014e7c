import { parseLimits, type LimitsWish } from './limits.ts';
import type { GrammarContext } from './recipient.ts';
import { parseReward, type RewardWish } from './reward.ts';
import { parseSettings, type SettingsWish } from './settings.ts';
import { parseTreasury, type TreasuryWish } from './treasury.ts';
import { parseWithdraw, type Withdraw } from './withdraw.ts';
import { EXAMPLE_TIP, mistake, type Mistake } from './mistakes.ts';
import { parseTip, type Tip } from './tip.ts';

/** The longest message of any chat (Telegram). */
const COMMAND_CHARACTERS_MAX = 4_096;

export type Command =
  | Tip
  | Withdraw
  | { kind: 'balance' | 'deposit' | 'wallet' | 'withdraw_help' | 'withdraw_cancel' | 'history' | 'privacy' | 'unknown' }
  | { kind: 'lock' | 'unlock' }
  /** `wish`: null where the command only asks for the present limits. */
  | { kind: 'limits'; wish: LimitsWish | null }
  /** `topic`: the command that the question is about. */
  | { kind: 'help'; topic?: string }
  /** `wish`: the new setting; null where the command only asks. Only moderators are told what is wrong with it. */
  | { kind: 'settings'; wish: SettingsWish | Mistake | null }
  | { kind: 'treasury'; wish: TreasuryWish }
  | { kind: 'reward'; wish: RewardWish }
  /** `choice`: what was typed; null: nothing. */
  | { kind: 'language' | 'claim' | 'link'; choice: string | null };

/** Reads one message (design, section 7). Pure and total: every text is a command, `unknown`, or a mistake. */
export function parseCommand(text: string, context: GrammarContext = {}): Command | Mistake {
  if (text.length > COMMAND_CHARACTERS_MAX) return mistake('command_too_long', '', [EXAMPLE_TIP]);
  // The slash may be left out; `／` is the same key on a Japanese keyboard.
  const [, name = '', rest = ''] = /^\s*[/／]?([A-Za-z]+)(?:\s+([^]*))?$/.exec(text) ?? [];
  const command = name.toLowerCase();
  switch (command) {
    case 'tip':
      return parseTip(rest, context);
    case 'pay': {
      const tip = parseTip(rest, context);
      return tip.kind === 'tip' ? { ...tip, viaLink: true } : tip;
    }
    case 'balance':
      return { kind: 'balance' };
    case 'deposit':
      return { kind: 'deposit' };
    case 'wallet':
    case 'wallets':
      return { kind: 'wallet' };
    case 'withdraw':
      return parseWithdraw(rest);
    case 'limits':
    case 'limit':
      return { kind: 'limits', wish: parseLimits(rest) };
    case 'lock':
    case 'unlock':
      return { kind: command };
    case 'history':
      return { kind: 'history' };
    case 'privacy':
      return { kind: 'privacy' };
    case 'settings':
      return { kind: 'settings', wish: parseSettings(rest, context) };
    case 'treasury':
      return { kind: 'treasury', wish: parseTreasury(rest) };
    case 'reward':
      return { kind: 'reward', wish: parseReward(rest) };
    case 'language':
    case 'claim':
    case 'link':
      return { kind: command, choice: rest.trim() === '' ? null : rest.trim() };
    case 'help':
      return rest.trim() === '' ? { kind: 'help' } : { kind: 'help', topic: rest.trim() };
    case 'start':
      return { kind: 'help' };
    default:
      return { kind: 'unknown' };
  }
}
