import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import type { AddressRefusal } from '../../core/payments/payout-address.ts';
import { AT_ONCE_DAILY_MAX } from '../../core/wallets/withdrawal-wait.ts';
import { code, line, muted, strong, type Span } from '../../core/view.ts';
import { WITHDRAWALS_DAILY_MAX, WITHDRAWALS_OPEN_MAX } from '../../core/wallets/withdrawal-wait.ts';
import type { WithdrawalFailure } from '../../core/states.ts';
import type { withdrawalsEn } from './en.ts';
import { WITHDRAWAL_WAIT_HOURS, WITHDRAWAL_WAIT_MAX_HOURS, WITHOUT_PASSKEY_HOURS } from '../rules/rules.ts';
import { nameForPayer } from '../names/person.ts';
import { momentIn } from '../rules/moment.ts';

const people = formatUsdcForPeople;
const usdc = (amount: MicroUsdc): Span => strong(`${people(amount)} USDC`);
const time = momentIn('ja');

const ADDRESS_REFUSALS: Record<AddressRefusal, string> = {
  not_an_address:
    'アドレスではないようです。Base では 0x に続く 40 文字（数字と a～f）、Solana では 32～44 文字の英数字です。',
  wrong_checksum:
    'このアドレスには打ち間違いがあります。大文字と小文字の組み合わせが合いません。コピーし直してください。',
  ours: 'これはこのサービスのアドレスです。あなた自身のアドレスを教えてください。',
  nobody: 'このアドレスは誰のものでもありません。送ったお金は失われます。',
  system: 'このアドレスはネットワークの一部で、人のものではありません。送ったお金は失われます。',
  token: 'これはトークンのアドレスで、人のものではありません。',
  token_account: 'これはトークン口座です。その持ち主のウォレットのアドレスを教えてください。',
  special_account: 'これはステーキングや後日の署名に使う口座です。ウォレットそのもののアドレスを教えてください。',
  program: 'このアドレスはプログラムのもので、人のウォレットではありません。',
  foreign_account: 'このウォレットの USDC 口座は今は別の人のもので、お金はその人に届いてしまいます。',
  blacklisted: 'USDC の発行元がこのアドレスを止めているので、USDC は届きません。',
};

const FAILURES: Record<WithdrawalFailure, string> = {
  insufficient_funds: 'ウォレットの残高が足りなくなりました。',
  sender_blacklisted: 'USDC の側で、このウォレットからの送金が止められています。',
  recipient_blacklisted: 'USDC の側で、そのアドレスの受け取りが止められています。',
  forbidden_address: 'そのアドレスに送ったお金は失われるので、送りません。',
  no_token_account: 'そのアドレスにはまだ USDC 口座がなく、今は開けません。',
  token_account_not_theirs: 'そのアドレスの USDC 口座は、今は別の人のものです。',
  invalid_signature: '署名の内容が依頼と違うので、送りません。',
  failed_on_chain: 'ネットワークが送金を何度も断りました。',
  gave_up: '時間内に送れませんでした。もう一度依頼してください。',
  cancelled: '取り消されました。',
};
// A map, because the word comes from a row that may be older than this program.
const BY_WORD = new Map<string, string>(Object.entries(FAILURES));
export const whyFailedJa = (failure: string | null): string => BY_WORD.get(failure ?? '') ?? '送れませんでした。';

export const withdrawalsJa: typeof withdrawalsEn = {
  withdrawHelp: (isGuarded) => [
    line`いくらを、どのアドレスへ送るか書いてください。例：${code('/withdraw all 0x…')}、${code('/withdraw 5 0x…')}`,
    line`0x で始まるアドレスは Base、それ以外は Solana です。送る前に内容をすべてお見せします。`,
    isGuarded
      ? line`このお金はパスキーで保護されていて、チャットではパスキーを確認できません。そのため、ここからの出金は ${WITHOUT_PASSKEY_HOURS} 時間後になります。お金のページでパスキーを使うと、もっと早く出金できます。`
      : line`最初のアドレスへは一日 ${people(AT_ONCE_DAILY_MAX)} USDC まですぐに送ります。それを超える分と、ほかの新しいアドレスへの分は ${WITHDRAWAL_WAIT_HOURS} 時間後（ほかのチャットやメールでお知らせできない場合は最長 ${WITHDRAWAL_WAIT_MAX_HOURS} 時間後）に送ります。`,
  ],
  confirmWithdraw: ({ amount, place, address }, name) => [
    line`${name === null ? '' : `${nameForPayer(name, 'ja')} 名義の残高から、`}${usdc(amount)} を ${strong(place)} でこのアドレスに送りますか？`,
    line`${code(address)}`,
    line`もう一度見比べてください。間違ったアドレスに送ったお金は取り戻せません。`,
  ],
  confirmWithdrawButton: (amount) => `${people(amount)} USDC を送る`,

  withdrawLeaves: (at, isGuarded) =>
    isGuarded
      ? line`このお金はパスキーで保護されていて、チャットではパスキーを確認できません。そのため ${time(at)} に送ります。それまでは取り消せます。`
      : line`このウォレットにとって新しいアドレスなので、${time(at)} に送ります。気づかないうちに誰かに持ち出されないためです。それまでは取り消せます。`,
  withdrawWaits: ({ amount, place, address }, at) =>
    line`${usdc(amount)} を ${time(at)} に ${place} で ${code(address)} へ送ります。それまでは動きません。`,
  withdrawNotYou: () =>
    line`心当たりがなければ、${code('/withdraw cancel')} で取り消し、${code('/lock')} で支払いを止めてください。`,
  cancelWithdraw: () => '取り消す',
  withdrawCancelled: ({ amount, place, address }) =>
    line`取り消しました：${place} の ${code(address)} への ${usdc(amount)} は送られません。`,
  withdrawBecomesKnown: ({ amount, place, address }, at) =>
    line`${usdc(amount)} を ${place} で ${code(address)} に送りました。${time(at)} からは、このアドレスへいくらでもすぐに送れるようになります。`,
  withdrawNewAgain: ({ amount, place, address }) =>
    line`今後、${place} の ${code(address)} へすぐに送られることはありません。新しいアドレスとして扱います。${usdc(amount)} はすでに送られていました。`,
  noWithdrawWaits: () => line`取り消せる出金はありません。`,

  withdrawWaitsForAccount: ({ amount, place, address }, at) =>
    line`${code(address)} には ${place} の USDC アカウントがまだなく、一日に開設できる数に達しました。${usdc(amount)} は送られず、${time(at)} 以降にもう一度試します。`,
  withdrawing: ({ amount, place, address }) =>
    line`${usdc(amount)} を ${place} で ${code(address)} に送っています。数分かかることがあります。二重に送られることはありません。`,
  withdrawn: ({ amount, place, address }) => line`${usdc(amount)} が ${place} で ${code(address)} に届きました。`,
  transaction: (transaction) => [muted(`取引 ${transaction}`)],
  seeTransaction: () => '取引を見る',
  withdrawFailed: ({ amount }, failure) => line`${usdc(amount)} は元の場所に残っています。${whyFailedJa(failure)}`,

  withdrawProblem: (problem) => {
    switch (problem.code) {
      case 'network_off':
        return line`ここでは ${problem.place} で送れません。`;
      case 'which_network':
        return line`どのネットワークですか。`;
      case 'unreachable':
        return line`今は ${problem.place} につながらないので、何も送りませんでした。1分後にもう一度お試しください。`;
      case 'address':
        return line`${ADDRESS_REFUSALS[problem.reason]}`;
      case 'own_address':
        return line`それはこのウォレット自身のアドレスです。別のアドレスを教えてください。`;
      case 'too_little':
        return line`送れるのは ${people(problem.least)} USDC からです。`;
      case 'not_enough':
        return problem.held === 0n
          ? line`${problem.place} には残高がありません。`
          : line`${problem.place} の残高は ${people(problem.held)} USDC で、足りません。`;
    }
  },
  withdrawNotHeld: () => line`このウォレットはもう使えないので、何も送りませんでした。`,
  // The sentence that comes along is English, so this one says both limits.
  withdrawLimited: () =>
    line`一つのウォレットからの出金は、同時に ${String(WITHDRAWALS_OPEN_MAX)} 件、1日に ${String(WITHDRAWALS_DAILY_MAX)} 件までです。どれかが届くまで待つか、明日続けてください。`,
};
