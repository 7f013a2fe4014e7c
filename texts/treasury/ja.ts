import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import { code, line, muted, strong, type Span } from '../../core/view.ts';
import type { treasuryEn } from './en.ts';
import { TREASURY_CARD_HOURS, TREASURY_WAIT_HOURS } from '../rules/rules.ts';
import { momentIn } from '../rules/moment.ts';

const people = formatUsdcForPeople;
const usdc = (amount: MicroUsdc): Span => strong(`${people(amount)} USDC`);
const time = momentIn('ja');

export const treasuryJa: typeof treasuryEn = {
  treasuryTitle: () => line`このコミュニティの報酬用のお金:`,
  treasuryHolds: ({ place, amount }) =>
    amount === null ? line`${place}: 今は確認できません。` : line`${place}: ${usdc(amount)}`,
  treasuryAddress: ({ place, active, waiting }) => [
    ...(active === null ? line`${place} の出金先はありません。` : line`${place} の出金先は ${code(active)} です。`),
    ...(waiting === null ? [] : line` ${time(waiting.at)} から: ${code(waiting.address)}`),
  ],
  treasuryHow: () => [
    line`入金はどなたでもできます: ${code('/treasury deposit')}。入出金は誰でも確認できます: ${code('/treasury statement')}。`,
    line`出金するには、まず所有者が ${code('/treasury address 0x…')} で出金先を決めます。${TREASURY_WAIT_HOURS} 時間後に ${code('/treasury withdraw 5 base')} と送るとここで確認を求め、所有者ともう 1 人のモデレーターが「確認」を押します。`,
    [muted('私が外されても、お金はそのまま残り、何も出ていきません。もう一度招待すれば元どおりです。')],
  ],
  treasuryDeposit: (addresses) => [
    line`このお金はコミュニティの報酬に使われます。入金した分は寄付になります。`,
    ...addresses.flatMap(({ place, address }) => [line`${strong(`${place} の USDC`)}:`, line`${code(address)}`]),
    line`USDC だけにしてください。ほかのものは失われることがあります。ここのウォレットから送るには:`,
  ],
  treasuryGive: (amount, place) =>
    line`${strong(place)} の ${usdc(amount)} をこのコミュニティに贈りますか？ 入れたお金は贈り物になります。`,
  treasuryGiveNow: (amount) => `${people(amount)} USDC を贈る`,
  treasuryStatement: () => '明細 (CSV)',
  treasuryStatementSays: () =>
    line`出金には取引番号が付きます。入金は金額が正確で、時刻は私が確認したときのものです。1 時間ごとに確認し、その間に届いた分は 1 行にまとまります。`,

  treasuryAddressSet: ({ place, address, by, at }) => [
    line`${strong(by)} が、このコミュニティの ${strong(place)} の出金先をここに変えようとしています:`,
    line`${code(address)}`,
    line`${time(at)} から有効です。それまではモデレーターなら誰でも止められます。`,
  ],
  cancelTreasuryAddress: (place) => `${place} のこのアドレスを止める`,
  treasuryAddressCancelled: ({ place, address, by }) =>
    line`${place} のアドレス ${code(address)} は無効です。${strong(by)} が止めました。`,
  treasuryAddressDropped: (place) => line`完了しました。${strong(place)} のそのアドレスは無効になりました。`,

  treasuryAsk: ({ amount, place, address, by }, confirmed) => [
    line`${strong(by)} が、このコミュニティのお金から ${strong(place)} で ${usdc(amount)} を出金しようとしています。送り先:`,
    line`${code(address)}`,
    line`${TREASURY_CARD_HOURS} 時間以内に、所有者ともう 1 人のモデレーターの確認が必要です。ほかにモデレーターがいなければ所有者だけで足ります。1 人でも拒否すれば終わりです。`,
    ...(confirmed.length === 0 ? [] : [line`確認済み: ${strong(confirmed.join(', '))}`]),
  ],
  treasuryConfirm: (amount) => `${people(amount)} USDC を確認`,
  treasuryReject: () => '拒否',
  treasuryRejected: ({ amount, place }, by) =>
    line`${strong(by)} が ${place} での ${usdc(amount)} の出金を拒否しました。お金は動いていません。`,
  treasuryExpired: ({ amount, place }) =>
    line`${place} での ${usdc(amount)} の出金は終わりました。期限までに確認がそろわなかったか、アドレスが無効になりました。お金は動いていません。`,

  treasuryProblem: (problem) => {
    switch (problem.code) {
      case 'elsewhere':
        return line`${code('/treasury')} は、そのお金を持つサーバーかグループで送ってください。`;
      case 'small_group':
        return line`このグループは大きくなると Telegram での番号が変わり、お金が取り残されてしまいます。グループの設定で新しいメンバーにチャット履歴を見せるようにすると番号が決まり、共同の財布を持てます。`;
      case 'unreadable':
        return line`${code(problem.found)} は読み取れません。次のように書けます:`;
      case 'not_owner':
        return line`コミュニティのお金の送り先を決められるのは所有者だけです。`;
      case 'not_moderator':
        return line`これはここのモデレーターだけができます。`;
      case 'no_owner':
        return line`このコミュニティには今、所有者がいません。所有者が決まるまでお金はそのままです。`;
      case 'standing_unknown':
        return line`誰がこのコミュニティを管理しているか確認できないため、何もしていません。私がここのメンバーである必要があります。少し待ってからもう一度お試しください。`;
      case 'which_network':
        return line`どのネットワークですか。`;
      case 'no_address':
        return line`${problem.place} の出金先がありません。所有者が決めると、${TREASURY_WAIT_HOURS} 時間後に有効になります:`;
      case 'address_waits':
        return line`${problem.place} のアドレスは ${time(problem.at)} から有効です。それまでは何も出ていきません。`;
      case 'busy':
        return line`別の出金が確認を待っています。先にそちらを確認するか拒否してください:`;
      case 'address_over':
        return line`止めるものがありません。そのアドレスはすでに有効か、もう無効です。`;
      case 'card_over':
        return line`その出金はもう決まっています。`;
      case 'limited':
        return line`出金が多すぎるため、何もしていません。1 つ届くのを待つか、明日続けてください。`;
    }
  },
};
