import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import { code, line, muted, strong, type Span } from '../../core/view.ts';
import {
  DROP_EXAMPLE,
  DROP_TIME_MAX,
  DROP_TIME_MIN,
  KNOWN_ANSWERS,
  KNOWN_DAYS,
  OWN_WAIT_MINUTES,
  TIP_MAX,
  TIP_MIN,
  TREASURY_DROP_EXAMPLE,
} from '../rules/rules.ts';
import type { dropsEn } from './en.ts';

const usdc = (amount: MicroUsdc): Span => strong(`${formatUsdcForPeople(amount)} USDC`);
const who = (role: string | null): string =>
  role === null
    ? `対象は、ここに${KNOWN_DAYS}日以上いて、ほかの人から返信のあったメッセージが${KNOWN_ANSWERS}件ある人です。`
    : `対象は、ロール ${role} の人とモデレーターです。`;

export const dropsJa: typeof dropsEn = {
  dropCard: ({ giver, amount, share, people, role, time, isTreasury }, taken) => [
    line`${giver} さんが ${usdc(amount)} を配ります。${String(people)}人に ${usdc(share)} ずつです。`,
    line`参加: ${strong(`${taken} / ${people}`)}。開始から ${time} で締め切ります。`,
    [
      muted(
        `${who(role)}一人一口です。${isTreasury ? '支払いの前に、モデレーターがリストを確認します。' : '支払いの前に、配る人がリストを確認します。'}`,
      ),
    ],
  ],
  dropCommunity: (place) => ({ start: 'コミュニティ', within: 'コミュニティ' })[place],
  takeShare: () => '参加する',
  callOffDrop: () => '中止する',
  seeDropList: () => 'リストを見る',
  dropStage: (stage, { giver, amount, taken, hours, confirmed, quorum }) => {
    switch (stage) {
      case 'closed':
        return line`締め切りました。${usdc(amount)} に ${strong(String(taken))}人が参加しました。${giver} さんがリストを確認し、${String(hours)}時間以内に支払います。`;
      case 'listed':
        return line`締め切りました。資金からの ${usdc(amount)} に ${strong(String(taken))}人が参加しました。モデレーターがリストを確認します（現在 ${strong(`${confirmed} / ${quorum}`)}）。${String(hours)}時間以内に確認されなければ、支払われません。`;
      case 'unpaid':
        return line`${giver} さんの ${usdc(amount)} の配布は支払えませんでした。誰からも引き落とされていません。`;
      case 'called_off':
        return line`${giver} さんは ${usdc(amount)} の配布を中止しました。支払いはありません。`;
      case 'nobody':
        return line`${giver} さんの ${usdc(amount)} の配布には、参加者がいませんでした。`;
      case 'lapsed':
        return line`${giver} さんは ${usdc(amount)} の配布を期限までに支払いませんでした。支払いはありません。`;
    }
  },
  tookShare: ({ share, giver }) =>
    line`参加しました。${giver} さんがリストを確認して支払うと、${usdc(share)} が届きます。`,
  takeProblem: (problem, { role }) => {
    switch (problem) {
      case 'own':
        return [line`これはあなたの配布です。ほかの人のためのものです。`];
      case 'not_eligible':
        return [line`まだ参加できません。`, line`${who(role)}`];
      case 'other_name':
        return [line`あなたは別の名前ですでに参加しています。`];
      case 'full':
        return [line`すべて埋まりました。`];
      case 'over':
        return [line`この配布はもう受け付けていません。`];
      case 'unknown':
        return [line`いま誰がロールを持っているか確認できません。少ししてからもう一度押してください。`];
      case 'takes_nothing':
        return [
          line`このような支払いを受け取らない設定なので、対象から外しました。${code('/privacy')} と ${code('/block')} で確認できます。`,
        ];
    }
  },
  dropList: (count, sum) =>
    line`リストは ${strong(String(count))}人、合計 ${usdc(sum)} です。押すまで何も支払われません。`,
  dropListed: (number, name, amount) => line`${String(number)}. ${name}: ${usdc(amount)}`,
  dropStrikeHint: (isTreasury) => [
    muted(
      isTreasury
        ? '外した人には何も届かず、知らされもしません。その分は資金に残り、リストは改めて確認されます。'
        : '外した人には何も届かず、知らされもしません。その分はあなたに残ります。',
    ),
  ],
  payDrop: (sum) => `${formatUsdcForPeople(sum)} USDC を支払う`,
  confirmDrop: (sum) => `${formatUsdcForPeople(sum)} USDC を確認する`,
  dropConfirmed: () => line`確認しました。ほかのモデレーターも確認すると、支払われます。`,
  strikeFromDrop: (number) => `${number} を外す`,
  explainDrops: () => [
    line`${code(DROP_EXAMPLE.command)} は、このグループで時間内に押した最大${DROP_EXAMPLE.people}人に、${DROP_EXAMPLE.sum} USDC を ${DROP_EXAMPLE.share} ずつ配ります。`,
    line`締め切り後にリストを見て、外したい人を外し、支払います。誰も取らなかった分はあなたに残ります。`,
    line`${code(TREASURY_DROP_EXAMPLE)} はコミュニティの資金を使います。モデレーターが提案し、ほかのモデレーターがリストを確認します。`,
  ],
  dropProblem: (problem, { least, most }) => {
    switch (problem) {
      case 'unreadable':
        return line`金額、人数、時間を書いてください:`;
      case 'people':
        return line`配る人数は ${String(least)}〜${String(most)}人です:`;
      case 'time':
        return line`受付時間は ${DROP_TIME_MIN}〜${DROP_TIME_MAX} です:`;
      case 'share':
        return line`一人あたりは ${TIP_MIN}〜${TIP_MAX} USDC です:`;
      case 'elsewhere':
        return line`配布はグループで使います。グループで入力してください。`;
      case 'no_role':
        return line`先に、参加できるロールをモデレーターが決めます:`;
      case 'nobody_known':
        return line`ここで参加できる人はまだいません。誰が書いているかを${KNOWN_DAYS}日間見る必要があり、その許可も必要です。私をこのグループの管理者にしてください。`;
      case 'busy':
        return line`ここにはあなたの配布がすでにあります。先に支払うか、中止してください:`;
      case 'none':
        return line`あなたを待っているリストはここにはありません。`;
      case 'not_listed':
        return line`その名前はリストにありません:`;
      case 'empty':
        return line`リストには誰も残っていません。中止するか、そのままにしてください。何も支払われません。`;
      case 'changed':
        return line`その間にリストが変わりました。もう一度見てください:`;
      case 'too_little':
        return line`残高が足りません。入金してから、もう一度押してください:`;
      case 'not_decider':
        return line`それはここのモデレーターのためのものです。`;
      case 'standing_unknown':
        return line`このコミュニティの運営者を確認できないため、何もしていません。私がここのメンバーである必要があります。一分後にもう一度どうぞ。`;
      case 'small_group':
        return line`このグループにはまだ資金用ウォレットがありません。先にグループの設定で、新しいメンバーに履歴を見せてください。`;
      case 'own':
        return line`提案したのはあなた自身なので、ほかのモデレーターが確認する必要があります。ほかにいなければ、少額のものは締め切りの${OWN_WAIT_MINUTES}分後にあなたが確認できます。`;
      case 'has_share':
        return line`あなたも参加しているので、ほかのモデレーターが確認します。`;
      case 'treasury_short':
        return line`資金が足りません。だれでも入金できます:`;
    }
  },
};
