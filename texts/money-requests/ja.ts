import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import { code, line, muted, strong, type Span } from '../../core/view.ts';
import type { AnsweredStage, requestsEn } from './en.ts';

const usdc = (amount: MicroUsdc): Span => strong(`${formatUsdcForPeople(amount)} USDC`);

/** How far one person of a bill is. */
const BILL_STAGES: Record<'open' | AnsweredStage, string> = {
  open: '未回答',
  agreed: '承諾',
  sent: '送金済み、到着待ち',
  paid: '支払い済み',
  unpaid: '未払い',
  declined: '今回は見送り',
  ended: '回答なし',
};

export const requestsJa: typeof requestsEn = {
  requestCard: ({ asker, asked, amount, reason, days }) => [
    line`${strong(asked)} さん、${asker} さんが ${usdc(amount)} をお願いしています。`,
    ...(reason === null ? [] : [line`「${reason}」`]),
    [muted(`ここで支払えるのは、お願いされた本人だけです。${String(days)} 日で終わります。催促はしません。`)],
  ],
  payRequest: (amount) => `${formatUsdcForPeople(amount)} USDC を支払う`,
  declineRequest: () => '断る',
  neverRequest: () => 'この人からは今後受けない',
  requestStage: (stage, { asker, asked, amount }) => {
    switch (stage) {
      case 'agreed':
        return line`${asked} さんが ${asker} さんへの ${usdc(amount)} に同意しました。`;
      case 'sent':
        return line`${asked} さんが ${asker} さんに ${usdc(amount)} を送りました。まだ届いていません。`;
      case 'paid':
        return line`${asked} さんが ${asker} さんに ${usdc(amount)} を支払いました。`;
      case 'unpaid':
        return line`${asker} さんが ${asked} さんに ${usdc(amount)} をお願いしました。支払われませんでした。`;
      case 'declined':
        return line`${asker} さんが ${asked} さんに ${usdc(amount)} をお願いしました。今回は見送りです。`;
      case 'ended':
        return line`${asker} さんが ${asked} さんに ${usdc(amount)} をお願いしました。期限内に返事がありませんでした。`;
    }
  },
  billCard: ({ asker, sum, reason, days }, people) => [
    line`${asker} さんが合計 ${usdc(sum)} をお願いしています:`,
    ...people,
    ...(reason === null ? [] : [line`「${reason}」`]),
    ...(days === null
      ? []
      : [
          [
            muted(
              `ここで支払えるのは頼まれた人だけで、それぞれ自分の分を払います。${String(days)}日で終わり、催促はしません。`,
            ),
          ],
        ]),
  ],
  billLine: (name, amount, stage) => line`${strong(name)}: ${usdc(amount)} · ${BILL_STAGES[stage]}`,
  payShare: () => '自分の分を払う',
  cannotAsk: (name) =>
    line`${strong(name)} さんにはお願いできないため、誰にもお願いしませんでした。相手が ${code('/request on')} を入力するか、先にあなたに送金すると、お願いできます。`,
  notYourRequest: () => line`押せるのは、お願いされた本人だけです。`,
  neverAgain: () =>
    line`わかりました。この人はもうあなたにお金をお願いできません。相手には知らせません。${code('/request on @name')} でまた許可できます。`,
  requestsChosen: (isAllowed) =>
    isAllowed
      ? line`グループの人があなたにお金をお願いできるようになりました。支払うかどうかは毎回あなたが決めます。`
      : line`もう誰もあなたにお金をお願いできません。`,
  requestsChosenFor: (name, isAllowed) =>
    isAllowed
      ? line`${strong(name)} さんがあなたにお金をお願いできるようになりました。支払うかどうかは毎回あなたが決めます。`
      : line`${strong(name)} さんはもうあなたにお金をお願いできません。相手には知らせません。`,
  explainRequests: () => [
    line`${code('/request @name 5 lunch')} で、このグループの人にお金をお願いできます。「支払う」を押せるのは本人だけです。`,
    line`お願いできるのは、${code('/request on')} と書いた人か、前にあなたに支払ったことのある人です。${code('/request off')} でやめられます。`,
  ],
  requestProblem: (problem, { open, sent, got, people }) => {
    switch (problem) {
      case 'elsewhere':
        return line`お二人がいるグループでお願いしてください。何をお願いしたか、みんなに見えます。`;
      case 'too_many_people':
        return line`一度にお願いできるのは${String(people)}人までです。`;
      case 'exact_amount':
        return line`金額を書いてください。`;
      case 'not_here':
        return line`お願いできるのは、このグループで書き込む人だけです。`;
      case 'self':
        return line`それはあなたご自身です。`;
      case 'bot':
        return line`それはボットです。お金を持っていません。`;
      case 'closed':
        return line`この人にはお願いできません。本人が ${code('/request on')} で許可するか、先にあなたに送ればできるようになります。`;
      case 'plain_reason':
        return line`リンク、名前、数字を使わず、短い言葉でお願いします。`;
      case 'too_many_open':
        return line`あなたのお願いがまだ ${String(open)} 件残っています。返事を待ってください。`;
      case 'asked_often':
        return line`この人は今日すでに ${String(got)} 回お願いされています。明日どうぞ。`;
      case 'asks_often':
        return line`今日すでに ${String(sent)} 回お願いしています。明日どうぞ。`;
    }
  },
};
