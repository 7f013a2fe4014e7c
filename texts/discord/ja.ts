import type { DiscordTexts } from './words.ts';
import {
  DROP_EXAMPLE,
  REWARD_DEFAULT,
  SMALL_REWARD,
  SPENDING_WAIT_HOURS,
  TREASURY_WAIT_HOURS,
} from '../rules/rules.ts';

export const discordJa: DiscordTexts = {
  commands: {
    tip: {
      description: 'いつもの名前あてに、だれにでもUSDCを送れます',
      options: {
        amount: ['金額', '1 · 0.5 · 50c · half（半分）· all（全部）'],
        user: ['相手', 'Discordのだれか'],
        to: ['宛先', 'ほかの場所の名前: x:alice · github:alice · alice@example.com'],
        note: ['メモ', 'ひとこと添える'],
      },
    },
    pay: { description: 'リンクで USDC を送る（どのウォレットやアプリからでも）', options: {} },
    request: {
      description: 'メンバーにお金をお願いする。支払えるのは本人だけ',
      options: {
        amount: ['金額', '5 · on（お願いを受け付ける）· off'],
        user: ['相手', 'お願いする相手'],
        to: ['宛先', '割り勘用: ほかのメンバー。金額の後に split'],
        note: ['メモ', '用途を短く'],
      },
    },
    balance: { description: '今いくらあるかを見る', options: {} },
    deposit: { description: 'ウォレットにお金を入れる', options: {} },
    withdraw: {
      description: '自分のアドレスにお金を送る',
      options: {
        amount: ['金額', '5 · half（半分）· all（全部）'],
        address: ['アドレス', '送り先'],
      },
    },
    wallet: { description: 'どこから払うかを選ぶ', options: {} },
    limits: {
      description: 'チップで使える額を見る・変える',
      options: { change: ['変更', 'tip 5 · ask 1 · day 20 · cancel（上げない）'] },
    },
    lock: { description: 'ウォレットからの支払いをすべて止める', options: {} },
    unlock: { description: `${SPENDING_WAIT_HOURS}時間後にまた支払えるようにする`, options: {} },
    history: { description: '送ったものを見る', options: {} },
    claim: {
      description: 'あなたあてに届いているものを受け取る',
      options: { name: ['名前', 'あなたのほかの名前（x:alice など）'] },
    },
    link: {
      description: 'ほかの名前あてに送られたものを受け取る',
      options: { name: ['名前', 'x:alice など'] },
    },
    language: {
      description: '私が話す言語を選ぶ',
      options: { language: ['言語', 'en · es · de · pt · ja · app'] },
    },
    block: { description: '送ってきた人を見て、ブロックする', options: {} },
    privacy: { description: '私が知っていることを見て、消す', options: {} },
    help: {
      description: '私にできることを見る',
      options: { command: ['コマンド', 'ひとつのコマンドを詳しく'] },
    },
  },
  menu: 'チップを送る',
  form: { title: (name) => `${name}さんにチップ`, amount: '金額（USDC）', amountExample: '1', note: 'メモ' },
  tooFast: '一度にたくさん届きました。1分ほど待ってから、もう一度お試しください。',
  settings: {
    description: 'このサーバーでのチップの扱いを決めます',
    settings: {
      show: '現在の設定と変更方法を見る',
      channels: 'このチャンネルで許可する・しない、またはすべてで許可する',
      min: '最小のチップ：0.5 · off',
      max: '最大のチップ：5 · off',
      cooldown: '次のチップまでの待ち時間：30s · 5m · off',
      ban: 'この人がここでチップを送れないようにする',
      unban: 'この人がまた送れるようにする',
      receipts: 'チップが支払われたことの示し方',
      notes: 'チップにメモを付けられるかどうか',
      language: 'ここで全員が読むメッセージの言語（本人だけが読むものは本人の言語）',
      lifetime: '自分のメッセージを消すまでの時間：1h · off',
      log: 'すべてのチップの記録をこのチャンネルに残す',
      role: 'あなたの他に報酬を承認できるロール。空なら誰もいません',
      drops: '配布に参加できるロール。空なら誰もいません',
      quorum: `所有者用: ${SMALL_REWARD} USDC を超えるリワードを確定する人数`,
    },
    values: { choice: '一つ選んでください', text: '上の例のような値、または off', user: '誰', role: 'どのロール' },
  },
  treasury: {
    description: 'このコミュニティのお金',
    steps: {
      balance: '残高と出金先を見る',
      deposit: '入金する',
      give: '自分のお金をこのサーバーに贈る',
      statement: '入出金の明細を見る',
      address: `所有者用: 出金先を決める (${TREASURY_WAIT_HOURS} 時間後に有効)`,
      withdraw: 'モデレーター用: 出金の確認を求める',
    },
    address: '0x… は Base、それ以外は Solana。off base で取り消し',
    amount: '5 · half (半分) · all (全額)',
    network: '両方にあるときは、どちらか',
  },
  reward: {
    description: 'モデレーター用: Farcaster の投稿に反応した人にリワードを送る',
    post: '投稿へのリンク',
    budget: `分ける合計 (USDC)。空なら ${REWARD_DEFAULT}`,
    without: '受け取らない人の Farcaster 名。これだけなら、今のカードから除きます',
  },
  drop: {
    description: '時間内に押した人に配る',
    amount: '金額: 5',
    people: '人数: 10',
    time: `時間: ${DROP_EXAMPLE.time}`,
    from: 'treasury: コミュニティの資金から',
    without: 'リストから外す名前',
  },
  top: { description: 'ここで多くの人に感謝を送った人を見る', choice: 'on · off(載るかどうか)' },
};
