import type { GrammarContext } from '../../core/grammar/recipient.ts';

/** What a button in a chat can do (db/chats/buttons.ts). */
export const BUTTON_ACTIONS = [
  'take_play_money',
  'say',
  'choose_wallet',
  'withdraw',
  'cancel_withdrawal',
  'confirm_order',
  'cancel_order',
  'choose_language',
  'keep_claim',
  'erase',
  'opt_out',
  'block_giver',
  'allow_giver',
  'read_note',
  'keep_tip',
  'decline_tip',
  'quiet_small',
  'ring_small',
  'cancel_raises',
  'end_new_holders',
  'undo_order',
  'send_order',
  'add_and_send_order',
  'confirm_treasury',
  'reject_treasury',
  'cancel_treasury_address',
  'confirm_reward',
  'reject_reward',
  'pay_request',
  'decline_request',
  'never_request',
  'take_share',
  'list_drop',
  'pay_drop',
  'call_off_drop',
] as const;

/** The command that a button says for its person, in the place that gave it its meaning. `isRate`: its time is a rate's. */
export type SaidCommand = {
  command: string;
  context: GrammarContext;
  place: { chatId: string; communityId?: string; chatName?: string };
  untilMs: number;
  isRate: boolean;
};

/** What a link can hand out, made afresh at each request. */
export const CHAT_FILES = [
  'history_csv',
  'export_json',
  'deposit_page',
  'treasury_csv',
  'purse_link',
  'browser_link',
] as const;
