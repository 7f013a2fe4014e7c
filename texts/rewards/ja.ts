import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import { code, line, muted, strong, type Paragraph, type Span } from '../../core/view.ts';
import type { rewardsEn } from './en.ts';
import {
  REWARD_CARD_HOURS,
  REWARD_DEFAULT,
  REWARD_MAX,
  REWARD_MIN,
  REWARD_NAMES_MAX,
  TIP_MAX,
  TIP_MIN,
} from '../rules/rules.ts';
import { momentIn } from '../rules/moment.ts';

const people = formatUsdcForPeople;
const usdc = (amount: MicroUsdc): Span => strong(`${people(amount)} USDC`);
const withFee = (fee: MicroUsdc): string => (fee === 0n ? '' : `（手数料 ${people(fee)} USDC が別途）`);
const time = momentIn('ja');

const WHY = new Map([
  ['author', '投稿した本人'],
  ['creator', 'リワードを提案した人'],
  ['excluded', '除外'],
  ['opted_out', '受け取りを希望しない'],
  ['nameless', '名前がない'],
  ['no_weight', '対象外の反応だけ'],
  ['max_recipients', `${REWARD_NAMES_MAX} 人を超えた分`],
  ['share_too_small', `${TIP_MIN} USDC 未満`],
]);

export const rewardsJa: typeof rewardsEn = {
  rewardAsk: (facts, { needed, confirmed }) => {
    const { by, author, budget, fee, costMax, count, weights, top, leftOut } = facts;
    const { like, comment, repost } = weights;
    const left = leftOut.reduce((sum, one) => sum + one.count, 0);
    const why = leftOut.map((one) => `${one.count} ${WHY.get(one.reason) ?? one.reason}`).join(', ');
    return [
      line`${strong(by)} が ${strong(author)} の投稿に反応した人へのリワードを提案しました：このコミュニティの資金から、${strong(String(count))} 人に ${usdc(budget)}${withFee(fee)}。`,
      ...(costMax === 0n
        ? []
        : [line`今日の無料枠を使い切っている場合は、取引の費用として最大 ${usdc(costMax)} が加わります。`]),
      line`いいね ${String(like)}、コメント ${String(comment)}、リポスト ${String(repost)} の重みで分けます。`,
      ...top.map(({ name, amount }, index) => line`${String(index + 1)}. ${name} · ${people(amount)} USDC`),
      ...(count > top.length ? [line`ほか ${String(count - top.length)} 人`] : []),
      ...(left === 0 ? [] : [line`対象外：${strong(String(left))}（${why}）`]),
      line`誰かを除くには：${code('/reward without alice')}`,
      needed === 1
        ? line`提案した人以外のモデレーター一人が ${REWARD_CARD_HOURS} 時間以内に確認する必要があります。一人でも拒否すると終わりです。`
        : line`提案した人以外のモデレーター二人が ${REWARD_CARD_HOURS} 時間以内に確認する必要があります。一人でも拒否すると終わりです。`,
      ...(confirmed.length === 0 ? [] : [line`確認した人：${strong(confirmed.join(', '))}`]),
    ];
  },
  rewardConfirm: (done, needed) => `確認 ${done}/${needed}`,
  rewardReject: () => '拒否',
  rewardPage: () => '誰がいくら受け取るか',
  rewardCsv: () => 'CSV で見る',
  rewardPost: () => '投稿を見る',
  rewardTell: () => 'Farcaster で知らせる',
  rewardTelling: (called, author) =>
    line`${called} ${author} さんの投稿への反応、ありがとうございます。あなたの分があります。受け取り方：`,

  rewardPaying: ({ budget, count, author }) =>
    line`${strong(author)} の投稿のため、${strong(String(count))} 人に ${usdc(budget)} を送っています…`,
  rewardPaid: ({ budget, author }, counts) => {
    const parts: [number, string][] = [
      [counts?.paid ?? 0, '件支払い済み'],
      [counts?.onTheWay ?? 0, '件送金中'],
      [counts?.waiting ?? 0, '件受け取り待ち'],
      [counts?.held ?? 0, '件保留'],
      [counts?.refunded ?? 0, '件返金'],
    ];
    const said = parts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
    return [
      line`リワードを送りました：${strong(author)} の投稿に ${usdc(budget)}。`,
      ...(said.length === 0 ? [] : [line`${said.join(', ')}`]),
    ];
  },
  rewardPaidElsewhere: () => [muted('別の人が支払いました。コミュニティの資金は動いていません。')],
  rewardPaidByLink: () => [muted('リンクから支払われました。コミュニティの資金は動いていません。')],
  rewardUnfunded: () =>
    line`確認されましたが、どのネットワークでも資金が足りません。${code('/treasury deposit')} で入金してもう一度「確認」を押すか、下のボタンから誰でもウォレットで支払えます。`,
  rewardRejected: ({ budget, author }, by) =>
    line`${strong(by)} が ${strong(author)} の投稿への ${usdc(budget)} のリワードを拒否しました。お金は動いていません。`,
  rewardExpired: ({ budget, author }) =>
    line`${strong(author)} の投稿への ${usdc(budget)} のリワードは、時間内に確認が足りず終わりました。お金は動いていません。`,
  rewardUnpaid: ({ budget, author }) =>
    line`${strong(author)} の投稿への ${usdc(budget)} のリワードは終了しました。確認はされましたが、期限内に支払われませんでした。お金は動いていません。`,
  rewardReplaced: ({ author }, by) =>
    line`${strong(by)} が誰かを除きました。${strong(author)} の投稿の新しいカードがこれに代わります。`,
  rewardFailed: ({ budget, author }, reason) => [
    line`${strong(author)} の投稿への ${usdc(budget)} のリワードは支払われず、お金は動いていません。`,
    whyNot(reason),
  ],

  rewardProblem: (problem) => {
    switch (problem.code) {
      case 'elsewhere':
        return line`${code('/reward')} は、そのお金を持つサーバーかグループで書いてください。`;
      case 'small_group':
        return line`このグループにはまだ資金用ウォレットがありません。先にグループの設定で、新しいメンバーに履歴を見せてください。`;
      case 'nothing_said':
        return line`${code('/reward')} は、Farcaster の投稿に反応した人に、このコミュニティの資金を分けます。投稿のリンクが必要です。続けて金額も書けます（書かなければ ${REWARD_DEFAULT} USDC です）。支払う前に、だれがいくら受け取るかを表示します。たとえば：`;
      case 'unreadable':
        return line`${code(problem.found)} が読み取れません。こう書けます：`;
      case 'not_a_post':
        return line`${code(problem.found)} は Farcaster の投稿へのリンクではありません。こう書けます：`;
      case 'not_a_name':
        return line`${code(problem.found)} は Farcaster の名前として読み取れません。こう書けます：`;
      case 'budget':
        return line`${code(problem.found)} は分けられません。${REWARD_MIN} から ${REWARD_MAX} USDC まで使えます：`;
      case 'not_decider':
        return line`それはここのモデレーターのためのものです。`;
      case 'standing_unknown':
        return line`このコミュニティの運営者を確認できないため、何もしていません。私がここのメンバーである必要があります。一分後にもう一度どうぞ。`;
      case 'busy':
        return line`別のリワードが確認を待っています。先にそれを確認するか拒否してください。`;
      case 'nothing_open':
        return line`確認待ちのリワードはありません。こう書くと作れます：`;
      case 'card_over':
        return line`そのリワードはもう決まっています。`;
      case 'being_paid':
        return line`今、ほかの人がウォレットで支払っています。一分後にもう一度押してください。`;
      case 'own':
        return problem.at === null
          ? line`提案したのはあなた自身なので、ほかのモデレーターが確認する必要があります。`
          : line`提案したのはあなた自身です。${time(problem.at)} まではほかの人が拒否でき、その後はあなたが確認できます。`;
      case 'refused':
        return whyNot(problem.reason);
      case 'unreachable':
        return line`今はその投稿を読めないため、何もしていません。一分後にもう一度どうぞ。`;
      case 'missing':
        return line`資金は ${usdc(problem.most)} で、一つのネットワークに ${usdc(problem.needed)} が必要です。${code('/treasury deposit')} で入金方法がわかります。`;
      case 'balance_unknown':
        return line`今は資金の残高がわかりません。一分後にもう一度どうぞ。`;
    }
  },
};

function whyNot(reason: string): Paragraph {
  switch (reason) {
    case 'content_not_found':
      return line`その投稿が見つかりません。削除されたのかもしれません。アプリのリンクが確実です。`;
    case 'no_engagement':
      return line`リワードの対象になる人は、まだその投稿に反応していません。`;
    case 'budget_too_small':
      return line`少なすぎます。一人 ${TIP_MIN} USDC 以上が必要です。`;
    case 'budget_too_large':
      return line`多すぎます。一人が受け取れるのは ${TIP_MAX} USDC までです。`;
    case 'insufficient_funds':
      return line`資金が足りません。${code('/treasury deposit')} で入金方法がわかります。`;
    case 'receiver_opted_out':
      return line`リストの誰かが受け取りを希望しなくなりました。新しいカードでは除かれます。`;
    case 'distribution_expired':
      return line`期限が切れました。`;
    case 'distribution_rejected':
      return line`拒否されました。`;
    case 'took_too_long':
      return line`時間がかかりすぎました。`;
    case 'service_closing':
      return line`このサービスは終了するため、送金はもうできません。`;
    case 'service_paused':
      return line`今は支払いが止まっています。`;
    case 'unreachable':
      return line`サービスにつながりませんでした。`;
    default:
      return line`理由：${code(reason)}`;
  }
}
