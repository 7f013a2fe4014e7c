import { quoteText } from '../../core/characters.ts';
import { code, line, type Paragraph } from '../../core/view.ts';
import type { Mistake, MistakeCode } from '../../core/grammar/mistakes.ts';
import type { mistakesEn } from './en.ts';
import {
  COOLDOWN_MAX,
  DECIMALS,
  LIFETIME_MAX,
  LIFETIME_MIN,
  NAMES_MAX,
  NOTE_CHARACTERS,
  TIP_MAX,
  TIP_MIN,
} from '../rules/rules.ts';

/** The reason in `detail` is English, so a name is only said to be unreadable here. */
const MISTAKES: Record<MistakeCode, (mistake: Mistake) => Paragraph> = {
  empty_tip: () => line`誰に、いくら送るかを書いてください。`,
  no_recipient: () => line`誰に送りますか？名前を先に書いてください。`,
  no_amount: () => line`いくら送りますか？名前の後に金額を書いてください。`,
  which_network: ({ found }) =>
    line`どのサービスの ${quoteText(found)} ですか？同じ名前でも別の人のことがあるので、サービス名を付けてください。`,
  unknown_network: ({ found }) =>
    line`${quoteText(found)} のサービスがわかりません。使えるのは ${code('x')}、${code('farcaster')}、${code('github')}、メールアドレス、ウェブサイトです。`,
  name_in_two_words: () => line`サービス名と名前は、続けて一語で書いてください。`,
  bad_recipient: ({ found }) =>
    line`${quoteText(found)} という名前を読み取れません。使えない文字か、見えない文字が入っているかもしれません。この例のように入力し直してください。`,
  too_many_recipients: () => line`一度に送れるのは ${NAMES_MAX} 人までです。`,
  thousands_separator: ({ found }) =>
    line`${quoteText(found)} が 1 なのか 1000 なのかわかりません。区切りなしで書いてください。チップは ${TIP_MIN}～${TIP_MAX} USDC です。`,
  shorthand_amount: ({ found }) =>
    line`${quoteText(found)} は略さずに数字で書いてください。チップは ${TIP_MIN}～${TIP_MAX} USDC です。`,
  too_many_decimals: ({ found }) =>
    line`${quoteText(found)} は小数点以下が ${DECIMALS} 桁を超えています。お金を勝手に丸めることはしません。`,
  other_currency: ({ found }) =>
    line`送れるのは USDC だけです（1 USDC は 1 米ドル相当）。${quoteText(found)} は使えません。`,
  unreadable_amount: ({ found }) => line`${quoteText(found)} を金額として読み取れません。`,
  too_small: () => line`金額が少なすぎます。チップは一人につき ${TIP_MIN}～${TIP_MAX} USDC です。`,
  too_large: () => line`一度に送るには多すぎます。チップは一人につき ${TIP_MIN}～${TIP_MAX} USDC です。`,
  note_too_long: () => line`ひとことが長すぎます。${NOTE_CHARACTERS} 文字までにしてください。`,
  no_withdraw_amount: () => line`そこへいくら送りますか？全額なら ${code('all')} です。`,
  plain_digits: ({ found }) => line`${quoteText(found)} は、${code('1000')} のように数字だけで書いてください。`,
  command_too_long: () => line`メッセージが長すぎます。チップは短く書けます。`,
  unknown_setting: ({ found }) =>
    line`${quoteText(found)} という設定はありません。${code('/settings')} で一覧を見られます。`,
  setting_choice: () => line`ここで使えるのは次のどれかです。`,
  setting_amount: () => line`USDC の金額か、${code('off')} と書いてください。`,
  cooldown_time: () =>
    line`${code('30s')}、${code('5m')}、${code('1h')} のような時間（${code(COOLDOWN_MAX)} まで）か、${code('off')} と書いてください。`,
  lifetime_time: () =>
    line`${code('30m')} や ${code('1h')} のような時間（${code(LIFETIME_MIN)} から ${code(LIFETIME_MAX)} まで）か、${code('off')} と書いてください。`,
  setting_person: () =>
    line`誰のことか、はっきりわかる必要があります。一人だけメンションするか、その人のメッセージに返信してください。`,
  setting_role: () => line`ロールをメンションするか、${code('off')} と書いてください。`,
};

export const mistakesJa: typeof mistakesEn = {
  mistake: (mistake) => MISTAKES[mistake.code](mistake),
};
