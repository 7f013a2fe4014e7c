import type { SettingsWords } from './settings-words.ts';

export const settingsWordsJa: SettingsWords = {
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
    lifetime: '自分のメッセージを消すまでの時間：1h · off',
    log: 'すべてのチップの記録をこのチャンネルに残す',
    role: 'あなたの他に報酬を承認できるロール。空なら誰もいません',
    quorum: '所有者用: 10 USDC を超えるリワードを確定する人数',
  },
  values: { choice: '一つ選んでください', text: '上の例のような値、または off', user: '誰', role: 'どのロール' },
};
