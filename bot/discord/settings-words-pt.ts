import type { SettingsWords } from './settings-words.ts';

export const settingsWordsPt: SettingsWords = {
  description: 'Decida como as gorjetas funcionam neste servidor',
  settings: {
    show: 'Veja o que está definido e como mudar',
    channels: 'Permita gorjetas neste canal, não mais aqui, ou em todos os canais',
    min: 'A menor gorjeta: 0.5 · off',
    max: 'A maior gorjeta: 5 · off',
    cooldown: 'Quanto alguém espera entre duas gorjetas: 30s · 5m · off',
    ban: 'Impeça alguém de enviar mais gorjetas aqui',
    unban: 'Deixe alguém enviar gorjetas de novo',
    receipts: 'Como eu mostro que uma gorjeta foi paga',
    notes: 'Se uma gorjeta pode levar uma mensagem',
    lifetime: 'Quando apago minhas mensagens: 1h · off',
    log: 'Mantenha um registro de todas as gorjetas neste canal',
    role: 'Quem pode confirmar recompensas além de você; vazio para ninguém',
    quorum: 'Para quem é dono: quantos confirmam uma recompensa acima de 10 USDC',
  },
  values: { choice: 'Escolha um', text: 'Um valor como os acima, ou off', user: 'Quem', role: 'Qual cargo' },
};
