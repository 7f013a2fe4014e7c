import { code, line, type Paragraph } from '../../core/view.ts';
import type { HelpFacts, HelpTopic, helpEn } from './en.ts';
import { DROP_EXAMPLE, SPENDING_WAIT_HOURS, TIP_MAX, TIP_MIN } from '../rules/rules.ts';

const topics = ({ claimDays, historyMax }: HelpFacts): Record<HelpTopic, Paragraph[]> => ({
  tip: [
    line`${code('/tip @x:alice 1 ありがとう')} のように、名前、${TIP_MIN}～${TIP_MAX} USDC の金額、よければひとことを書きます。`,
    line`何人かに送るとき：${code('/tip x:alice github:bob 1')} は一人ずつに 1、${code('/tip x:alice github:bob 3 split')} は 3 をみんなで分けます。送る前に合計をお見せします。`,
    line`名前：${code('x:alice')}、${code('farcaster:alice')}、${code('github:alice')}、${code('alice@example.com')}、${code('example.com')}、プロフィールへのリンク。`,
    line`ウォレットのない人は ${String(claimDays)} 日間受け取れます。過ぎると、お金はあなたに戻ります。`,
  ],
  pay: [
    line`${code('/pay @x:alice 1')} は、ほかのウォレットやアプリから支払うチップです。リンクをお渡しします。開いた人が支払えます。`,
  ],
  request: [
    line`${code('/request @name 5 lunch')} で、グループの人にお金をお願いできます。支払えるのは本人だけです。${code('/request on')} でお願いを受け付け、${code('/request off')} で止めます。`,
  ],
  drop: [
    line`${code(DROP_EXAMPLE.command)} は、グループで時間内に押した人に ${DROP_EXAMPLE.sum} USDC を配ります。支払いの前にリストを見て、名前を外せます。`,
  ],
  top: [
    line`${code('/top')} は、${code('/top on')} と入力した人のうち、グループで多くの人に感謝を送った人を表示します。金額は関係ありません。`,
  ],
  balance: [line`${code('/balance')} で、ここにある残高をネットワークごとに見られます。`],
  deposit: [
    line`${code('/deposit')} で、ここでのあなたのアドレスを見られます。そこへ送ったお金は、1分以内にチップに使えます。`,
  ],
  wallet: [line`${code('/wallet')} で、支払いに使えるものを見て、選べます。`],
  withdraw: [
    line`${code('/withdraw 5 0x…')} は 5 USDC を、${code('/withdraw all 0x…')} は全額を、あなたのアドレスへ送ります。送る前に内容をすべてお見せします。`,
  ],
  limits: [
    line`${code('/limits')} で、チップに使える額が分かります。一人あたり、確認なし、一日あたりです。${code('/limits day 20')} のように、私との直接のチャットで変えられます。下げるとすぐに、上げると${SPENDING_WAIT_HOURS}時間後に変わります。`,
  ],
  lock: [
    line`${code('/lock')} は、どのチャットでも、ウォレットからの支払いをすぐにすべて止めます。${code('/withdraw')} は使えます。`,
  ],
  unlock: [
    line`${code('/unlock')} で、${SPENDING_WAIT_HOURS}時間後にまた支払えるようになります。ほかの人が気づかれずに解除できないようにするためです。`,
  ],
  history: [
    line`${code('/history')} で、最近送った ${String(historyMax)} 件のチップと、その後を見られます。すべてを CSV で受け取ることもできます。`,
  ],
  claim: [
    line`${code('/claim')} で、あなたの受け取りを待っているものを見られます。${code('/claim x:alice')} は、その名前で受け取るページを開きます。`,
  ],
  link: [line`${code('/link x:alice')} で、その名前に送られたお金を、ここのウォレットに入れる方法がわかります。`],
  language: [line`${code('/language')} で、お話しする言語を選べます。`],
  block: [
    line`${code('/block')} で、最近送ってきた人を見て、その人からの受け取りを止められます。相手には知らされず、受け取り待ちのお金は戻ります。`,
  ],
  privacy: [
    line`${code('/privacy')} で、あなたについて知っていることを受け取ったり、消したり、あなたへのチップをすべて断ったりできます。`,
  ],
  settings: [line`${code('/settings')} は、ここのモデレーターに、チップの決まりとその変え方を見せます。`],
  reward: [
    line`${code('/reward https://farcaster.xyz/alice/0x0123abcd 5')} は、その投稿に反応した人に資金の 5 USDC をどう分けるかをモデレーターに見せて、確認を求めます。${code('/reward without bob')} で誰かを除けます。`,
  ],
  treasury: [line`${code('/treasury')} は、サーバーやグループの報酬用のお金と、その入金・出金の方法を表示します。`],
});

export const helpJa: typeof helpEn = {
  help: (isPlayMoney) => [
    line`相手がふだん使っている名前あてに、${TIP_MIN}～${TIP_MAX} USDC を送れます。`,
    line`${code('/tip @x:alice 1')} で、X の alice に 1 USDC を送ります。後に続けて書いた言葉は、ひとこととして届きます。`,
    line`使える名前：${code('x:alice')}、${code('farcaster:alice')}、${code('github:alice')}、${code('alice@example.com')}、${code('example.com')}、プロフィールへのリンク。`,
    line`金額：${code('1')}、${code('0.5')}、${code('50c')}、${code('half')}（半分）、${code('all')}（全額）。`,
    line`${code('/balance')} は残高、${code('/deposit')} は${isPlayMoney ? 'お試し用のお金の追加' : '入金のしかた'}、${code('/wallet')} は受け取ってここに保管しているお金です。`,
    line`${code('/withdraw')} で、自分のアドレスへ送れます。`,
  ],
  unknown: () => line`うまく読み取れませんでした。できることはこちらです。`,
  helpOn: (topic, facts) => topics(facts)[topic],
  moreHelp: () => line`${code('/help tip')} のように書くと、コマンドの説明を見られます。ほかにもあります。`,
};
