import type { ReceiptStyle } from '../../core/communities/community-settings.ts';
import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import { code, line, strong, type Paragraph, type Span } from '../../core/view.ts';
import type { settingsEn } from './en.ts';
import { KNOWN_ANSWERS, KNOWN_DAYS, PLACES_MAX, SMALL_REWARD } from '../rules/rules.ts';

const usdc = (amount: MicroUsdc): Span => strong(`${formatUsdcForPeople(amount)} USDC`);
const listed = (names: readonly string[], more: number): Span =>
  strong(more === 0 ? names.join(', ') : `${names.join(', ')} ほか ${more} か所`);

const RECEIPTS: Record<ReceiptStyle, Paragraph> = {
  message: line`明細：チップごとに${strong('メッセージ')}`,
  reaction: line`明細：チップへの${strong('リアクション')}`,
  none: line`明細：公開では${strong('なし')}`,
};

export const settingsJa: typeof settingsEn = {
  settingsTitle: () => line`ここでのチップの決まりと、その変え方です。`,
  settingsChanged: () => line`変更しました。今からこうなります。`,
  settingsElsewhere: () =>
    line`${code('/settings')} は、設定したいサーバーかグループで書いてください。ここは二人だけの場所です。`,
  settingsForModerators: () => line`それができるのは、ここのモデレーターだけです。`,

  setting: (fact) => {
    switch (fact.setting) {
      case 'channels':
        if (fact.names.length === 0) return line`チップ：ここでは${strong('どこでも')}`;
        return line`チップ：${listed(fact.names, fact.more)} だけ`;
      case 'min':
        return fact.amount === null ? line`下限：${strong('なし')}` : line`下限：${usdc(fact.amount)}`;
      case 'max':
        return fact.amount === null ? line`上限：${strong('なし')}` : line`上限：${usdc(fact.amount)}`;
      case 'cooldown':
        if (fact.time === null) return line`同じ人の次のチップまで：${strong('待ち時間なし')}`;
        return line`同じ人の次のチップまで：${strong(fact.time)}`;
      case 'receipts':
        return RECEIPTS[fact.style];
      case 'notes':
        return fact.isOn ? line`ひとこと：${strong('書ける')}` : line`ひとこと：${strong('書けない')}`;
      case 'language':
        return fact.name === null
          ? line`全員に話す言語：${strong('コマンドを送った人の言語')}`
          : line`全員に話す言語：${strong(fact.name)}`;
      case 'lifetime':
        if (fact.time === null) return line`私のメッセージ：${strong('残る')}`;
        return line`私のメッセージ：${strong(fact.time)} 後に削除`;
      case 'log':
        return fact.name === null ? line`チップの記録：${strong('なし')}` : line`チップの記録：${strong(fact.name)}`;
      case 'role':
        if (!fact.hasRoles) return line`リワードを確定するのは、このグループの管理者です。`;
        if (fact.name === null) return line`リワードを確定する人：${strong('モデレーター')}`;
        return line`リワードを確定する人：モデレーターと ${strong(fact.name)}`;
      case 'drops':
        if (!fact.hasRoles)
          return line`配布の対象: ここに${KNOWN_DAYS}日以上いて、返信のあったメッセージが${KNOWN_ANSWERS}件ある人`;
        return fact.name === null
          ? line`配布の対象: ${strong('まだいません')}`
          : line`配布の対象: ${strong(fact.name)}`;
      case 'quorum':
        return line`${SMALL_REWARD} USDC を超えるリワードを確定する人数：${strong(String(fact.count))}`;
      case 'ban':
        return line`チップを禁止されている人：${strong(String(fact.count))}`;
    }
  },

  settingsProblem: (problem) => {
    switch (problem.code) {
      case 'min_above_max':
        return line`それではチップの下限が ${usdc(problem.min)}、上限が ${usdc(problem.max)} になり、誰もチップを送れません。`;
      case 'everywhere_already':
        return line`ここではどこでもチップを送れます。一部の場所だけにするには、その場所ごとにこう書いてください。`;
      case 'too_many_channels':
        return line`場所が ${strong(PLACES_MAX)} か所を超えてしまいます。`;
      case 'role_of_all':
        return line`それは全員が持つロールで、持っている人はリワードを使えてしまいます。別のロールを選んでください。`;
      case 'drops_for_all':
        return line`そのロールは全員が持っていて、来たばかりの人が受け取ってしまいます。別のロールを選んでください:`;
      case 'not_owner':
        return line`リワードを誰が何人で確定するかを決められるのは、このサーバーの所有者だけです。`;
    }
  },
  banned: (name) =>
    line`${strong(name)} はここでチップを送れなくなりました。本人には知らせていません。お金は本人のもののままです。`,
  unbanned: (name) => line`${strong(name)} はまたここでチップを送れます。`,
  wasNotBanned: (name) => line`${strong(name)} はここで禁止されていませんでした。`,
  noSelfBan: () => line`それはあなた自身です。ほかの人をメンションしてください。`,

  ruleProblem: (problem, wait) => {
    switch (problem.code) {
      case 'banned':
        return line`ここのモデレーターの設定により、あなたはチップを送れません。お金はこれまでどおりあなたのものです：${code('/balance')}、${code('/withdraw')}`;
      case 'other_channel':
        return line`この場所ではチップを送れません。ここでは ${listed(problem.names, problem.more)} で送ってください。`;
      case 'no_notes':
        return line`ここのチップには、ひとことを付けられません。`;
      case 'below_min':
        return line`ここのチップは、一人につき ${usdc(problem.limit)} からです。`;
      case 'above_max':
        return line`ここのチップは、一人につき ${usdc(problem.limit)} までです。`;
      case 'too_soon':
        return line`ここでは、次のチップまで少し時間を空けます。あと ${strong(wait)} で送れます。`;
    }
  },
};
