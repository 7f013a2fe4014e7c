import { quoteText } from '../../core/characters.ts';
import { code, line, type Paragraph } from '../../core/view.ts';
import type { Mistake, MistakeCode } from '../../core/grammar/mistakes.ts';
import type { NameReason } from '../../core/grammar/name-reason.ts';
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

const MISTAKES: Record<MistakeCode, (mistake: Mistake) => Paragraph> = {
  empty_tip: () => line`誰に、いくら送るかを書いてください。`,
  no_recipient: () => line`誰に送りますか？名前を先に書いてください。`,
  no_amount: () => line`いくら送りますか？名前の後に金額を書いてください。`,
  which_network: ({ found }) =>
    line`どのサービスの ${quoteText(found)} ですか？同じ名前でも別の人のことがあるので、サービス名を付けてください。`,
  unknown_network: ({ found }) =>
    line`${quoteText(found)} のサービスがわかりません。使えるのは ${code('x')}、${code('farcaster')}、${code('github')}、メールアドレス、ウェブサイトです。`,
  name_in_two_words: () => line`サービス名と名前は、続けて一語で書いてください。`,
  bad_recipient: ({ found, reason }) => unreadable(found, reason),
  too_many_recipients: () => line`一度に送れるのは ${NAMES_MAX} 人までです。`,
  thousands_separator: ({ found }) =>
    line`${quoteText(found)} は千より大きい数ですか、それとも小数ですか？別の書き方をしてください。チップは ${TIP_MIN}～${TIP_MAX} USDC です。`,
  shorthand_amount: ({ found }) =>
    line`${quoteText(found)} は略さずに数字で書いてください。チップは ${TIP_MIN}～${TIP_MAX} USDC です。`,
  too_many_decimals: ({ found }) =>
    line`${quoteText(found)} は小数点以下が ${DECIMALS} 桁を超えています。お金を勝手に丸めることはしません。`,
  other_currency: ({ found }) =>
    line`送れるのは USDC だけです（1 USDC は 1 米ドル相当）。${quoteText(found)} の換算レートはここにはありません。何 USDC にしますか？`,
  unreadable_amount: ({ found }) => line`${quoteText(found)} を金額として読み取れません。`,
  counted_amount: ({ found }) => line`${quoteText(found)} は何 USDC ですか？金額を数字で書いてください。`,
  word_amount: ({ found }) => line`${quoteText(found)} は金額ですか？数字で書いてください。`,
  repeated_tip: () => line`チップを送るのは一回だけで、自動で繰り返すことはありません。これで一回送ります。`,
  called_off: () => line`何も送っていません。送りたいときは、これで送れます。`,
  all_or_wish: ({ found }) =>
    line`${quoteText(found)} はひとことですか、それとも全部送りますか？これを押すと本当に送ります。`,
  how_shared: () => line`一人ずつその額ですか、それとも分け合いますか？`,
  two_payments: () => line`チップは一つですか、二つですか？送るものを選んでください。一つずつ送ります。`,
  wallet_address: () =>
    line`これはウォレットのアドレスです。チップは人の名前に送ります。アドレスに自分のお金を送るにはこちらです。`,
  bank_account: () => line`銀行口座には送れません。その人がどこかで使っている名前か、メールアドレスを書いてください。`,
  phone_number: () => line`電話番号には送れません。その人がどこかで使っている名前か、メールアドレスを書いてください。`,
  platform_domain: ({ found }) =>
    line`${quoteText(found)} はサービスそのもので、人ではありません。そこの誰に送りますか？`,
  post_of_owner: () => line`このリンクでは、誰が書いたかはわからず、場所の持ち主だけがわかります。持ち主に送りますか？`,
  post_without_author: () => line`このリンクでは、誰が書いたかわかりません。名前を書いてください。`,
  mail_domain: ({ found }) => line`${quoteText(found)} の綴りは正しいですか？送りたいアドレスを選んでください。`,
  did_you_mean: () => line`これのことですか？`,
  undo_is_a_button: () =>
    line`まだ受け取られていないチップは、そのメッセージにあるボタンで取り戻せます。一覧はこちらです。`,
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

/** Why a name cannot be read. */
function unreadable(found: string, reason: NameReason | undefined): Paragraph {
  switch (reason?.kind) {
    case 'hidden':
      return line`${quoteText(found)} に見えない文字が入っています。名前を手で入力してください。`;
    case 'look_alike':
      return line`${quoteText(found)} の「${reason.character}」は「${reason.like}」に似た別の文字です。別の人の名前かもしれないので、手で入力してください。`;
    case 'character':
      return line`${reason.title} の名前に ${quoteText(reason.character)} は使われません。`;
    case 'page':
      return line`これはサイトの中の一ページです。送れるのはサイト全体の持ち主か、名前のわかる人だけです。`;
    case 'number':
      return line`${reason.title} の名前は別の人のものになることがあります。そこでその人をメンションするか、番号を使ってください。`;
    case 'form':
      return line`${quoteText(found)} は ${reason.title} の名前ではありえません。`;
    case undefined:
      return line`${quoteText(found)} という名前を読み取れません。`;
  }
}

export const mistakesJa: typeof mistakesEn = {
  mistake: (mistake) => MISTAKES[mistake.code](mistake),
};
